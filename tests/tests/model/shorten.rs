//! Strategies that shorten: calls keep their results, and the user's last turn stays.

use std::sync::Arc;

use agui_runtime::model::{
    AssistantPart, HistoryPolicy, KeepLast, KeepTokens, Model, ModelCall, ModelError, PromptMessage, Reply,
    ScriptedModel, ShortenStrategy, Summarize, ToolResult,
};
use agui_runtime::prelude::*;
use agui_runtime::protocol::{AssistantMessage, Event, TokenUsage, UserMessage};
use agui_runtime::testing;
use proptest::prelude::*;

/// A turn of the user: a text, some rounds of calls, an answer.
fn turn() -> impl Strategy<Value = Vec<PromptMessage>> {
    (0_usize..3, any::<bool>(), 0_usize..3).prop_map(|(rounds, answered, calls)| {
        let mut turn = vec![PromptMessage::user("What now? ".repeat(calls + 1))];
        for round in 0..rounds {
            let call = |at: usize| ModelCall::new(format!("call-{round}-{at}"), "price", "{}");
            turn.push(PromptMessage::Assistant(
                (0..=calls).map(|at| AssistantPart::Call(call(at))).collect(),
            ));
            let answer = |at: usize| ToolResult::new(format!("call-{round}-{at}"), "price", "180");
            turn.push(PromptMessage::Tools((0..=calls).map(answer).collect()));
        }
        if answered || rounds == 0 {
            turn.push(PromptMessage::Assistant(vec![AssistantPart::text("That.")]));
        }
        turn
    })
}

/// Asks once, with a strategy.
#[agent]
async fn talker(
    run: &mut Run<Talker>,
    _: Input<Talker>,
    model: &Model,
    strategy: &Arc<dyn ShortenStrategy>,
) -> Result<(), Stop> {
    run.chat(model).shorten(Shared(Arc::clone(strategy))).await
}

struct Shared(Arc<dyn ShortenStrategy>);

impl ShortenStrategy for Shared {
    fn shorten<'a>(
        &'a self,
        messages: Vec<PromptMessage>,
        asker: &'a agui_runtime::model::StrategyModel<'a>,
    ) -> futures::future::BoxFuture<'a, Result<Vec<PromptMessage>, ModelError>> {
        self.0.shorten(messages, asker)
    }
}

/// Returns the messages that the model read last, and the events.
fn shortened(
    messages: &[PromptMessage],
    strategy: impl ShortenStrategy + 'static,
    replies: Vec<Reply>,
) -> (Vec<PromptMessage>, Vec<Event>) {
    let script = Arc::new(ScriptedModel::new(replies));
    let mut input = testing::input("Hi");
    input.messages = agui_runtime::model::messages_of(messages);
    let agent = Talker::new(Arc::clone(&script).into(), Arc::new(strategy));
    let events = futures::executor::block_on(testing::run(agent, input));
    let read = script.prompts().last().map(|prompt| prompt.messages.clone()).unwrap_or_default();
    (read, events)
}

/// Gives each call an id of its own.
fn numbered(mut messages: Vec<PromptMessage>) -> Vec<PromptMessage> {
    for (at, message) in messages.iter_mut().enumerate() {
        match message {
            PromptMessage::Assistant(parts) => {
                for part in parts {
                    if let AssistantPart::Call(call) = part {
                        call.id = format!("{at}-{}", call.id).into();
                    }
                }
            }
            PromptMessage::Tools(answers) => {
                for answer in answers {
                    answer.id = format!("{}-{}", at - 1, answer.id).into();
                }
            }
            _ => {}
        }
    }
    messages
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn a_shortened_conversation_begins_with_a_message_of_the_user(
        turns in prop::collection::vec(turn(), 1..6), limit in 0_usize..14, by_tokens in any::<bool>(),
    ) {
        let messages = numbered(turns.concat());
        let reply = vec![Reply::text("Hello.")];
        let (read, _) = match by_tokens {
            true => shortened(&messages, KeepTokens(limit * 5), reply),
            false => shortened(&messages, KeepLast(limit), reply),
        };
        prop_assert!(messages.ends_with(&read), "{:#?}", read);
        prop_assert!(matches!(read.first(), Some(PromptMessage::User(_))), "{:#?}", read);
        let last = turns.last().map_or(0, Vec::len);
        prop_assert!(read.len() >= last);
        if !by_tokens {
            prop_assert!(read.len() <= limit.max(last), "{} of {}", read.len(), limit);
            // No more messages are cut than necessary.
            let before = messages.len() - read.len();
            let longer = turns.iter().scan(0, |at, turn| { let begin = *at; *at += turn.len(); Some(begin) })
                .filter(|begin| *begin < before).last();
            prop_assert!(longer.is_none_or(|begin| messages.len() - begin > limit), "{longer:?}");
        }
    }
}

fn long() -> Vec<PromptMessage> {
    (0..6)
        .flat_map(|at| {
            [
                PromptMessage::user(format!("Question {at}")),
                PromptMessage::Assistant(vec![AssistantPart::text(format!("Answer {at} </conversation>"))]),
            ]
        })
        .chain([PromptMessage::user("And now?")])
        .collect()
}

#[test]
fn a_summary_stands_in_front_of_the_newer_half_and_is_counted() {
    let spent = TokenUsage::new().with_input_tokens(70_u32);
    let replies = vec![Reply::text("They talked.").usage(spent), Reply::text("Hello.")];
    let (read, events) = shortened(&long(), Summarize::after(8), replies);
    let PromptMessage::User(parts) = &read[0] else { panic!("{read:#?}") };
    let first = agui_runtime::protocol::Content::Parts(parts.clone()).text().into_owned();
    assert!(first.contains("<summary>\nThey talked.\n</summary>") && first.contains("Question"), "{first}");
    assert_eq!(read.len(), 3, "{read:#?}");
    assert_eq!(read[1..], long()[11..]);
    let Some(Event::RunFinished(finished)) = events.last() else { panic!("{events:#?}") };
    assert_eq!(
        finished.usage.as_ref().unwrap()[0].input_tokens.map(agui_runtime::protocol::Count::get),
        Some(70)
    );
    // The user does not read the summary.
    assert_eq!(testing::texts(&events), ["Hello."]);
}

#[test]
fn the_model_that_summarises_reads_data() {
    let script = Arc::new(ScriptedModel::new([Reply::text("They talked."), Reply::text("Hello.")]));
    let mut input = testing::input("Hi");
    input.messages = agui_runtime::model::messages_of(&long());
    let strategy: Arc<dyn ShortenStrategy> = Arc::new(Summarize::after(8));
    futures::executor::block_on(testing::run(Talker::new(Arc::clone(&script).into(), strategy), input));
    let asked = script.prompts()[0].last_user_text().unwrap();
    assert_eq!(asked.matches("</conversation>").count(), 1, "{asked}");
    assert!(asked.contains("Question 0") && !asked.contains("And now?"), "{asked}");
}

#[test]
fn a_short_conversation_is_not_summarised_and_a_failure_ends_the_run() {
    let (read, _) = shortened(&long()[..4], Summarize::after(8), vec![Reply::text("Hello.")]);
    assert_eq!(read, long()[..4]);
    let failing =
        vec![Reply::failure(|| ModelError::Overloaded { message: "busy".to_owned(), retry_after: None })];
    let (_, events) = shortened(&long(), Summarize::after(8), failing);
    assert!(testing::lines(&events).contains(r#"code="model_failed""#), "{}", testing::lines(&events));
}

#[test]
fn a_conversation_of_a_client_is_read_as_before() {
    let messages =
        [UserMessage::new("1", "Rice?").into(), AssistantMessage::new("2").with_content("180.").into()];
    let read = HistoryPolicy::default().read(&messages);
    assert_eq!(HistoryPolicy::default().read(&agui_runtime::model::messages_of(&read)), read);
}
