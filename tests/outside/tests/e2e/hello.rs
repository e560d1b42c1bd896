//! The smallest agent.

use agui_runtime::wire::proto;
use agui_tests::{
    need,
    outside::{Conversation, ExampleServer, Generation, Node, Python, Turn, TurnReport},
};

#[test]
fn hello_over_the_binary_transport() {
    let node = need!(Node::ready());
    let server = ExampleServer::start("hello");
    for generation in Generation::ALL {
        let conversation = Conversation::new(server.url(), generation).accept(proto::CONTENT_TYPE);
        let report = node.converse(&conversation.then(Turn::say("Ada")).then(Turn::default()));
        report.assert_clean();
        let said: Vec<_> = report.turns.iter().map(TurnReport::said).collect();
        assert_eq!(said, ["Hello, Ada!", "Hello, stranger!"], "{generation:?}");
        for turn in &report.turns {
            assert_eq!(turn.content_type.as_deref(), Some(proto::CONTENT_TYPE));
        }
    }
}

#[test]
fn hello_clients() {
    let node = need!(Node::ready());
    let python = need!(Python::ready());
    let server = ExampleServer::start("hello");
    for generation in Generation::ALL {
        let conversation =
            Conversation::new(server.url(), generation).then(Turn::say("Ada")).then(Turn::default());
        let report = node.converse(&conversation);
        report.assert_clean();
        let said: Vec<_> = report.turns.iter().map(TurnReport::said).collect();
        assert_eq!(said, ["Hello, Ada!", "Hello, stranger!"], "{generation:?}");
        for turn in &report.turns {
            python.validate_sse(&turn.body).assert_ok();
        }
    }
}
