//! Clients that were generated for other versions of the agents are reported.

use agui_runtime::Server;
use agui_runtime::manifest::Manifest;
use agui_tests::http::Request;
use agui_tests::log::Log;
use tracing::Level;

use crate::kitchen::{Cook, Served};

#[tokio::test]
async fn each_outdated_client_is_pointed_out_once() {
    let (log, _recording) = Log::record(Level::WARN);
    let served = Served::start(Server::new().agent("/", Cook::new().0)).await;
    let manifest = Request::new("GET", "/agui/manifest.json").send(served.address).await;
    let hash = Manifest::from_json(manifest.text()).unwrap().hash.wire;
    let heard_of = async |client: &str| {
        let answer = Request::new("GET", "/capabilities").header("x-agui-manifest", client);
        assert_eq!(answer.send(served.address).await.status, 200);
        log.take()
    };
    assert_eq!(heard_of(&hash).await, [""; 0]);
    for client in ["sha256-first", "sha256-second"] {
        let heard = heard_of(client).await;
        assert_eq!(heard.len(), 1, "{heard:?}");
        assert!(heard[0].contains(&format!("client={client} ")) && heard[0].contains(&hash), "{heard:?}");
        assert!(heard[0].contains("a client was generated for another version"), "{heard:?}");
    }
    assert_eq!(heard_of("sha256-first").await, [""; 0], "it was told");
    assert_eq!(heard_of(&hash).await, [""; 0]);

    // A client that sends arbitrary hashes fills neither the memory nor the log.
    let long = heard_of(&"x".repeat(5_000)).await;
    assert!(long.len() == 1 && long[0].len() < 500, "{long:?}");
    let mut heard = 0;
    for client in 0..100 {
        heard += heard_of(&format!("sha256-{client}")).await.len();
    }
    assert_eq!(heard, 13, "16 in all");
}
