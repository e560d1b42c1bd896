//! Prompt caches of providers: the beginning of a prompt has the same bytes in each turn and in each run.

use agui_runtime::model::Model;
use agui_runtime::prelude::*;
use agui_runtime::protocol::{Event, Message, RunAgentInput, UserMessage};
use agui_runtime::provider::{CacheLifetime, ModelOptions, PromptCache};
use agui_runtime::receive::{ReceivePipeline, Reducer};
use agui_runtime::testing;
use serde_json::{Value, json};

use crate::frames::{Said, turn};
use crate::server::{Answer, DIALECTS, Server, prompt, quick, read};

/// Looks up what an ingredient costs, in cents.
#[tool]
async fn price(name: String, shop: Option<String>) -> u32 {
    u32::try_from(name.len() + shop.map_or(0, |shop| shop.len())).unwrap_or_default()
}

/// Lists the shops.
#[tool]
async fn shops() -> Vec<String> {
    vec!["north".to_owned(), "süd".to_owned()]
}

/// Tells prices.
#[agent(tools = [price, shops])]
async fn clerk(run: &mut Run<Clerk>, _: Input<Clerk>, model: &Model) -> Result<(), Stop> {
    run.chat(model).instructions("Be brief.").await
}

/// Returns the conversation as a client holds it after a run.
fn conversation(input: &RunAgentInput, events: Vec<Event>) -> Vec<Message> {
    let mut pipeline =
        ReceivePipeline::new().with_reducer(Reducer::new().with_messages(input.messages.clone()));
    for event in events {
        pipeline.push(event);
    }
    pipeline.drain(|_, _, _| {}).expect("a legal stream");
    pipeline.reducer().messages().to_vec()
}

/// The members of a request with the conversation, and with what stands before the conversation.
fn parts(mut body: Value) -> (Vec<String>, String) {
    without_marks(&mut body);
    let Value::Object(mut members) = body else { panic!("{body}") };
    let conversation = ["messages", "input", "contents"].iter().find_map(|name| members.remove(*name));
    let entries = conversation.as_ref().and_then(Value::as_array).unwrap().iter();
    (entries.map(Value::to_string).collect(), Value::Object(members).to_string())
}

/// Removes Anthropic's breakpoints, which stand at the end of each prompt and are no part of the cached text.
pub(crate) fn without_marks(value: &mut Value) {
    match value {
        Value::Object(members) => {
            members.remove("cache_control");
            members.values_mut().for_each(without_marks);
        }
        Value::Array(items) => items.iter_mut().for_each(without_marks),
        _ => {}
    }
}

#[test]
fn a_prompt_begins_with_the_prompt_of_the_turn_before() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    for dialect in DIALECTS {
        let calls = |said: &str, id: &str| {
            let arguments = [r#"{"shop": null, "na"#, r#"me":"r\u00efce"}"#].map(str::to_owned);
            Answer::frames(turn(
                dialect,
                &[
                    Said::Text(said.into()),
                    Said::Call(format!("{id}_1"), "price".into(), arguments.to_vec()),
                    Said::Call(format!("{id}_2"), "shops".into(), vec!["{}".into()]),
                ],
            ))
        };
        let tells = |text: &str| Answer::frames(turn(dialect, &[Said::Text(text.into())]));
        let thinks = turn(
            dialect,
            &[
                Said::Reasoning("Hm.".into(), Some("c2VjcmV0".into())),
                Said::Call("call_3_1".into(), "shops".into(), vec!["{}".into()]),
            ],
        );
        let answers = [
            calls("Let me look.", "call_1"),
            tells("It is 4."),
            calls("", "call_2"),
            tells("Still 4."),
            Answer::frames(thinks),
            tells("Two."),
        ];
        let server = Server::start(answers);
        let mut input = testing::input("Rice?");
        for question in ["And salt?", "Which shops?", "The end."] {
            let agent = Clerk::new(server.model(dialect).into());
            let events = runtime.block_on(testing::run(agent, input.clone()));
            let mut messages = conversation(&input, events);
            messages.push(UserMessage::new(question, question).into());
            input = RunAgentInput::new("t", question, messages);
        }
        let requests: Vec<_> = server.requests().into_iter().map(|(_, body)| parts(body)).collect();
        assert_eq!(requests.len(), 6, "{dialect}");
        for pair in requests.windows(2) {
            let [(before, fixed), (after, fixed_after)] = pair else { unreachable!() };
            assert_eq!(fixed, fixed_after, "{dialect}");
            assert_eq!(after.get(..before.len()), Some(&**before), "{dialect}");
        }
    }
}

#[test]
fn the_program_says_what_is_stable_and_for_how_long() {
    let sent = |dialect: &str, cache: PromptCache| {
        let server = Server::start([Answer::frames(turn(dialect, &[Said::Text("Hi".into())]))]);
        let options = ModelOptions { cache, ..quick() };
        let asked = prompt().with_instructions("Be brief.");
        let read = read(&server.model(dialect).options(options), &asked);
        assert!(read.error.is_none(), "{read:?}");
        server.body()
    };
    let stable = PromptCache { conversation: false, lifetime: CacheLifetime::Hour, ..PromptCache::default() };
    let body = sent("anthropic:m", stable);
    assert_eq!(body["system"][0]["cache_control"], json!({ "type": "ephemeral", "ttl": "1h" }));
    assert_eq!(body["messages"][0]["content"][0].get("cache_control"), None);
    let body = sent("anthropic:m", PromptCache::default());
    assert_eq!(body["messages"][0]["content"][0]["cache_control"], json!({ "type": "ephemeral" }));

    let day =
        PromptCache { lifetime: CacheLifetime::Day, key: Some("desk".into()), ..PromptCache::default() };
    for dialect in ["openai:m", "openai-chat:m"] {
        let body = sent(dialect, day.clone());
        assert_eq!(
            (&body["prompt_cache_key"], &body["prompt_cache_retention"]),
            (&json!("desk"), &json!("24h"))
        );
        // Servers that imitate OpenAI may refuse members that they do not know.
        let body = sent(dialect, PromptCache::default());
        assert!(body.get("prompt_cache_key").is_none() && body.get("prompt_cache_retention").is_none());
    }
}
