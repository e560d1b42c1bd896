//! What an input may hold that is not AG-UI 1.0, and yet is no reason to refuse it: retired shapes and unknown material, as a client
//! reads them in events.
//!
//! Text goes in and text comes out: values in memory would take many times the room, and what is free-form is nobody's business here.
//!
//! | file | idea |
//! |---|---|
//! | `walk` | from the text that was sent to that of AG-UI 1.0 |
//! | `binary` | the parts that older clients send |
//! | `left_out` | what is not in the second text, for the log and for places |

mod binary;
mod left_out;
mod walk;

pub(super) use self::left_out::{LeftOut, News};
use self::walk::Walk;
use crate::protocol::RunAgentInput;
use crate::protocol::scan::Scanner;
use crate::protocol::shape::Described;

/// How much of an input is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Extent {
    Whole,
    /// Without what is inside of free-form values: enough to find what is malformed.
    Hollow,
}

/// An input in the shape of AG-UI 1.0: retired shapes up to date, unknown material left out, and what tells an object of a union
/// first in it. What is malformed stays so.
#[derive(Debug)]
pub(super) struct Admitted {
    pub(super) text: String,
    pub(super) left_out: LeftOut,
    pub(super) news: News,
}

/// Brings the text of an input up to date; `None` for what is no JSON.
pub(super) fn admit(text: &str, extent: Extent) -> Option<Admitted> {
    let mut scanner = Scanner::checked(text);
    let mut walk = Walk::new(extent, text.len());
    walk.value(&mut scanner, &RunAgentInput::SHAPE)?;
    scanner.is_at_end().then(|| walk.finish())
}
