//! The page of CopilotKit's quickstart over the example `desk`: no process of Node runs but the build of the page.

use std::process::Command;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use agui_tests::model_server::{Answer, Server};
use agui_tests::need;
use agui_tests::outside::{Chromium, CopilotKit, ExampleServer, artefact, built, empty};
use serde_json::json;

use crate::control::Control;
use crate::files::PageFiles;
use crate::stored::port;

const LIMIT: Duration = Duration::from_secs(60);

/// Starts the desk at a port.
fn desk(port: &str, variables: &[(&str, &str)]) -> ExampleServer {
    let mut desk = Command::new(built("desk"));
    desk.env("AGUI_ADDR", format!("127.0.0.1:{port}")).envs(variables.iter().copied());
    ExampleServer::spawn("desk", desk, LIMIT).unwrap_or_else(|cause| panic!("{cause}"))
}

#[test]
fn the_quickstart_page_shows_what_the_desk_does() {
    let copilotkit = need!(CopilotKit::ready());
    let chromium = need!(Chromium::ready());
    let folder = empty("copilotkit-desk-quickstart");
    copilotkit.write_page("starter.jsx", &folder);
    let files = PageFiles::serve(&folder);
    let place = format!("sqlite:{}", folder.join("threads.db").display());
    let first = desk("0", &[("AGUI_THREADS", &place)]);
    let desk_port = port(&first);
    let runtime = format!("{}/api/copilotkit", first.url());

    // A second desk talks with a model that hangs in the middle of a text, and then breaks off.
    let begun = |text: &str| {
        let mut answer = Answer::turn(&[text], &[]);
        answer.pieces.truncate(1);
        answer
    };
    let model = Server::start([
        begun("Let me see.").hanging(),
        begun("Your ket"),
        Answer::turn(&["All is well again."], &[]),
    ]);
    let troubled = desk("0", &[("AGUI_MODEL", &model.address())]);
    let server = Mutex::new(Some(first));
    let restart = |_: &str| {
        let mut server = server.lock().unwrap_or_else(PoisonError::into_inner);
        // Killed first, for the port.
        drop(server.take());
        *server = Some(desk(&desk_port, &[("AGUI_THREADS", &place)]));
    };
    Control::with(&restart, |control| {
        let picture = |what: &str| artefact(&format!("copilotkit-quickstart-{what}.png"));
        let job = json!({
            "page": files.url(), "runtime": runtime, "control": control,
            "troubled": format!("{}/api/copilotkit", troubled.url()),
            "pictures": { "asked": picture("asked"), "end": picture("end") },
            "timeoutMs": 120_000,
        });
        // The driver opens this address before the script opens its own.
        let url = format!("{}?agent=default&runtime={runtime}", files.url());
        chromium.browse("copilotkit-quickstart", "copilotkit-quickstart.mjs", &url, &job).assert_ok();
    });
}
