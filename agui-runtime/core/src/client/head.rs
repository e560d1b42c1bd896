//! A frame's identifying members.

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::Value;

use crate::protocol::{Event, EventFamily};

/// The members that identify a frame, parsed without the rest.
///
/// ```
/// use agui_runtime::client::Frame;
///
/// let start = Frame::from(r#"{"type":"TOOL_CALL_START","toolCallId":"c","toolCallName":"price"}"#.to_owned());
/// let head = start.head();
/// assert_eq!((head.tool_call_id.as_deref(), head.tool_call_name.as_deref()), (Some("c"), Some("price")));
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct FrameHead<'f> {
    /// The event's `type`.
    #[serde(borrow, default, rename = "type")]
    pub event_type: Option<Cow<'f, str>>,
    /// The event's `toolCallId`.
    #[serde(borrow, default)]
    pub tool_call_id: Option<Cow<'f, str>>,
    /// The event's `toolCallName`.
    #[serde(borrow, default)]
    pub tool_call_name: Option<Cow<'f, str>>,
}

impl<'f> FrameHead<'f> {
    pub(super) fn of(value: &'f Value) -> Self {
        let text = |key| value.get(key).and_then(Value::as_str).map(Cow::Borrowed);
        Self {
            event_type: text("type"),
            tool_call_id: text("toolCallId"),
            tool_call_name: text("toolCallName"),
        }
    }

    pub(super) fn of_event(event: &'f Event) -> Self {
        let event_type = event.event_type();
        let is_about_call = event_type.family() == EventFamily::ToolCall;
        Self {
            event_type: Some(Cow::Borrowed(event_type.as_str())),
            tool_call_id: event.scope_id().filter(|_| is_about_call).map(Cow::Borrowed),
            tool_call_name: event.operands().tool.map(Cow::Borrowed),
        }
    }

    pub(super) fn into_owned(self) -> FrameHead<'static> {
        let owned = |text: Option<Cow<'f, str>>| text.map(|text| Cow::Owned(text.into_owned()));
        FrameHead {
            event_type: owned(self.event_type),
            tool_call_id: owned(self.tool_call_id),
            tool_call_name: owned(self.tool_call_name),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::client::Frame;
    use crate::protocol::SAMPLES;

    #[test]
    fn an_event_has_the_head_of_its_text() {
        for text in SAMPLES {
            let event: Event = serde_json::from_str(text).unwrap();
            assert_eq!(FrameHead::of_event(&event), Frame::from((*text).to_owned()).head(), "{text}");
        }
    }
}
