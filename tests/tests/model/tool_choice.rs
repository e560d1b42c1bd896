//! The rule for calls: what the model reads in each turn.

use agui_runtime::model::{PromptMessage, Reply, ToolChoice};
use agui_runtime::protocol::Event;

use crate::clerk::{Talk, checkout, price, shop_input, talk_with};

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

/// The names of the tools in each prompt.
fn tools(talk: &Talk) -> Vec<Vec<&str>> {
    talk.prompts.iter().map(|prompt| prompt.tools.iter().map(|tool| &*tool.name).collect()).collect()
}

#[test]
fn each_turn_has_the_tools_that_the_program_chooses() {
    let replies = [
        Reply::call("price", price { name: "rice".to_owned() }),
        Reply::call("price", price { name: "salt".to_owned() }),
        Reply::text("It is 1.80."),
    ];
    let talk = talk_with(replies, shop_input("Rice?"), |chat| {
        chat.choose_tools(|turn| match turn.number() {
            1 => {
                assert_eq!(turn.names().collect::<Vec<_>>(), ["price", "checkout", "search"]);
                turn.hide::<checkout>();
                turn.hide_named("search");
                turn.choose(ToolChoice::Required);
                assert_eq!(turn.names().collect::<Vec<_>>(), ["price"]);
            }
            2 => {
                assert_eq!(turn.prompt().messages.len(), 3, "the result of the first turn");
                turn.keep(|name| name == "search");
                turn.choose(ToolChoice::Never);
            }
            _ => {}
        })
    });
    assert_eq!(tools(&talk), [vec!["price"], vec!["search"], vec!["price", "checkout", "search"]]);
    assert_eq!(read(&talk), [&ToolChoice::Required, &ToolChoice::Never, &ToolChoice::Auto]);
    // The second call is to a hidden tool: nothing runs, and the model reads why.
    let PromptMessage::Tools(results) = talk.last_read().last().unwrap() else {
        panic!("{:?}", talk.last_read())
    };
    assert_eq!(results[0].content.text(), r#"{"error":"there is no tool `price`; there is: `search`"}"#);
    let calls = talk.events.iter().filter(|event| matches!(event, Event::ToolCallStart(_))).count();
    assert_eq!(calls, 1, "{}", talk.lines());
}

#[test]
fn a_choice_for_one_turn_leaves_the_rule_of_the_chat() {
    let replies = [Reply::call("price", price { name: "rice".to_owned() }), Reply::text("It is 1.80.")];
    let talk = talk_with(replies, shop_input("Rice?"), |chat| {
        chat.tool_choice(ToolChoice::Never).choose_tools(|turn| {
            if turn.number() == 1 {
                turn.choose(ToolChoice::Tool("price".to_owned()));
            }
        })
    });
    assert_eq!(read(&talk), [&ToolChoice::Tool("price".to_owned()), &ToolChoice::Never]);
}

#[test]
fn a_turn_that_forces_a_hidden_tool_ends_the_run() {
    let talk = talk_with([Reply::text("Hm.")], shop_input("Rice?"), |chat| {
        chat.choose_tools(|turn| {
            turn.hide::<price>();
            turn.choose(ToolChoice::Tool("price".to_owned()));
        })
    });
    assert_eq!(talk.prompts, []);
    assert!(talk.end().contains("`price`") && talk.end().contains("tool_not_offered"), "{}", talk.end());
}
