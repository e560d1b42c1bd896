//! The cook's page: its TypeScript, its bundle, and a user's session in a browser.

use std::{env, fs, path::PathBuf, process::Command, time::Duration};

use agui_tests::{
    need,
    outside::{
        Chromium, ExampleServer, Generation, Node, Python, artefact, finish, target_dir, workspace_dir,
    },
};
use serde_json::{Map, Value, json};

fn web() -> PathBuf {
    workspace_dir().join("examples/recipe/web")
}

/// Returns true if the machine has a font for emoji. CI installs one.
fn has_emoji() -> bool {
    let listed = Command::new("fc-list").output().map(|output| output.stdout).unwrap_or_default();
    env::var_os("CI").is_some() || String::from_utf8_lossy(&listed).to_lowercase().contains("emoji")
}

#[test]
fn recipe_page() {
    let chromium = need!(Chromium::ready());
    let server = ExampleServer::start("recipe");
    let names = [
        "streaming",
        "prices",
        "dialog",
        "ordered",
        "failed",
        "dark",
        "phone",
        "phone-changed",
        "recipe-390",
        "talk-390",
        "recipe-320",
        "talk-320",
        "dialog-390",
        "dialog-320",
    ];
    let pictures: Map<String, Value> = names
        .iter()
        .map(|name| ((*name).to_owned(), json!(artefact(&format!("recipe-page-{name}.png")))))
        .collect();
    // A long conversation, on a machine that may be busy.
    let job = json!({ "pictures": pictures, "timeoutMs": 120_000, "hasEmoji": has_emoji() });
    chromium.browse("recipe-page", "recipe.mjs", server.url(), &job).assert_ok();
    for (name, path) in pictures {
        let picture = fs::read(path.as_str().unwrap_or_default()).unwrap_or_default();
        assert!(picture.starts_with(b"\x89PNG"), "no picture {name}");
    }
}

#[test]
fn recipe_page_in_trouble() {
    let chromium = need!(Chromium::ready());
    let server = ExampleServer::start("recipe");
    chromium.browse("recipe-page-in-trouble", "recipe-trouble.mjs", server.url(), &json!({})).assert_ok();
}

#[test]
fn bundle_is_fresh() {
    let node = need!(Node::ready());
    let web = web();
    node.assert_bundle_fresh(&web.join("src/main.ts"), &web.join("dist/app.js"));
    node.assert_bundle_fresh(&web.join("app.css"), &web.join("dist/app.css"));
}

/// With the page's own settings, except that the packages are those of the tests.
#[test]
fn page_type_checks() {
    let node = need!(Node::ready());
    let config = json!({
        "extends": web().join("tsconfig.json"),
        "compilerOptions": { "paths": { "*": [node.node_modules().join("*")] } },
        "include": [web().join("src")],
    });
    let folder = target_dir().join("outside/tsc");
    fs::create_dir_all(&folder).unwrap();
    let path = folder.join("recipe-page.json");
    fs::write(&path, config.to_string()).unwrap();
    let mut command = node.bin("tsc");
    command.arg("--project").arg(path);
    let _ = finish(command, "", Duration::from_secs(300)).assert_success();
}

/// The page is for the newer client; the generated code is for both, and for Python.
#[test]
fn generated_clients_type_check() {
    let node = need!(Node::ready());
    let python = need!(Python::ready());
    let examples = workspace_dir().join("examples");
    let clients = [
        "hello/ts/agui/hello",
        "shopper/ts/agui/shopper",
        "members/ts/agui/desk",
        "recipe/web/src/agui/cook",
        "tour/ts/agui/human_in_the_loop",
        "tour/ts/agui/plan_maker",
        "tour/ts/agui/shared_state",
    ];
    let clients = clients.map(|client| examples.join(client).join("client.ts"));
    for generation in Generation::ALL {
        let _ = node.type_check("examples", generation, &clients).assert_success();
    }
    for example in ["hello", "shopper", "members", "recipe", "tour"] {
        let _ = python.type_check(&examples.join(example).join("python"), &["agui"]).assert_success();
    }
}
