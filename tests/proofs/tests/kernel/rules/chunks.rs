//! Chunks of a foreign stream, and the calls they build.

use agui_runtime::protocol::{
    AssistantMessage, Event, FunctionCall, ReasoningMessageChunkEvent, TextMessageChunkEvent,
    TextMessageRole, ToolCall, ToolCallChunkEvent,
};

use super::super::machine::{CallStart, ParentMessage, RunKernel, TextStart};
use super::super::span::ROOT;
use super::{call, kernel, kernel_after, said, subagent, text};
use crate::protocol::ToolSide;

fn text_chunk(id: &str) -> Event {
    let chunk = TextMessageChunkEvent::new().with_message_id(id).with_delta("x");
    chunk.with_role(TextMessageRole::Assistant).with_name("n").into()
}

fn call_chunk(id: &str, parent: &str) -> Event {
    let chunk = ToolCallChunkEvent::new().with_tool_call_id(id).with_delta("{}");
    chunk.with_tool_call_name("search").with_parent_message_id(parent).into()
}

fn thought_chunk(id: &str) -> Event {
    ReasoningMessageChunkEvent::new().with_message_id(id).with_delta("x").into()
}

/// Returns true if the only event is a chunk that names its item.
fn is_named(k: &mut RunKernel) -> bool {
    let events: Vec<Event> = k.queue.drain(..).collect();
    match events.as_slice() {
        [Event::TextMessageChunk(chunk)] => {
            assert!(chunk.role.is_some() == chunk.message_id.is_some());
            assert!(chunk.name.is_some() == chunk.message_id.is_some());
            chunk.message_id.is_some()
        }
        [Event::ToolCallChunk(chunk)] => {
            assert!(chunk.tool_call_name.is_some() == chunk.tool_call_id.is_some());
            assert!(chunk.parent_message_id.is_none() || chunk.tool_call_id.is_some());
            chunk.tool_call_id.is_some()
        }
        [Event::ReasoningMessageChunk(chunk)] => chunk.message_id.is_some(),
        other => panic!("{other:?}"),
    }
}

/// A chunk that directly follows a chunk of the same item needs no id; any other chunk has it.
pub(super) fn named_once() {
    let chunks: [fn(&str) -> Event; 3] = [text_chunk, |id| call_chunk(id, "m"), thought_chunk];
    for chunk in chunks {
        let mut k = kernel();
        let mut pass = |k: &mut RunKernel, id: &str| {
            k.pass_chunk(ROOT, id, chunk(id), None);
            is_named(k)
        };
        assert!(pass(&mut k, "a"));
        assert!(!pass(&mut k, "a"));
        assert!(!pass(&mut k, "a"));
        assert!(pass(&mut k, "b"), "it is about something else");
        assert!(!pass(&mut k, "b"));
        let slot = text(&mut k, ROOT);
        said(&mut k);
        assert!(pass(&mut k, "b"), "something was said in between");
        k.close(slot, None);
    }
    let mut k = kernel();
    k.pass_chunk(ROOT, "a", text_chunk("a"), None);
    said(&mut k);
    k.pass_chunk(ROOT, "a", thought_chunk("a"), None);
    assert!(is_named(&mut k), "it is of another kind");
}

/// A message built from chunks is known afterwards, with its kind and its author.
pub(super) fn known_afterwards() {
    let mut k = kernel();
    let helper = subagent(&mut k, ROOT);
    assert!(!k.conversation.knows("said") && !k.conversation.knows("thought"));
    k.pass_chunk(helper, "said", text_chunk("said"), None);
    k.pass_chunk(helper, "thought", thought_chunk("thought"), None);
    assert!(k.conversation.knows("said") && k.conversation.knows("thought"));
    let tag = k.tag_of(helper);
    let mut carries = |id: &str, by| {
        let parent = Some(ParentMessage { id: id.into(), tag: tag.clone() });
        let start = CallStart { tool: "search".into(), side: ToolSide::Backend, parent, id: None };
        let (slot, _) = k.open_call(by, start, None);
        k.carrier_of(slot).is_some()
    };
    assert!(carries("said", helper), "a text carries calls");
    assert!(!carries("thought", helper), "a thought does not");
    assert!(!carries("said", ROOT), "it is another author's");
}

/// A call in chunks names its message if that is by the same author, and its END is not sent.
pub(super) fn calls_in_chunks() {
    let mut k = kernel();
    let message = text(&mut k, ROOT);
    let (id, _, tag) = k.text_of(message).expect("it is open");
    let parent = || Some(ParentMessage { id: id.clone(), tag: tag.clone() });
    let (slot, call, carrier) = k.note_call(ROOT, Some("theirs".into()), parent());
    assert_eq!((call.as_str(), carrier.as_ref()), ("theirs", Some(&id)));
    assert!(k.conversation.knows("theirs"));
    let (_, again, _) = k.note_call(ROOT, Some("theirs".into()), None);
    assert_ne!(again.as_str(), "theirs", "an id is that of one call");
    assert!(k.pending.contains_key(&slot), "nobody has answered it");
    assert_eq!(k.pending.values().map(|call| call.foreign).collect::<Vec<_>>(), [true, true]);
    said(&mut k);

    let parent_of = |k: &mut RunKernel| match k.queue.pop_back() {
        Some(Event::ToolCallChunk(chunk)) => chunk.parent_message_id,
        other => panic!("{other:?}"),
    };
    k.pass_chunk(ROOT, "theirs", call_chunk("theirs", id.as_str()), None);
    assert_eq!(parent_of(&mut k).as_ref(), Some(&id));
    // In the restated conversation another author has the message.
    let told = AssistantMessage::new(id.clone()).with_subagent_run_id("somebody");
    k.close(message, None);
    assert!(k.restate(ROOT, vec![told.into()], None).is_ok());
    said(&mut k);
    k.pass_chunk(ROOT, "other", call_chunk("other", id.as_str()), None);
    assert_eq!(parent_of(&mut k), None);

    // The same, with the call itself another author's. A conversation may have an id twice; the last one names the
    // author.
    let mut k = kernel();
    let helper = subagent(&mut k, ROOT);
    let tag = k.tag_of(helper).expect("it is a subagent");
    let called = ToolCall::new("theirs", FunctionCall::new("search", "{}"));
    let told = AssistantMessage::new("m").with_tool_calls(vec![called]).with_subagent_run_id("somebody");
    let own = AssistantMessage::new("m").with_subagent_run_id(tag);
    let beside = subagent(&mut k, ROOT);
    assert!(k.restate(beside, vec![told.into(), own.into()], None).is_ok());
    said(&mut k);
    assert_eq!(k.continuing_author(helper, "theirs"), ROOT);
    assert_eq!(k.continuing_author(helper, "of no author"), helper);
    k.pass_chunk(helper, "theirs", call_chunk("theirs", "m"), None);
    let Some(Event::ToolCallChunk(chunk)) = k.queue.pop_back() else { panic!("no chunk") };
    assert_eq!((chunk.parent_message_id, chunk.subagent_run_id), (None, None));
}

/// A chunk that opens a text again has the role and the name of the restated conversation.
pub(super) fn restated_openers() {
    let mut k = kernel_after(vec![]);
    let told = AssistantMessage::new("m").with_name("told");
    assert!(k.restate(ROOT, vec![told.into()], None).is_ok());
    let opened = |k: &mut RunKernel, role, name: &str| {
        said(k);
        let chunk = TextMessageChunkEvent::new().with_message_id("m").with_role(role).with_name(name);
        k.pass_chunk(ROOT, "m", chunk.into(), None);
        let Some(Event::TextMessageChunk(chunk)) = k.queue.pop_front() else { panic!("no chunk") };
        text(k, ROOT);
        (chunk.role, chunk.name)
    };
    assert_eq!(opened(&mut k, TextMessageRole::User, "other"), (None, None));
    let same = (Some(TextMessageRole::Assistant), Some("told".to_owned()));
    assert_eq!(opened(&mut k, TextMessageRole::Assistant, "told"), same);

    for role in [TextMessageRole::Developer, TextMessageRole::System, TextMessageRole::User] {
        let mut k = kernel();
        let told = serde_json::json!({"id": "m", "role": role.as_str(), "content": "x", "name": "told"});
        let told = serde_json::from_value(told).expect("it is a message");
        assert!(k.restate(ROOT, vec![told], None).is_ok());
        said(&mut k);
        let start = |name: &str| TextStart { role: Some(role), name: Some(name.to_owned()), id: None };
        let slot = k.open_text_as(ROOT, "m".into(), start("told"), None);
        let Some(Event::TextMessageStart(opened)) = k.queue.pop_front() else { panic!("no start") };
        assert_eq!((opened.role, opened.name.as_deref()), (Some(role), Some("told")));
        k.close(slot, None);
    }
    let mut k = kernel();
    let (slot, _) = call(&mut k, ROOT, ToolSide::Backend);
    assert_eq!(k.carrier_of(slot), None);
}
