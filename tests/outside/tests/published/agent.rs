//! The running agent that frontend engineers generate clients for: `examples/desk`, and its clients as its readers see them.

use std::fs;

use agui_tests::outside::{ExampleServer, workspace_dir};

/// The last lines that both clients print.
pub(crate) const ANSWER: &str = "refund 5900 cents of order 8?\nkettle 5900";

/// The server, and the address of its manifest.
pub(crate) fn desk() -> (ExampleServer, String) {
    let server = ExampleServer::start("desk");
    let manifest = format!("{}/agui/manifest.json", server.url());
    (server, manifest)
}

/// A client program of the example, `ts/main.ts` or `python/main.py`, for this server.
pub(crate) fn client(path: &str, server: &ExampleServer) -> String {
    let text = fs::read_to_string(workspace_dir().join("examples/desk").join(path)).unwrap();
    let here = "http://127.0.0.1:8000/";
    assert!(text.contains(here), "{path} does not name {here}");
    text.replace(here, &format!("{}/", server.url()))
}
