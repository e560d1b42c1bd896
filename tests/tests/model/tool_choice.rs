//! The rule for calls: what the model reads in each turn.

use agui_runtime::model::{Reply, ToolChoice};

use crate::clerk::{Talk, price, shop_input, talk_with};

/// A talk with one call, under a rule.
fn talk(choice: ToolChoice) -> Talk {
    let replies = [Reply::call("price", price { name: "rice".to_owned() }), Reply::text("It is 1.80.")];
    talk_with(replies, shop_input("Rice?"), move |chat| chat.tool_choice(choice.clone()))
}

fn read(talk: &Talk) -> Vec<&ToolChoice> {
    talk.prompts.iter().map(|prompt| &prompt.tool_choice).collect()
}

#[test]
fn a_forced_call_is_of_the_first_turn() {
    for choice in [ToolChoice::Tool("price".to_owned()), ToolChoice::Required, ToolChoice::Auto] {
        let talk = talk(choice.clone());
        assert_eq!(read(&talk), [&choice, &ToolChoice::Auto]);
        assert!(talk.end().starts_with("RUN_FINISHED"), "{}", talk.lines());
    }
}

#[test]
fn a_model_that_must_not_call_is_never_allowed_to() {
    assert_eq!(read(&talk(ToolChoice::Never)), [&ToolChoice::Never, &ToolChoice::Never]);
}

#[test]
fn a_tool_that_is_not_there_ends_the_run_before_the_model_is_asked() {
    let talk = talk(ToolChoice::Tool("prices".to_owned()));
    assert_eq!(talk.prompts, []);
    assert!(talk.end().contains("`prices`") && talk.end().contains("tool_not_offered"), "{}", talk.end());
}
