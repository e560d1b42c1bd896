//! Answers that go well, in each dialect.

use agui_runtime::protocol::Count;

use crate::frames::{Said, turn};
use crate::server::{Answer, DIALECTS, Server, prompt, read};

fn said() -> Vec<Said> {
    vec![
        Said::Reasoning("Hm.".into(), Some("c2ln".into())),
        Said::Text("Let me look.".into()),
        Said::Call("call_1".into(), "price".into(), vec![r#"{"name":"#.into(), r#""rice"}"#.into()]),
        Said::Call("call_2".into(), "price".into(), vec![r#"{"name":"salt"}"#.into()]),
    ]
}

#[test]
fn a_turn_of_all_kinds_is_read_in_each_dialect() {
    for dialect in DIALECTS {
        let server = Server::start([Answer::frames(turn(dialect, &said()))]);
        let read = read(&server.model(dialect), &prompt());
        assert!(read.error.is_none(), "{dialect}: {read:?}");
        let lines = read.lines();
        let seal = match dialect.split(':').next().unwrap() {
            "openai-chat" => Some(r#"sealed openai_chat.members:{"reasoning_in":"reasoning_content"}"#),
            "openai" => Some("sealed openai.encrypted_content:rs_0:c2ln"),
            "anthropic" => Some("sealed anthropic.signature:c2ln"),
            _ => Some("sealed gemini.thought_signature:c2ln"),
        };
        let signature = if dialect.starts_with("gemini") { " gemini.thought_signature:c2ln" } else { "" };
        let mut expected = vec!["reasoning Hm.".to_owned()];
        expected.extend(seal.map(str::to_owned));
        expected.push("text Let me look.".to_owned());
        expected.push(format!(r#"call {} call_1 price {{"name":"rice"}}{signature}"#, 0));
        expected.push(format!(r#"call {} call_2 price {{"name":"salt"}}{signature}"#, 1));
        expected.push("end Stop".to_owned());
        assert_eq!(lines, expected, "{dialect}");
    }
}

/// Cached and reasoning tokens, too: `RUN_FINISHED.usage` has them.
#[test]
fn tokens_are_counted_alike_in_each_dialect() {
    for dialect in DIALECTS {
        let server = Server::start([Answer::frames(turn(dialect, &[Said::Text("Hi".into())]))]);
        let usage = read(&server.model(dialect), &prompt()).usage;
        let count = |count: Option<Count>| count.map(Count::get);
        let input = if dialect.starts_with("anthropic") { 42 } else { 40 };
        assert_eq!(count(usage.input_tokens), Some(input), "{dialect}");
        assert_eq!(
            (count(usage.output_tokens), count(usage.cached_input_tokens)),
            (Some(9), Some(30)),
            "{dialect}"
        );
        if dialect.starts_with("anthropic") {
            assert_eq!(count(usage.cache_write_input_tokens), Some(2));
        } else {
            assert_eq!(
                (count(usage.total_tokens), count(usage.reasoning_tokens)),
                (Some(49), Some(5)),
                "{dialect}"
            );
        }
    }
}

#[test]
fn each_dialect_is_asked_at_its_path() {
    for (dialect, path) in DIALECTS.into_iter().zip([
        "/v1/chat/completions",
        "/v1/responses",
        "/v1/messages",
        "/v1/models/gemini-2.5-flash:streamGenerateContent?alt=sse",
    ]) {
        let server = Server::start([Answer::frames(turn(dialect, &[Said::Text("Hi".into())]))]);
        read(&server.model(dialect), &prompt());
        assert_eq!(server.requests()[0].0, path);
    }
}
