//! The state of a called agent is a part of its parent's: one document, whose changes say who made them.

use std::collections::BTreeMap;
use std::future::poll_fn;
use std::sync::Arc;
use std::task::Poll;

use agui_runtime::Peer;
use agui_runtime::model::{Model, Reply, ScriptedModel};
use agui_runtime::prelude::*;
use agui_runtime::protocol::{Event, NonNull, RunAgentInput};
use agui_runtime::receive::{ReceivePipeline, Reducer};
use agui_runtime::state::StateError;
use agui_runtime::testing::{self, RunEnd};
use proptest::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// The sources that were found, with notes.
#[derive(State, Serialize, Deserialize, JsonSchema, Clone, Default, PartialEq, Debug)]
struct Findings {
    sources: Vec<String>,
    notes: BTreeMap<String, u32>,
    inner: Inner,
}

/// The part of a part.
#[derive(State, Serialize, Deserialize, JsonSchema, Clone, Default, PartialEq, Debug)]
struct Inner {
    words: Vec<String>,
}

/// An article on screen.
#[derive(State, Serialize, Deserialize, JsonSchema, Clone, Default, PartialEq, Debug)]
struct Article {
    title: String,
    findings: Findings,
    tags: Vec<String>,
}

impl AsMut<Findings> for Article {
    fn as_mut(&mut self) -> &mut Findings {
        &mut self.findings
    }
}

impl AsMut<Inner> for Findings {
    fn as_mut(&mut self) -> &mut Inner {
        &mut self.inner
    }
}

/// An edit of any of the three agents; each takes those that it can.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
enum Edit {
    Title(String),
    Tag(String),
    Source(String),
    NoSource,
    Note(String, u32),
    Word(String),
    Whole(Vec<String>),
}

impl Edit {
    fn article(&self, article: &mut Article) {
        match self {
            Self::Title(title) => article.title.clone_from(title),
            Self::Tag(tag) => article.tags.insert(0, tag.clone()),
            other => other.findings(&mut article.findings),
        }
    }

    fn findings(&self, findings: &mut Findings) {
        match self {
            Self::Source(source) => findings.sources.push(source.clone()),
            Self::NoSource => drop(findings.sources.pop()),
            Self::Note(name, number) => drop(findings.notes.insert(name.clone(), *number)),
            other => other.inner(&mut findings.inner),
        }
    }

    fn inner(&self, inner: &mut Inner) {
        match self {
            Self::Word(word) => inner.words.push(word.clone()),
            Self::Whole(words) => *inner = Inner { words: words.clone() },
            _ => {}
        }
    }
}

/// Lets the others come first, once.
async fn give_way() {
    let mut waited = false;
    poll_fn(|cx| {
        cx.waker().wake_by_ref();
        if std::mem::replace(&mut waited, true) { Poll::Ready(()) } else { Poll::Pending }
    })
    .await;
}

fn edits(input: &RunAgentInput) -> Vec<Edit> {
    let task = input.messages.last().map(|message| serde_json::to_value(message).unwrap()["content"].clone());
    serde_json::from_str(task.unwrap().as_str().unwrap()).unwrap()
}

/// Edits the innermost part.
#[agent(state = Inner)]
async fn speller(run: &mut Run<Speller>, input: Input<Speller>) -> Result<(), Stop> {
    let state = run.state().adopt_or_snapshot(&input).await?;
    for edit in edits(&input) {
        state.update(|inner| edit.inner(inner)).await?;
        give_way().await;
    }
    Ok(())
}

/// Edits the findings, and has the innermost part edited.
#[agent(state = Findings, tools = [Speller])]
async fn digger(run: &mut Run<Digger>, input: Input<Digger>, speller: &Arc<Speller>) -> Result<u32, Stop> {
    let state = run.state().adopt_or_snapshot(&input).await?;
    let all = edits(&input);
    for edit in &all {
        state.update(|findings| edit.findings(findings)).await?;
        give_way().await;
    }
    let mut call = run.open_call("speller").await?;
    call.push(json!({ "task": serde_json::to_string(&all)? }).to_string()).await;
    let done = run.dispatch(vec![call.end()?]).await;
    assert!(done.stop.is_none());
    Ok(state.read(|findings| findings.notes.len())?.try_into()?)
}

/// Edits the article.
#[tool]
async fn edit(article: &StateHandle<Article>, edits: Vec<Edit>) -> Result<(), StateError> {
    for edit in edits {
        article.update(|article| edit.article(article)).await?;
        give_way().await;
    }
    Ok(())
}

/// Writes an article.
#[agent(state = Article, tools = [edit, Digger])]
async fn author(
    run: &mut Run<Author>,
    input: Input<Author>,
    model: &Model,
    digger: &Arc<Digger>,
) -> Result<Article, Stop> {
    let state = run.state().adopt_or_snapshot(&input).await?;
    run.chat(model).await?;
    Ok(state.read(Article::clone)?)
}

/// One turn for each list of edits: the article is edited, while two diggers edit their part. Returns the events, the state
/// that a client then holds, and the state of the agent.
fn written(turns: &[Vec<Edit>], held: Value, is_legacy: bool) -> (Vec<Event>, Value, Value) {
    let dig = |edits: &[Edit]| json!({ "task": serde_json::to_string(edits).unwrap() });
    let turn = |edits: &Vec<Edit>| {
        let (early, late) = edits.split_at(edits.len() / 2);
        let reply = Reply::call("edit", json!({ "edits": edits }));
        reply.and_call("digger", dig(early)).and_call("digger", dig(late))
    };
    let replies: Vec<_> = turns.iter().map(turn).chain([Reply::text("Done.")]).collect();
    let digger = Arc::new(Digger::new(Arc::new(Speller::new())));
    let author = Author::new(ScriptedModel::new(replies).into(), digger);
    let mut input = testing::input("Go.").with_state(NonNull::new(held.clone()).unwrap());
    if is_legacy {
        input.protocol_version = None;
    }
    let options = testing::options().peer(if is_legacy { Peer::Legacy } else { Peer::CURRENT });
    let events = futures::executor::block_on(testing::run_with(author, input, options));
    let mut client = ReceivePipeline::new().with_reducer(Reducer::new().with_state(held));
    events.iter().for_each(|event| client.push(event.clone()));
    client.drain(|_, _, _| {}).expect("a legal stream");
    let RunEnd::Success { result: Some(result), .. } = testing::end(&events) else {
        panic!("{}", testing::lines(&events))
    };
    let (result, state) = (result.clone(), client.reducer().state().clone());
    (events, state, result)
}

/// The places that each author changed.
fn changed(events: &[Event]) -> Vec<(String, String)> {
    let mut changed = Vec::new();
    for event in events {
        let event = serde_json::to_value(event).unwrap();
        for operation in event["delta"].as_array().into_iter().flatten() {
            let author = event["subagentRunId"].as_str().unwrap_or("parent").to_owned();
            changed.push((author, operation["path"].as_str().unwrap().to_owned()));
        }
    }
    changed
}

#[test]
fn a_subagent_changes_its_part_of_the_state_and_says_so() {
    let turns =
        [vec![Edit::Source("a".repeat(40)), Edit::Title("Rice".to_owned()), Edit::Word("grain".to_owned())]];
    let (events, state, result) = written(&turns, json!({}), false);
    assert_eq!(state, result);
    let changed = changed(&events);
    let of_digger =
        |(author, path): &&(String, String)| author.starts_with("called-") && path.starts_with("/findings/");
    assert_eq!(
        changed.iter().filter(of_digger).count(),
        changed.iter().filter(|(author, _)| author != "parent").count()
    );
    assert!(changed.iter().filter(of_digger).count() >= 3, "{changed:?}");
    let of_state = |event: &&Event| matches!(event, Event::StateSnapshot(_) | Event::StateDelta(_));
    let first = serde_json::to_value(events.iter().find(of_state).unwrap()).unwrap();
    assert_eq!((first["type"].as_str(), first.get("subagentRunId")), (Some("STATE_SNAPSHOT"), None));
}

fn edit_of_any() -> impl Strategy<Value = Edit> {
    prop_oneof![
        "[a-z]{0,9}".prop_map(Edit::Title),
        "[a-z]{0,9}".prop_map(Edit::Tag),
        "[a-z]{0,30}".prop_map(Edit::Source),
        Just(Edit::NoSource),
        ("[a-c/~]{0,2}", 0..9_u32).prop_map(|(name, number)| Edit::Note(name, number)),
        "[a-z]{0,9}".prop_map(Edit::Word),
        prop::collection::vec("[a-z]{0,3}", 0..4).prop_map(Edit::Whole),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn a_client_holds_exactly_the_state_of_parent_and_subagents(
        turns in prop::collection::vec(prop::collection::vec(edit_of_any(), 0..8), 1..3),
        is_held in any::<bool>(),
        is_legacy in any::<bool>(),
    ) {
        let held = if is_held { serde_json::to_value(Article::default()).unwrap() } else { json!({}) };
        let (events, state, result) = written(&turns, held, is_legacy);
        prop_assert_eq!(state, result, "{}", testing::lines(&events));
    }
}

/// Digs without a baseline of its own.
#[agent(state = Article, tools = [Digger])]
async fn careless(
    run: &mut Run<Careless>,
    _: Input<Careless>,
    model: &Model,
    digger: &Arc<Digger>,
) -> Result<(), Stop> {
    run.chat(model).await
}

#[test]
fn a_part_of_a_state_without_a_baseline_has_none() {
    let dig = Reply::call("digger", json!({ "task": "[]" }));
    let digger = Arc::new(Digger::new(Arc::new(Speller::new())));
    let agent = Careless::new(ScriptedModel::new([dig, Reply::text("Sorry.")]).into(), digger);
    let events = futures::executor::block_on(testing::run(agent, testing::input("Go.")));
    let lines = testing::lines(&events);
    assert!(lines.contains("SUBAGENT_ERROR") && !lines.contains("STATE_"), "{lines}");
}

/// Patches its part of the state by hand, once rightly and once with a member that the type does not have.
#[agent(state = Findings)]
async fn patcher(run: &mut Run<Patcher>, input: Input<Patcher>) -> Result<(), Stop> {
    let findings = run.state().adopt_or_snapshot(&input).await?;
    let operations = |json: Value| -> Vec<agui_runtime::protocol::PatchOperation> {
        serde_json::from_value(json).unwrap()
    };
    findings.patch(operations(json!([{ "op": "add", "path": "/sources/-", "value": "a book" }]))).await?;
    let unknown = operations(json!([{ "op": "add", "path": "/colour", "value": "red" }]));
    assert!(matches!(findings.patch(unknown).await, Err(StateError::OtherDocument)));
    Ok(())
}

/// Has a part for the patcher.
#[agent(state = Article, tools = [Patcher])]
async fn publisher(
    run: &mut Run<Publisher>,
    input: Input<Publisher>,
    model: &Model,
    patcher: &Arc<Patcher>,
) -> Result<(), Stop> {
    run.state().adopt_or_snapshot(&input).await?;
    run.chat(model).await
}

#[test]
fn operations_by_hand_are_relative_to_the_part_and_add_no_unknown_member() {
    let script = [Reply::call("patcher", json!({ "task": "Patch." })), Reply::text("Done.")];
    let publisher = Publisher::new(ScriptedModel::new(script).into(), Arc::new(Patcher::new()));
    let events = futures::executor::block_on(testing::run(publisher, testing::input("Go.")));
    let lines = testing::lines(&events);
    assert!(matches!(testing::end(&events), RunEnd::Success { .. }), "{lines}");
    assert!(
        lines.contains("SUBAGENT_FINISHED") && lines.contains("a book") && !lines.contains("colour"),
        "{lines}"
    );
}
