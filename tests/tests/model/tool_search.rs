//! Tool search: what the model reads, what the page sees, and the order of the tools.

use agui_runtime::model::{DynTool, Prompt, Reply, ToolChoice, ToolSearch};
use agui_runtime::protocol::{
    AssistantMessage, FunctionCall, Message, Tool as ClientTool, ToolCall, ToolMessage, UserMessage,
};
use serde_json::{Value, json};

use crate::clerk::{Talk, checkout, price, shop_input, talk_with};

fn find(names: &[&str]) -> Reply {
    Reply::call("agui_find_tools", json!({ "names": names }))
}

/// The names of the tools in each prompt.
fn tools(talk: &Talk) -> Vec<Vec<&str>> {
    talk.prompts.iter().map(|prompt| prompt.tools.iter().map(|tool| &*tool.name).collect()).collect()
}

fn searcher(prompt: &Prompt) -> &Value {
    &prompt.tools.iter().find(|tool| tool.name == "agui_find_tools").unwrap().parameters
}

#[test]
fn a_found_tool_is_behind_the_others_and_the_page_sees_only_its_call() {
    let replies = [
        find(&["search", "price"]),
        Reply::call("price", price { name: "rice".to_owned() }),
        find(&["checkout"]),
        Reply::text("It is 1.80."),
    ];
    let talk = talk_with(replies, shop_input("Rice?"), |chat| chat.search_tools(ToolSearch::new()));
    let find_tools = "agui_find_tools";
    assert_eq!(
        tools(&talk),
        [
            vec![find_tools],
            vec![find_tools, "price", "search"],
            vec![find_tools, "price", "search"],
            vec![find_tools, "price", "search", "checkout"],
        ]
    );
    // The beginning of the list has the same bytes in each turn.
    for pair in talk.prompts.windows(2) {
        assert_eq!(pair[0].tools[..], pair[1].tools[..pair[0].tools.len()]);
        assert_eq!(pair[0].deferred_tools, pair[1].deferred_tools);
        assert_eq!(pair[0].messages[..], pair[1].messages[..pair[0].messages.len()]);
    }
    let list = searcher(&talk.prompts[0])["properties"]["names"]["description"].as_str().unwrap();
    assert!(list.contains("\nprice: Looks up what an ingredient costs, in cents."), "{list}");
    let [result] = talk.prompts[1].last_results() else { panic!("{:#?}", talk.prompts[1]) };
    assert_eq!(
        (&*result.tool, &result.found_tools[..], result.failed),
        (find_tools, &["price".to_owned(), "search".to_owned()][..], false)
    );
    let content: Value = result.value().unwrap();
    assert_eq!(content["tools"][0]["parameters"]["properties"]["name"]["type"], "string");
    assert!(!talk.lines().contains(find_tools), "{}", talk.lines());
    assert_eq!(talk.lines().matches("TOOL_CALL_START").count(), 1, "{}", talk.lines());
    assert!(talk.lines().contains("180"));
}

#[test]
fn kept_tools_need_no_search_and_no_search_is_there_if_all_are_kept() {
    let replies = [Reply::call("price", price { name: "rice".to_owned() }), Reply::text("It is 1.80.")];
    let talk = talk_with(replies.clone(), shop_input("Rice?"), |chat| {
        chat.search_tools(ToolSearch::new().keep::<price>().keep_named("search"))
    });
    // The call makes no difference: the tool was there.
    assert_eq!(
        tools(&talk),
        [["price", "search", "agui_find_tools"], ["price", "search", "agui_find_tools"]]
    );
    let all = talk_with(replies, shop_input("Rice?"), |chat| {
        chat.search_tools(ToolSearch::new().keep::<price>().keep::<checkout>().keep_named("search"))
    });
    assert_eq!(tools(&all)[0], ["price", "checkout", "search"]);
}

#[test]
fn a_tool_that_is_not_loaded_cannot_be_called() {
    let replies = [
        Reply::call("price", price { name: "rice".to_owned() }),
        find(&["prices"]),
        find(&["price"]).and_call("price", price { name: "rice".to_owned() }),
    ];
    let talk = talk_with(replies, shop_input("Rice?"), |chat| chat.search_tools(ToolSearch::new()));
    assert!(talk.end().contains("max_bad_calls"), "{}", talk.end());
    let reasons: Vec<_> =
        talk.prompts.iter().flat_map(Prompt::last_results).map(|result| result.error().unwrap()).collect();
    assert!(
        reasons[0].contains("`price` is not loaded") && reasons[0].contains("agui_find_tools"),
        "{reasons:?}"
    );
    assert!(reasons[1].contains("no tool has the name `prices`"), "{reasons:?}");
    assert!(!talk.lines().contains("TOOL_CALL_START"), "{}", talk.lines());
}

#[test]
fn a_search_beside_a_call_answers_both() {
    let both = Reply::call("price", price { name: "rice".to_owned() });
    let replies = [both.and_call("agui_find_tools", json!({ "names": ["checkout"] })), Reply::text("Done.")];
    let talk =
        talk_with(replies, shop_input("Rice?"), |chat| chat.search_tools(ToolSearch::new().keep::<price>()));
    let results: Vec<_> = talk.prompts[1].last_results().iter().map(|result| &*result.tool).collect();
    assert_eq!(results, ["price", "agui_find_tools"]);
    assert_eq!(tools(&talk)[1], ["price", "agui_find_tools", "checkout"]);
}

fn sensors() -> Vec<DynTool<'static>> {
    let sensor = |number: u32| {
        let about = format!("Reads sensor {number} in room {}.", number % 7);
        let read = move |_: Value| async move { Ok::<_, agui_runtime::Stop>(number) };
        DynTool::new(format!("sensor_{number}"), about, json!({ "type": "object" }), read).unwrap()
    };
    (0..300).map(sensor).collect()
}

#[test]
fn too_many_tools_are_searched_by_words() {
    let replies = [
        Reply::call("agui_find_tools", json!({ "words": "sensor 217" })),
        Reply::call("sensor_217", json!({})),
        Reply::text("217."),
    ];
    let talk = talk_with(replies, shop_input("217?"), |chat| {
        chat.tools(sensors()).search_tools(ToolSearch::new().most_results(1))
    });
    assert_eq!(
        tools(&talk),
        [
            vec!["agui_find_tools"],
            vec!["agui_find_tools", "sensor_217"],
            vec!["agui_find_tools", "sensor_217"]
        ]
    );
    let searcher = talk.prompts[0].tools[0].clone();
    assert!(searcher.parameters.to_string().len() < 300, "{}", searcher.parameters);
    assert!(talk.lines().contains("sensor_217") && talk.lines().contains("217."), "{}", talk.lines());
    assert_eq!(talk.prompts[0].deferred_tools.len(), 303);
}

#[test]
fn tools_that_the_conversation_calls_or_the_run_forces_are_there() {
    let call = ToolCall::new("call-1", FunctionCall::new("price", r#"{"name":"salt"}"#));
    let messages: Vec<Message> = vec![
        UserMessage::new("1", "Salt?").into(),
        AssistantMessage::new("2").with_tool_calls([call]).into(),
        ToolMessage::new("3", "90", "call-1").into(),
        UserMessage::new("4", "Rice?").into(),
    ];
    let mut input = shop_input("Rice?");
    input.messages = messages;
    let talk = talk_with([find(&["checkout"]), Reply::text("It is 1.80.")], input, |chat| {
        chat.search_tools(ToolSearch::new())
    });
    assert_eq!(
        tools(&talk),
        [vec!["agui_find_tools", "price"], vec!["agui_find_tools", "price", "checkout"]]
    );
    // The list is the same as in a conversation without calls, and so is the cached beginning.
    let list = searcher(&talk.prompts[0])["properties"]["names"]["description"].as_str().unwrap();
    assert!(list.contains("\nprice: "), "{list}");
    let replies = [Reply::call("price", price { name: "rice".to_owned() }), Reply::text("It is 1.80.")];
    let forced = talk_with(replies, shop_input("Rice?"), |chat| {
        chat.search_tools(ToolSearch::new()).tool_choice(ToolChoice::Tool("price".to_owned()))
    });
    assert_eq!(tools(&forced)[0], ["agui_find_tools", "price"]);
    assert!(forced.end().starts_with("RUN_FINISHED"), "{}", forced.end());
}

#[test]
fn a_hidden_tool_is_not_found_and_hooks_do_not_see_searches() {
    let replies = [find(&["price"]), find(&["checkout"]), Reply::text("Done.")];
    let talk = talk_with(replies, shop_input("Rice?"), |chat| {
        chat.search_tools(ToolSearch::new())
            .choose_tools(|turn| {
                turn.hide::<price>();
            })
            .before_tool(|call| panic!("{call:?}"))
            .after_tool(|call| panic!("{call:?}"))
    });
    assert!(talk.prompts[1].last_results()[0].failed);
    assert_eq!(tools(&talk)[2], ["agui_find_tools", "checkout"]);
}

/// A found tool is loaded in the next run because the conversation has its call: the beginning of the prompt is another one there.
#[test]
fn a_called_tool_is_loaded_from_the_next_run_on() {
    let call = || Reply::call("price", price { name: "rice".to_owned() });
    let first =
        talk_with([find(&["price"]), call(), Reply::text("It is 1.80.")], shop_input("Rice?"), |chat| {
            chat.search_tools(ToolSearch::new())
        });
    let deferred = |prompt: &Prompt| -> Vec<String> {
        prompt.deferred_tools.iter().map(|tool| tool.name.clone()).collect()
    };
    let mut input = shop_input("Salt?");
    input.messages = vec![
        UserMessage::new("1", "Rice?").into(),
        AssistantMessage::new("2")
            .with_tool_calls([ToolCall::new("call-1", FunctionCall::new("price", r#"{"name":"rice"}"#))])
            .into(),
        ToolMessage::new("3", "180", "call-1").into(),
        AssistantMessage::new("4").with_content("It is 1.80.").into(),
        UserMessage::new("5", "Salt?").into(),
    ];
    let second =
        talk_with([call(), Reply::text("It is 0.90.")], input, |chat| chat.search_tools(ToolSearch::new()));
    assert!(first.prompts.iter().all(|prompt| deferred(prompt).contains(&"price".to_owned())));
    assert!(second.prompts.iter().all(|prompt| !deferred(prompt).contains(&"price".to_owned())));
    assert_eq!(
        (tools(&first)[0].clone(), tools(&second)[0].clone()),
        (vec!["agui_find_tools"], vec!["agui_find_tools", "price"])
    );
    // Within each run the beginning stays, and the list at the search is the same in both.
    for talk in [&first, &second] {
        for pair in talk.prompts.windows(2) {
            assert_eq!(pair[0].tools[..], pair[1].tools[..pair[0].tools.len()]);
            assert_eq!(pair[0].deferred_tools, pair[1].deferred_tools);
        }
    }
    assert_eq!(searcher(&first.prompts[0]), searcher(&second.prompts[0]));
}

#[test]
fn a_clients_tool_with_a_reserved_name_does_not_break_the_search() {
    let input = shop_input("Rice?").with_tools([ClientTool::new("agui_find_tools", "Is not the search.")]);
    let replies = [
        find(&["price"]),
        Reply::call("price", price { name: "rice".to_owned() }),
        Reply::text("It is 1.80."),
    ];
    let talk = talk_with(replies, input, |chat| chat.search_tools(ToolSearch::new()));
    assert_eq!(tools(&talk)[1], ["agui_find_tools", "price"]);
    assert!(!searcher(&talk.prompts[0]).to_string().contains("not the search"));
    assert!(talk.end().starts_with("RUN_FINISHED"), "{}", talk.end());
}
