//! The pages that people use, in a browser, over servers that store their threads in SQLite: stopped, without network,
//! loaded again, in two tabs. In the end each page shows what the store has.
//!
//! A row of the matrix is a page (`tests/node/browser/shown-pages.mjs`), a column a scene (`tests/node/browser/pages.mjs`).
//! `AGUI_PAGES="recipe stop"` chooses the cells whose names contain all of these words. Five minutes without network pass on a
//! clock that the browser is given; `AGUI_OFFLINE=real` waits for them.
//!
//! | module | subject |
//! |---|---|
//! | `model` | the model behind all agents, whose stories wait in their middle |
//! | `network` | the network between a page and its server, which can be cut |
//! | `place` | both of them, and the files of pages, behind one address |
//! | `servers` | the servers of the agents, and the pages |
#![allow(clippy::panic, clippy::unwrap_used, clippy::indexing_slicing, reason = "tests")]

mod model;
mod network;
mod place;
#[path = "../readme/project.rs"]
mod project;
mod servers;

use std::env;
use std::time::Duration;

use agui_tests::need;
use agui_tests::outside::{AssistantUi, Chromium, CopilotKit, Pages};
use serde_json::json;

use servers::Servers;

const SCENES: [&str; 6] = ["stop", "offline", "long-offline", "reload", "question", "tabs"];

#[test]
fn every_page_shows_what_the_store_has() {
    let chromium = need!(Chromium::ready());
    let copilotkit = need!(CopilotKit::ready());
    let assistant_ui = need!(AssistantUi::ready());
    let pages = need!(Pages::ready());
    let words = env::var("AGUI_PAGES").unwrap_or_default();
    let is_wanted = |name: &str| words.split_whitespace().all(|word| name.contains(word));
    let is_real = env::var("AGUI_OFFLINE").is_ok_and(|what| what == "real");

    let servers = Servers::start(&copilotkit, &assistant_ui, &pages);
    let mut jobs = Vec::new();
    for row in servers.rows() {
        for scene in SCENES {
            let name = format!("{}-{scene}", row.name);
            if is_wanted(&name) {
                let network = servers.place.network(row.server);
                let address = row.page.clone().unwrap_or_else(|| format!("{}/", network.url));
                let job = json!({
                    "address": address, "page": row.description, "scene": scene, "key": name, "control": servers.place.url(),
                    "network": network.number, "agent": format!("{}{}", network.url, row.path),
                    "store": format!("{}{}", row.store, row.path), "isRealTime": is_real,
                    "stepMs": 90_000, "timeoutMs": if is_real { 600_000 } else { 300_000 },
                });
                // The scene opens the page, when all is prepared.
                jobs.push((name, "about:blank".to_owned(), job));
            }
        }
    }
    assert!(!jobs.is_empty(), "AGUI_PAGES={words}: no cell has all of these words");
    let limit = Duration::from_secs(if is_real { 2400 } else { 1500 });
    let reports = chromium.browse_together("pages.mjs", &jobs, limit);
    let failed = jobs.iter().zip(&reports).filter(|(_, report)| !report.ok);
    let failed: Vec<_> = failed.map(|((name, ..), report)| format!("{name}: {report:#?}")).collect();
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}
