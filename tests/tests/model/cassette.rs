//! A conversation that was recorded plays without its model, and only with the same prompts.

use std::path::PathBuf;
use std::sync::Arc;

use agui_runtime::model::{
    CallDelta, ChatModel, EndReason, Model, ModelError, ModelRecorder, Prompt, PromptMessage, Reply,
    ReplyDelta, ScriptedModel,
};
use agui_runtime::protocol::{Event, TokenUsage};
use agui_runtime::testing;
use futures::StreamExt as _;
use futures::executor::block_on;

use crate::clerk::{Clerk, Settings, price, shop_input};

struct Cassette(PathBuf);

impl Cassette {
    fn new(name: &str) -> Self {
        Self(std::env::temp_dir().join(format!("agui-{name}-{}.jsonl", std::process::id())))
    }
}

impl Drop for Cassette {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

fn talk(model: impl Into<Model>, said: &str) -> Vec<Event> {
    let settings = Settings(Box::new(|chat| chat));
    block_on(testing::run(Clerk::new(model.into(), settings), shop_input(said)))
}

fn script() -> ScriptedModel {
    let signed = vec![
        ReplyDelta::Reasoning("Hm.".into()),
        ReplyDelta::EncryptedReasoning("c2ln".into()),
        ReplyDelta::Call(CallDelta::new(0).with_tool("price").with_arguments(r#"{"name":"rice"}"#)),
        ReplyDelta::Usage(TokenUsage::new().with_input_tokens(41_u32)),
        ReplyDelta::End(EndReason::Stop),
    ];
    ScriptedModel::new([
        Reply::deltas(signed),
        Reply::call("price", price { name: "salt".into() }),
        Reply::text("270."),
    ])
    .pieces(3)
}

#[test]
fn a_recorded_conversation_plays_the_same() {
    let cassette = Cassette::new("same");
    let recorded = talk(ModelRecorder::new(script(), &cassette.0).unwrap(), "Rice?");
    let text = std::fs::read_to_string(&cassette.0).unwrap();
    assert_eq!(text.lines().count(), 3, "{text}");
    let played = talk(ScriptedModel::cassette(&cassette.0).unwrap(), "Rice?");
    // But for the provider's name.
    let lines = |events: &[Event]| testing::lines(events).replace(r#""model":"script","#, "");
    assert_eq!(lines(&recorded), lines(&played));
}

#[test]
fn another_prompt_is_named_with_its_first_difference() {
    let cassette = Cassette::new("other");
    talk(ModelRecorder::new(script(), &cassette.0).unwrap(), "Rice?");
    let player = ScriptedModel::cassette(&cassette.0).unwrap();
    let error = block_on(player.respond(&Prompt::new([PromptMessage::user("Salt?")])).next());
    let Some(Err(ModelError::OtherPrompt { number: 1, difference })) = error else { panic!("{error:?}") };
    assert!(difference.starts_with("part 1 was `user ") && difference.contains("Rice?"), "{difference}");
    assert!(difference.contains("and is `user ") && difference.ends_with("Salt?`"), "{difference}");
}

#[test]
fn failures_and_answers_without_an_end_are_recorded() {
    let cassette = Cassette::new("failures");
    let wait = Some(std::time::Duration::from_millis(1500));
    let script = ScriptedModel::new([
        Reply::text("Once")
            .fails(move || ModelError::RateLimited { message: "slow down".to_owned(), retry_after: wait }),
        Reply::text("Once").cut_off(),
        Reply::failure(|| ModelError::Refused { status: 404, message: "no such model".to_owned() }),
    ]);
    let recorder = ModelRecorder::new(script, &cassette.0).unwrap();
    let prompt = Prompt::new([PromptMessage::user("Rice?")]);
    let answers = |model: &dyn ChatModel| -> Vec<String> {
        (0..4).map(|_| format!("{:?}", block_on(model.respond(&prompt).collect::<Vec<_>>()))).collect()
    };
    let recorded = answers(&recorder);
    // The fourth has no answer in either; its number is the same.
    assert_eq!(recorded[..3], answers(&ScriptedModel::cassette(&cassette.0).unwrap())[..3]);
    assert!(recorded[0].contains("1.5s") && recorded[2].contains("404"), "{recorded:?}");
}

#[test]
fn an_answer_that_is_dropped_is_recorded_as_far_as_it_came() {
    let cassette = Cassette::new("dropped");
    let recorder =
        ModelRecorder::new(ScriptedModel::new([Reply::text("Once upon")]).pieces(4), &cassette.0).unwrap();
    let prompt = Prompt::new([]);
    block_on(async { drop(recorder.respond(&prompt).next().await) });
    let player = ScriptedModel::cassette(&cassette.0).unwrap();
    let played = block_on(player.respond(&prompt).collect::<Vec<_>>());
    assert!(matches!(&played[..], [Ok(ReplyDelta::Text(text))] if text == "Once"), "{played:?}");
}

#[test]
fn a_file_that_is_no_cassette_is_named_with_its_line() {
    let cassette = Cassette::new("wrong");
    std::fs::write(&cassette.0, "{\"prompt\":[],\"deltas\":[]}\n\nnonsense\n").unwrap();
    let error = ScriptedModel::cassette(&cassette.0).unwrap_err();
    assert!(error.to_string().starts_with("line 3 is not a line of a cassette"), "{error}");
}

/// Several runs may ask one recorder at a time: each answer is a line of its own.
#[test]
fn answers_side_by_side_are_lines_of_their_own() {
    let cassette = Cassette::new("side");
    let script = Arc::new(ScriptedModel::from_fn(|_| Reply::text("Hello!")).pieces(1));
    let recorder = ModelRecorder::new(script, &cassette.0).unwrap();
    let prompt = Prompt::new([]);
    block_on(async {
        let (mut one, mut other) = (recorder.respond(&prompt), recorder.respond(&prompt));
        loop {
            match futures::join!(one.next(), other.next()) {
                (None, None) => break,
                (one, other) => assert!(one.is_some() && other.is_some()),
            }
        }
    });
    assert_eq!(std::fs::read_to_string(&cassette.0).unwrap().lines().count(), 2);
}
