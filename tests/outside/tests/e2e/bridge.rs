//! A Python program with a stream of its own, behind an agent.

use agui_tests::{
    need,
    outside::{Conversation, ExampleServer, Generation, Node, Python, Turn, TurnReport},
};

#[test]
fn a_foreign_program_answers_the_official_clients() {
    let node = need!(Node::ready());
    let python = need!(Python::ready());
    let server = ExampleServer::start("bridge");
    for generation in Generation::ALL {
        // The program gives its message the same id in both turns.
        let conversation =
            Conversation::new(server.url(), generation).then(Turn::say("Lisbon?")).then(Turn::say("Rome?"));
        let report = node.converse(&conversation);
        report.assert_clean();
        let said: Vec<_> = report.turns.iter().map(TurnReport::said).collect();
        assert_eq!(said, ["It is 21 degrees."; 2], "{generation:?}");
        for (turn, city) in report.turns.iter().zip(["Lisbon", "Rome"]) {
            python.validate_sse(&turn.body).assert_ok();
            assert!(
                turn.body.contains(city) && turn.body.contains(r#""result":{"degrees":21}"#),
                "{}",
                turn.body
            );
        }
    }
}
