//! Subagents: their ids, their parents, their ends.

use agui_runtime::protocol::{Event, SubagentRunId, SubagentStartedEvent};

use super::super::machine::RunKernel;
use super::super::span::{ROOT, SpanSlot};
use super::{ids_of, kernel, said, subagent, subagent_end};

pub(super) fn subagent_ids() {
    let mut k = kernel();
    let ids = ids_of(&mut k, |k| {
        for _ in 0..2 {
            let started = SubagentStartedEvent::new("", "helper");
            let (slot, _) = k.open_subagent(ROOT, started, Some("chosen".into()), None);
            k.queue.pop_back();
            k.end_subagent(slot, subagent_end(0), None);
        }
    });
    assert_eq!(ids.len(), 2);
    assert_ne!(ids[0], ids[1], "an id is that of one invocation");
}

pub(super) fn dropping_a_subagent() {
    let mut k = kernel();
    let helper = subagent(&mut k, ROOT);
    said(&mut k);
    k.close(helper, None);
    let Some(Event::SubagentError(error)) = k.queue.pop_front() else { panic!("no error") };
    assert_eq!(error.code.as_deref(), Some("abandoned"));
}

pub(super) fn named_parent() {
    let mut k = kernel();
    let outer = subagent(&mut k, ROOT);
    let parent = |k: &mut RunKernel, by: SpanSlot, named: Option<&str>| {
        said(k);
        let mut started = SubagentStartedEvent::new("", "helper");
        started.parent_subagent_run_id = named.map(SubagentRunId::from);
        k.open_subagent(by, started, None, None);
        let Some(Event::SubagentStarted(started)) = k.queue.pop_front() else { panic!("no start") };
        started.parent_subagent_run_id.map(|id| id.as_str().to_owned())
    };
    assert_eq!(parent(&mut k, ROOT, None), None);
    assert_eq!(parent(&mut k, outer, None).as_deref(), Some("k-subagent-1"));
    assert_eq!(parent(&mut k, ROOT, Some("beside")).as_deref(), Some("beside"));
}
