//! Lists of tools that change while a chat runs.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

use agui_runtime::model::{DynTool, Model, Reply, ScriptedModel, ToolSource};
use agui_runtime::prelude::*;
use agui_runtime::testing::{self, RunEnd};
use agui_tests::log::Log;
use futures::future::{BoxFuture, FutureExt as _};
use serde_json::json;

/// The lists that a source returns, one a turn; `Err` for a failure.
type Script = Arc<Mutex<VecDeque<Result<Option<Vec<&'static str>>, ()>>>>;

#[derive(Clone, Default)]
struct Scripted(Script);

impl Scripted {
    fn new(lists: impl IntoIterator<Item = Result<Option<Vec<&'static str>>, ()>>) -> Self {
        Self(Arc::new(Mutex::new(lists.into_iter().collect())))
    }
}

fn tool(name: &str) -> DynTool<'static> {
    DynTool::new(name, "Does.", json!({ "type": "object" }), async |_| Ok::<_, Stop>("done")).unwrap()
}

impl ToolSource for Scripted {
    fn changed_tools(&mut self) -> BoxFuture<'_, Result<Option<Vec<DynTool<'static>>>, Stop>> {
        let next = self.0.lock().unwrap().pop_front().unwrap_or(Ok(None));
        async move {
            match next {
                Ok(list) => Ok(list.map(|names| names.into_iter().map(tool).collect())),
                Err(()) => Err(Stop::error("the list is lost").with_code("lost")),
            }
        }
        .boxed()
    }
}

struct Sources([Scripted; 2]);

/// Has the tools of two sources.
#[agent]
async fn caller(
    run: &mut Run<Caller>,
    _: Input<Caller>,
    model: &Model,
    sources: &Sources,
) -> Result<(), Stop> {
    let [first, second] = sources.0.clone();
    run.chat(model).tools_from(first).tools_from(second).max_repeats(9).await
}

/// The tools in each turn, and the end of the run.
fn turns(first: Scripted, second: Scripted, turns: usize) -> (Vec<Vec<String>>, String) {
    let script = (1..turns).map(|_| Reply::call("a", json!({}))).chain([Reply::text("Done.")]);
    let model = Arc::new(ScriptedModel::new(script.collect::<Vec<_>>()));
    let caller = Caller::new(Arc::clone(&model).into(), Sources([first, second]));
    let events = futures::executor::block_on(testing::run(caller, testing::input("Hi")));
    let offers = model.prompts().into_iter();
    let offers = offers.map(|prompt| prompt.tools.iter().map(|tool| tool.name.clone()).collect());
    let end = match testing::end(&events) {
        RunEnd::Failed { code, .. } => code.unwrap_or_default().to_owned(),
        _ => String::new(),
    };
    (offers.collect(), end)
}

#[test]
fn each_turn_has_the_newest_lists() {
    let first = Scripted::new([Ok(Some(vec!["a"])), Ok(None), Ok(Some(vec!["a", "b"])), Ok(Some(vec!["a"]))]);
    let second = Scripted::new([Ok(Some(vec![])), Ok(Some(vec!["c"]))]);
    let (offers, end) = turns(first, second, 4);
    assert_eq!(offers, [vec!["a"], vec!["a", "c"], vec!["a", "b", "c"], vec!["a", "c"]]);
    assert_eq!(end, "");
}

#[test]
fn a_failure_before_the_first_turn_ends_the_run_and_a_later_one_does_not() {
    let (offers, end) = turns(Scripted::new([Err(())]), Scripted::default(), 2);
    assert_eq!((offers.len(), end.as_str()), (0, "lost"));
    let (log, _recording) = Log::record(tracing::Level::WARN);
    let (offers, end) = turns(Scripted::new([Ok(Some(vec!["a"])), Err(())]), Scripted::default(), 3);
    assert_eq!((offers, end.as_str()), (vec![vec!["a".to_owned()]; 3], ""));
    assert!(log.take().concat().contains("keeps the earlier list"));
}

#[test]
fn a_name_of_another_list_is_an_error_at_first_and_is_left_out_later() {
    let list = |names: &[&'static str]| Ok(Some(names.to_vec()));
    let (offers, end) = turns(Scripted::new([list(&["a"])]), Scripted::new([list(&["a"])]), 2);
    assert_eq!((offers.len(), end.as_str()), (0, "tool_name_taken"));
    let (log, _recording) = Log::record(tracing::Level::WARN);
    // The first list cannot take the name of a tool that the second has.
    let (first, second) = (Scripted::new([list(&["a"]), list(&["a", "b"])]), Scripted::new([list(&["b"])]));
    let (offers, end) = turns(first, second, 3);
    assert_eq!((offers, end.as_str()), (vec![vec!["a".to_owned(), "b".to_owned()]; 3], ""));
    assert!(log.take().concat().contains("a name that is taken"));
    let twice = Scripted::new([list(&["a"]), list(&["a", "c", "c"])]);
    let (offers, end) = turns(twice, Scripted::default(), 2);
    assert_eq!(
        (offers, end.as_str()),
        (vec![vec!["a".to_owned()], vec!["a".to_owned(), "c".to_owned()]], "")
    );
}
