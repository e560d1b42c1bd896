//! Both generations of the official client talk with an agent whose subagent asks.

use std::future::pending;

use agui_runtime::Server;
use agui_runtime::model::Reply;
use agui_tests::need;
use agui_tests::outside::{Conversation, Generation, Node, Turn};
use serde_json::json;

use super::{desk, research};

#[tokio::test(flavor = "multi_thread")]
async fn the_official_clients_approve_a_call_of_a_subagent() {
    let node = need!(Node::ready());
    for generation in Generation::ALL {
        let desk = desk(
            [research("Publish rice."), Reply::text("All done."), Reply::text("As I said.")],
            [
                Reply::call("search", json!({ "words": "rice" })),
                Reply::call("publish", json!({ "text": "rice" })),
                Reply::text("It is out."),
            ],
        );
        let server = Server::new().agent("/", desk.writer);
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let serving = tokio::spawn(server.serve_on(listener, pending()));
        let talk = Conversation::new(format!("http://{address}"), generation)
            .then(Turn::say("Write about rice."))
            .then(Turn::resume("resolved", Some(json!({ "approved": true }))))
            .then(Turn::say("Sure?"));
        let report = tokio::task::block_in_place(|| node.converse(&talk));
        serving.abort();
        report.assert_clean();
        assert_eq!(desk.press.count(), 1, "{generation:?}: {report:#?}");
        let body = &report.turns[1].body;
        assert!(body.contains("published rice") && body.contains("All done."), "{generation:?}: {body}");
        assert_eq!(report.turns[2].said(), "As I said.", "{generation:?}");
        // The model of the writer never read what the researcher did.
        let prompts = format!("{:?}", desk.of_writer.prompts());
        assert!(
            !prompts.contains("published rice") && prompts.contains("It is out."),
            "{generation:?}: {prompts}"
        );
    }
}
