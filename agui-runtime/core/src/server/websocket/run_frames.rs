//! A run's frames, each with the run id.

use std::borrow::Cow;
use std::collections::BTreeMap;

use bytes::{BufMut as _, Bytes, BytesMut};
use http::{HeaderMap, HeaderName, header};
use serde::Serialize;
use serde_json::value::RawValue;
use tokio_tungstenite::tungstenite::{Message, Utf8Bytes};

use crate::server::manifest;
use crate::wire::websocket::{Broken, ServerFrame, ServerFrameKind};

/// Response headers that a page may read.
const READABLE: [HeaderName; 4] =
    [header::CONTENT_TYPE, header::RETRY_AFTER, header::WWW_AUTHENTICATE, manifest::HEADER];

/// Writes one run's frames.
pub(super) struct RunFrames {
    id: String,
    /// Prefixes for event frames: without an event id, and with one.
    event: String,
    identified: String,
}

impl RunFrames {
    pub(super) fn new(id: String) -> Self {
        let quoted = quoted(&id);
        let event = format!(r#"{{"type":"event","id":{quoted},"event":"#);
        let identified = format!(r#"{{"type":"event","id":{quoted},"eventId":"#);
        Self { id, event, identified }
    }

    pub(super) fn id(&self) -> &str {
        &self.id
    }

    fn frame(&self, kind: ServerFrameKind) -> ServerFrame<'_> {
        ServerFrame {
            kind,
            id: self.id.as_str().into(),
            status: None,
            headers: None,
            body: None,
            error: None,
            event_id: None,
            event: None,
        }
    }

    /// Returns the frame that begins a stream.
    pub(super) fn open(&self, status: u16, headers: &HeaderMap) -> Message {
        text(&ServerFrame {
            status: Some(status),
            headers: Some(readable(headers)),
            ..self.frame(ServerFrameKind::Open)
        })
    }

    /// Returns an event's frame; `event` is JSON already.
    pub(super) fn event(&self, id: Option<&str>, event: &str) -> Message {
        let mut out = self.event_start(id);
        out.reserve_exact(event.len() + 1);
        out.push_str(event);
        out.push('}');
        Message::Text(out.into())
    }

    /// Returns an event's frame up to the JSON; a closing brace must follow.
    pub(super) fn event_start(&self, id: Option<&str>) -> String {
        match id {
            Some(id) => format!(r#"{}{},"event":"#, self.identified, quoted(id)),
            None => self.event.clone(),
        }
    }

    /// Returns a binary transport frame: the id length as one byte, the id, the bytes.
    pub(super) fn bytes(&self, bytes: &[u8]) -> Message {
        let mut out = BytesMut::with_capacity(1 + self.id.len() + bytes.len());
        // Longer ids are refused.
        out.put_u8(u8::try_from(self.id.len()).unwrap_or(u8::MAX));
        out.put_slice(self.id.as_bytes());
        out.put_slice(bytes);
        Message::Binary(out.freeze())
    }

    /// Returns a frame that shows that the run goes on.
    pub(super) fn heartbeat(&self) -> Message {
        text(&self.frame(ServerFrameKind::Heartbeat))
    }

    /// Returns a complete stream's last frame.
    pub(super) fn end(&self) -> Message {
        text(&self.frame(ServerFrameKind::End))
    }

    /// Returns an incomplete stream's last frame.
    pub(super) fn broken(&self, code: &str, message: &str) -> Message {
        let error = Broken { code: code.into(), message: message.into() };
        text(&ServerFrame { error: Some(error), ..self.frame(ServerFrameKind::End) })
    }

    /// Returns the only frame for a run that was refused, or has nothing to stream.
    pub(super) fn refused(&self, status: u16, headers: &HeaderMap, body: &Bytes) -> Message {
        let body = String::from_utf8_lossy(body);
        let body = (!body.is_empty()).then(|| match serde_json::from_str::<Box<RawValue>>(&body) {
            Ok(json) => Some(json),
            Err(_) => serde_json::value::to_raw_value(&body).ok(),
        });
        text(&ServerFrame {
            status: Some(status),
            headers: Some(readable(headers)),
            body: body.as_ref().and_then(Option::as_deref),
            ..self.frame(ServerFrameKind::End)
        })
    }
}

fn readable(headers: &HeaderMap) -> BTreeMap<Cow<'_, str>, Cow<'_, str>> {
    let value = |name: &HeaderName| headers.get(name)?.to_str().ok();
    READABLE.iter().filter_map(|name| Some((name.to_string().into(), value(name)?.into()))).collect()
}

fn text(frame: &ServerFrame<'_>) -> Message {
    Message::Text(Utf8Bytes::from(json(frame)))
}

fn quoted(text: &str) -> String {
    json(&text)
}

/// Returns the JSON text; the value must be serializable: strings, numbers, and parsed JSON.
fn json(value: &impl Serialize) -> String {
    serde_json::to_string(value).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_are_json_whatever_their_ids_are() {
        let run_frames = RunFrames::new("a\"\u{e9}\n".to_owned());
        let Message::Text(frame) = run_frames.event(Some("r\\.1"), r#"{"type":"RAW","event":1}"#) else {
            panic!()
        };
        let frame: serde_json::Value = serde_json::from_str(&frame).unwrap();
        assert_eq!(frame["id"], "a\"\u{e9}\n");
        assert_eq!(frame["eventId"], "r\\.1");
        assert_eq!(frame["event"]["event"], 1);
        assert_eq!(run_frames.bytes(b"xy"), Message::Binary(b"\x05a\"\xc3\xa9\nxy".as_slice().into()));
    }

    #[test]
    fn a_refusal_has_its_body_as_json_or_as_text() {
        let run_frames = RunFrames::new("1".to_owned());
        let body = |body: &'static [u8]| {
            let Message::Text(frame) = run_frames.refused(418, &HeaderMap::new(), &Bytes::from_static(body))
            else {
                panic!()
            };
            serde_json::from_str::<serde_json::Value>(&frame).unwrap()["body"].clone()
        };
        assert_eq!(body(br#"{"error":{"code":"x"}}"#)["error"]["code"], "x");
        assert_eq!(body(b"a teapot\xff"), "a teapot\u{fffd}");
        assert!(body(b"").is_null());
    }
}
