//! Heartbeats: signs that a quiet stream's run goes on.
//!
//! Server-sent events have comments. The binary transport has no empty frame (AG-UI 1.0, section "Binary framing"): the official
//! clients end a run on an empty frame, and legacy clients also on a frame with an unknown member. But every reader waits for the
//! rest of a frame. So a frame is sent byte by byte:
//!
//! * The first length byte is zero for every frame that clients accept, so this byte can be sent before the next event is
//!   known.
//! * For a 1.0 client, the following bytes begin a frame with a member that no version defines. The rest is sent before the
//!   next event, and the client drops the frame. The official client logs one warning.
//! * A legacy client gets only the first byte, once in each quiet time.

use crate::kernel::Peer;
use crate::wire::sse;

/// The frame for 1.0 clients: length, tag with the greatest field number, content length, and a well-formed message of unknown
/// fields as content.
const FILLER: [u8; 256] = filler();

const fn filler() -> [u8; 256] {
    let mut frame = [0; 256];
    // 252 bytes follow the length: five of the tag, two of the second length, 245 of the content.
    let head = [0, 0, 0, 252, 0xFA, 0xFF, 0xFF, 0xFF, 0x0F, 0xF5, 0x01];
    let mut at = 0;
    #[expect(clippy::indexing_slicing, reason = "evaluated by the compiler, which refuses a wrong index")]
    while at < frame.len() {
        frame[at] = match at {
            0..11 => head[at],
            // One field of three bytes, so that the rest is even: number 15, a varint of two bytes.
            11 => 0x78,
            12 => 0x80,
            13 => 0x00,
            // The same with a varint of one byte.
            _ if at % 2 == 0 => 0x78,
            _ => 0,
        };
        at += 1;
    }
    frame
}

/// Writes one stream's heartbeats.
#[derive(Debug)]
pub(super) enum HeartbeatWriter {
    /// A comment.
    Comment,
    /// The first `sent` bytes of a frame.
    Frame { sent: usize, peer: Peer },
}

impl HeartbeatWriter {
    pub(super) fn binary(peer: Peer) -> Self {
        Self::Frame { sent: 0, peer }
    }

    /// Appends one heartbeat, if this quiet time has one left.
    pub(super) fn beat(&mut self, out: &mut Vec<u8>) {
        match self {
            Self::Comment => out.extend_from_slice(sse::KEEP_ALIVE),
            Self::Frame { sent, peer } => {
                if *peer == Peer::Legacy && *sent > 0 {
                    return;
                }
                if let Some(byte) = FILLER.get(*sent) {
                    out.push(*byte);
                    *sent = (*sent + 1) % FILLER.len();
                }
            }
        }
    }

    /// Adapts frames that were appended at `start` to the heartbeats sent before.
    pub(in crate::server) fn resume(&mut self, start: usize, out: &mut Vec<u8>) {
        let Self::Frame { sent, .. } = self else { return };
        match std::mem::take(sent) {
            0 => {}
            // The byte that was sent is also the first byte of the frame.
            1 => _ = out.remove(start),
            begun => {
                let rest = FILLER.get(begun..).unwrap_or_default();
                out.splice(start..start, rest.iter().copied());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::{Event, RunErrorEvent};
    use crate::receive::FrameIntake;
    use crate::wire::proto;
    use crate::wire::proto::Decoder;

    /// Returns a body with two events and `beats` heartbeats before each.
    fn body(beats: usize, peer: Peer) -> Vec<u8> {
        let mut heartbeat = HeartbeatWriter::binary(peer);
        let mut out = Vec::new();
        for text in ["first", "second"] {
            (0..beats).for_each(|_| heartbeat.beat(&mut out));
            let start = out.len();
            proto::encode(&Event::from(RunErrorEvent::new(text)), &mut out).unwrap();
            heartbeat.resume(start, &mut out);
        }
        out
    }

    #[test]
    fn events_arrive_whole_after_any_number_of_heartbeats() {
        for peer in [Peer::CURRENT, Peer::Legacy] {
            let silent = body(0, peer).len();
            for beats in 0..600 {
                let body = body(beats, peer);
                let expected =
                    if beats <= 1 || peer == Peer::Legacy { 0 } else { 2 * beats.div_ceil(256) * 256 };
                assert!(body.len() <= silent + expected, "{beats} {peer:?}: {}", body.len());
                let (mut decoder, mut intake, mut read) = (Decoder::new(), FrameIntake::new(), Vec::new());
                decoder.push(&body);
                while let Some(message) = decoder.next().unwrap() {
                    read.extend(intake.proto(message, &mut |_| {}).unwrap());
                }
                decoder.finish().unwrap();
                let texts: Vec<_> = read
                    .iter()
                    .map(|event| match event {
                        Event::RunError(error) => error.message.as_str(),
                        other => panic!("{other:?}"),
                    })
                    .collect();
                assert_eq!(texts, ["first", "second"], "{beats} {peer:?}");
            }
        }
    }

    #[test]
    fn each_heartbeat_is_a_byte_and_a_client_before_1_0_gets_one() {
        for (peer, expected) in [(Peer::CURRENT, 5), (Peer::Legacy, 1)] {
            let (mut heartbeat, mut out) = (HeartbeatWriter::binary(peer), Vec::new());
            (0..5).for_each(|_| heartbeat.beat(&mut out));
            assert_eq!(out.len(), expected, "{peer:?}");
        }
    }
}
