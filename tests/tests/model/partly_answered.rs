//! An answer to one of two questions: its call runs, the other one stays open until its own answer comes.

use agui_runtime::model::Reply;
use agui_runtime::protocol::{Event, Message, ToolMessage};
use agui_runtime::testing;
use serde_json::json;

use crate::approvals::{REFUND, answer, desk_with, first_input, next_input, questions, results, run, till};

#[test]
fn two_approvals_are_answered_one_after_the_other() {
    let small = r#"{"cents":1}"#;
    let calls = Reply::call("refund", REFUND).and_call("refund", small);
    let (desk, _) = desk_with([calls, Reply::text("One."), Reply::text("Both.")]);
    let asked = questions(&run(&desk, first_input()));
    assert_eq!((asked.len(), till(&desk)), (2, 0));
    let known = [(&asked[0], "refund", REFUND), (&asked[1], "refund", small)];
    let yes = json!({ "approved": true });

    let first = run(&desk, next_input(&known, vec![answer(&asked[1], yes.clone())]));
    assert_eq!((till(&desk), results(&first)), (1, vec!["1".to_owned()]), "{}", testing::lines(&first));

    let mut last = next_input(&known, vec![answer(&asked[0], yes)]);
    last.run_id = "run-3".into();
    last.messages.extend(first.iter().filter_map(result));
    let second = run(&desk, last);
    assert_eq!((till(&desk), results(&second)), (501, vec!["501".to_owned()]), "{}", testing::lines(&second));
}

/// The message that a client keeps of a result.
fn result(event: &Event) -> Option<Message> {
    let Event::ToolCallResult(result) = event else { return None };
    let content = result.content.text().into_owned();
    Some(ToolMessage::new(result.message_id.clone(), content, result.tool_call_id.clone()).into())
}
