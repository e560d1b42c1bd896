//! Conversion of an input to AG-UI 1.0: retired shapes and unknown material are no reason to refuse it, as in a client
//! that reads events.
//!
//! The conversion is from text to text: values in memory would take many times the room, and free-form values are not
//! inspected.
//!
//! | file | idea |
//! |---|---|
//! | `walk` | the conversion of the text |
//! | `binary` | the parts of legacy clients |
//! | `left_out` | the removed parts, for the log and for places |

mod binary;
mod left_out;
mod walk;

pub(in crate::server) use self::left_out::{Findings, LeftOut};
use self::walk::Walk;
use crate::protocol::RunAgentInput;
use crate::protocol::forms::scan::Scanner;
use crate::protocol::forms::shape::Described;

/// The parts of an input that are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Extent {
    Whole,
    /// Without the content of free-form values: enough to find malformed parts.
    Hollow,
}

/// An input in the shape of AG-UI 1.0: retired shapes are converted, unknown material is left out, and the tag of a
/// union's object comes first in it. Malformed parts stay malformed.
#[derive(Debug)]
pub(crate) struct Admitted {
    pub(crate) text: String,
    pub(crate) left_out: LeftOut,
    pub(crate) findings: Findings,
}

/// Converts the text of an input; `None` if it is not JSON.
pub(crate) fn admit(text: &str, extent: Extent) -> Option<Admitted> {
    let mut scanner = Scanner::checked(text);
    let mut walk = Walk::new(extent, text.len());
    walk.value(&mut scanner, &RunAgentInput::SHAPE)?;
    scanner.is_at_end().then(|| walk.finish())
}
