//! The paths of agents that ask, the owner of the state, and spans that close early.

use agui_runtime::protocol::{Event, JsonPointer, PatchOperation, StateSnapshotEvent};
use serde_json::json;

use super::super::span::ROOT;
use super::{call, kernel, old_kernel, said, subagent, subagent_end, text};
use crate::protocol::ToolSide;

/// The path of names, each with its ordinal among the delegations to that name.
pub(super) fn paths() {
    let mut k = kernel();
    assert_eq!(k.agent_path(ROOT), "");
    let first = k.delegate(ROOT, "a/b");
    assert_eq!(first, "a~1b:1");
    assert_eq!(k.delegate(ROOT, "a/b"), "a~1b:2");
    assert_eq!(k.delegate(ROOT, "c"), "c:1");
    let helper = subagent(&mut k, ROOT);
    k.set_agent_path(helper, first.clone());
    assert_eq!(k.agent_path(helper), first);
    let scope = k.open_scope(helper, None);
    assert_eq!(k.agent_path(scope), first, "a part of it asks as it does");
    assert_eq!(k.delegate(scope, "d"), "a~1b:1/d:1");
    assert_eq!(k.delegate(helper, "d"), "a~1b:1/d:2");
    let beside = k.open_scope(ROOT, None);
    assert_eq!(k.agent_path(beside), "");
    k.close(scope, None);
    assert_eq!(k.agent_path(helper), first, "only a subagent that ends asks no more");
    k.end_subagent(helper, subagent_end(0), None);
    assert_eq!(k.agent_path(helper), "");
}

/// The typed state and a foreign stream cannot own the state together.
pub(super) fn owners() {
    let mut k = kernel();
    assert!(k.lend_state(), "the state is nobody's");
    assert!(!k.adopt_state(ROOT), "what the client sent is not what it holds any more");
    assert!(k.lend_state(), "nothing has a baseline");
    k.own_state(ROOT);
    assert!(!k.lend_state());
    assert!(k.adopt_state(ROOT));

    let mut k = kernel();
    assert!(k.adopt_state(ROOT));
    assert!(!k.lend_state());

    // An author that has ended does not own the state.
    let mut k = kernel();
    let helper = subagent(&mut k, ROOT);
    k.end_subagent(helper, subagent_end(0), None);
    k.own_state(helper);
    assert!(k.adopt_state(helper));
    assert!(k.lend_state());

    assert!(kernel().legacy_state().is_none(), "such a client needs no care");
    let mut k = old_kernel();
    let add = [PatchOperation::replace(JsonPointer::root(), 2)];
    let held = k.legacy_state().expect("such a client does");
    held.patch(&add).expect("there is no document to change");
    assert_eq!(held.document, None);
    held.document = Some(json!(1));
    held.patch(&add).expect("it applies");
    assert_eq!(held.document, Some(json!(2)));
    k.own_state(ROOT);
    let held = k.legacy_state().expect("such a client does");
    assert_eq!(held.document, None, "the typed state knows the client's state");
    k.send(ROOT, StateSnapshotEvent::new(json!(1)), None);
    assert!(matches!(k.queue.front(), Some(Event::StateSnapshot(_))) && !k.owes_state());
}

/// The kind of an open span, if a client would miss its rest.
pub(super) fn kind_of_a_span_that_is_cut_short() {
    let mut k = kernel();
    let text = text(&mut k, ROOT);
    let (open, _) = call(&mut k, ROOT, ToolSide::Backend);
    let (ended, _) = call(&mut k, ROOT, ToolSide::Backend);
    k.end_arguments(ended, None);
    let step = k.open_step(ROOT, "s".to_owned(), None);
    let kinds = [text, open, ended, step].map(|slot| k.cut_short(slot));
    assert_eq!(kinds, [Some("text message"), Some("tool call"), Some("tool call"), None]);
    k.close(text, None);
    assert_eq!(k.cut_short(text), None);
    said(&mut k);
}
