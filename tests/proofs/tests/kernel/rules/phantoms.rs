//! Ids that the client does not know are not named.

use agui_runtime::protocol::{
    Event, Message, ReasoningEncryptedValueEvent, ReasoningEncryptedValueSubtype, SubagentStartedEvent,
};

use super::super::span::ROOT;
use super::{asked, call, kernel, kernel_after, said, subagent, text};
use crate::protocol::ToolSide;

pub(super) fn phantom_parents() {
    let mut k = kernel_after(vec![asked("old call")]);
    let said_here = text(&mut k, ROOT);
    let (said_here, ..) = k.text_of(said_here).expect("it is open");
    let (_, called_here) = call(&mut k, ROOT, ToolSide::Backend);
    let dead = k.open_scope(ROOT, None);
    k.close(dead, None);
    let (_, never_called) = call(&mut k, dead, ToolSide::Backend);
    let thought = k.open_reasoning_message(ROOT, None, None);
    let thought = k.message_id_of(thought).expect("it is open").clone();
    let mut named = |message: &str, call: &str| {
        said(&mut k);
        let mut started = SubagentStartedEvent::new("", "helper");
        started.parent_message_id = Some(message.into());
        started.parent_tool_call_id = Some(call.into());
        k.open_subagent(ROOT, started, None, None);
        let Some(Event::SubagentStarted(started)) = k.queue.pop_front() else { panic!("no start") };
        (started.parent_message_id.is_some(), started.parent_tool_call_id.is_some())
    };
    assert_eq!(named(said_here.as_str(), called_here.as_str()), (true, true));
    assert_eq!(named("asking old call", "old call"), (true, true));
    assert_eq!(named("of another run", "of another run"), (false, false));
    assert_eq!(named(thought.as_str(), never_called.as_str()), (false, false));
}

pub(super) fn phantom_entities() {
    let mut k = kernel_after(vec![asked("old")]);
    let text = text(&mut k, ROOT);
    let (text, ..) = k.text_of(text).expect("it is open");
    let (_, called) = call(&mut k, ROOT, ToolSide::Backend);
    let thought = k.open_reasoning_message(ROOT, None, None);
    let thought = k.message_id_of(thought).expect("it is open").clone();
    let dead = subagent(&mut k, ROOT);
    k.close(dead, None);
    assert!(k.restate(dead, vec![asked("restated")], None).is_ok(), "who has ended is not heard");
    let (message, tool_call) =
        (ReasoningEncryptedValueSubtype::Message, ReasoningEncryptedValueSubtype::ToolCall);
    let cases = [
        (message, text.as_str(), true),
        (message, thought.as_str(), true),
        (message, "asking old", true),
        (tool_call, called.as_str(), true),
        (tool_call, "old", true),
        (message, "of another run", false),
        (tool_call, "of another run", false),
        (tool_call, "restated", false),
        (tool_call, text.as_str(), false),
        (message, "old", false),
    ];
    for (subtype, id, is_said) in cases {
        said(&mut k);
        k.encrypt(ROOT, ReasoningEncryptedValueEvent::new(subtype, id, "signed"), None);
        assert_eq!(said(&mut k).len(), usize::from(is_said), "{id}");
    }
    let mut k = kernel();
    assert!(k.restate(ROOT, vec![asked("restated")], None).is_ok());
    said(&mut k);
    k.encrypt(ROOT, ReasoningEncryptedValueEvent::new(tool_call, "restated", "signed"), None);
    assert_eq!(said(&mut k).len(), 1, "the client was told of it meanwhile");
}
