//! A frontend tool in a chat: the model calls it, the page answers, and the next run goes on with a turn of the model that reads
//! the call with its result.

use std::sync::Arc;

use agui_runtime::Server;
use agui_runtime::model::{AssistantPart, Model, Prompt, PromptMessage, Reply, ScriptedModel};
use agui_runtime::prelude::*;
use agui_tests::need;
use agui_tests::outside::{
    Chromium, Conversation, CopilotKit, Generation, Node, Turn, artefact, built, empty, generated,
};
use serde_json::{Value, json};

use crate::stored::agent;

/// Asks the person to pay.
#[tool(frontend)]
async fn checkout(total: u32) -> bool;

/// Sells things.
#[agent(tools = [checkout])]
async fn clerk(run: &mut Run<Clerk>, _: Input<Clerk>, model: &Model) -> Result<(), Stop> {
    run.chat(model).await
}

/// Pays by the declared tool, and paints by one that only the page knows.
fn reply(prompt: &Prompt) -> Reply {
    if let [answer, ..] = prompt.last_results() {
        return Reply::text(format!("The page said {} to {}.", answer.content.text(), answer.tool));
    }
    let wishes = prompt.messages.iter().rev().find_map(|message| match message {
        PromptMessage::User(parts) => Some(format!("{parts:?}")),
        _ => None,
    });
    match wishes {
        Some(wish) if wish.contains("paint") => Reply::call("change_background", json!({ "colour": "red" })),
        _ => Reply::call("checkout", checkout { total: 180 }),
    }
}

/// The clerk at an address of its own, and its model.
fn serve() -> (String, Arc<ScriptedModel>) {
    let model = Arc::new(ScriptedModel::from_fn(reply));
    let clerk = Clerk::new(Arc::clone(&model).into());
    let url = crate::errors::serve(Server::new().agent("/", clerk), Arc::default());
    (format!("{url}/"), model)
}

/// The last turn read the call of a tool with its result, and no other turn was made after the answer.
fn assert_read(model: &ScriptedModel, tool: &str, result: &str) {
    let prompts = model.prompts();
    let read = &prompts.last().expect("the model was asked").messages;
    let [.., PromptMessage::Assistant(parts), PromptMessage::Tools(answers)] = read.as_slice() else {
        panic!("{read:#?}");
    };
    let calls: Vec<_> = parts
        .iter()
        .filter_map(|part| match part {
            AssistantPart::Call(call) => Some(call),
            _ => None,
        })
        .collect();
    let ([call], [answer]) = (calls.as_slice(), answers.as_slice()) else { panic!("{read:#?}") };
    assert_eq!((call.tool.as_str(), &call.id), (tool, &answer.id), "{read:#?}");
    assert!(!answer.failed && answer.content.text() == result, "{read:#?}");
    let turns_after = prompts.iter().filter(|prompt| !prompt.last_results().is_empty()).count();
    assert_eq!(turns_after, read.iter().filter(|message| matches!(message, PromptMessage::Tools(_))).count());
}

fn offer() -> Value {
    json!([
        { "name": "checkout", "description": "Asks the person to pay.", "parameters": { "type": "object" } },
        { "name": "change_background", "description": "Paints.", "parameters": { "type": "object" } },
    ])
}

#[test]
fn both_generations_of_the_official_client_answer() {
    let node = need!(Node::ready());
    for generation in Generation::ALL {
        let (url, model) = serve();
        let with = |turn: Turn| turn.with("tools", offer());
        let talk = Conversation::new(url, generation)
            .then(with(Turn::say("I want to pay.")))
            .then(with(Turn::answer("checkout", json!(true))))
            .then(with(Turn::say("Please paint it.")))
            .then(with(Turn::answer("change_background", json!("done"))));
        let report = node.converse(&talk);
        report.assert_clean();
        let [asked, paid, paints, painted] = report.turns.as_slice() else { panic!("{report:#?}") };
        let of_calls = |types: &[&str]| types.iter().filter(|of| of.starts_with("TOOL_CALL")).count();
        assert!(of_calls(&asked.types()) == 3 && of_calls(&paints.types()) == 3, "{report:#?}");
        assert_eq!((asked.said().as_str(), paid.said().as_str()), ("", "The page said true to checkout."));
        assert_eq!(painted.said(), "The page said done to change_background.");
        assert_eq!((of_calls(&paid.types()), of_calls(&painted.types())), (0, 0));
        assert_read(&model, "change_background", "done");
        assert_eq!(model.prompts().len(), 4, "{generation:?}");
    }
}

#[test]
fn the_page_of_copilotkit_answers() {
    let copilotkit = need!(CopilotKit::ready());
    let chromium = need!(Chromium::ready());
    for (said, presses, tool, result) in [
        ("I want to pay.", vec!["Pay"], "checkout", "true"),
        ("Please paint it.", vec![], "change_background", "done"),
    ] {
        let (url, model) = serve();
        let server = copilotkit.serve_page([("clerk".to_owned(), json!({ "url": url }))], "page.jsx");
        let page = json!({
            "agent": "clerk", "says": [said], "presses": presses, "state": {},
            "shows": [said, format!("The page said {result} to {tool}.")],
            "picture": artefact(&format!("copilotkit-frontend-{tool}.png")),
        });
        let job = json!({ "pages": [page] });
        let name = format!("copilotkit-frontend-{tool}");
        chromium.browse(&name, "copilotkit.mjs", &format!("{}/", server.url()), &job).assert_ok();
        assert_read(&model, tool, result);
        assert_eq!(model.prompts().len(), 2, "{tool}");
    }
}

/// The generated hooks of a frontend tool, over the routes that the agent's server has for CopilotKit's pages.
#[test]
fn the_generated_hooks_answer_over_the_server_alone() {
    let copilotkit = need!(CopilotKit::ready());
    let chromium = need!(Chromium::ready());
    let name = "copilotkit-painter";
    let folder = empty(name);
    let generated = generated(&built("stored_desk"), &folder);
    let painter = agent(&folder, "0");
    let files = copilotkit.serve_page_with([], "painter.jsx", &generated, Generation::Legacy);
    let runtime = format!("{}/api/copilotkit", painter.url());
    let job = json!({ "runtime": runtime, "picture": artefact(&format!("{name}.png")) });
    // The driver opens this address before the script opens its own.
    let url = format!("{}/?runtime={runtime}", files.url());
    chromium.browse(name, "copilotkit-painter.mjs", &url, &job).assert_ok();
}
