//! Conversion of inputs to AG-UI 1.0. As in a client that reads events, retired shapes and unknown material are no reason to
//! refuse an input.
//!
//! Text is converted to text: values in memory would take many times the space, and free-form values are not inspected.
//!
//! | file | idea |
//! |---|---|
//! | `walk` | converts the text |
//! | `binary` | converts the media parts of legacy clients |
//! | `left_out` | records removed parts, for the log and for error paths |

mod binary;
mod left_out;
mod walk;

pub(in crate::server) use self::left_out::{InputFindings, RemovedElements};
use self::walk::InputConverter;
use crate::protocol::RunAgentInput;
use crate::protocol::forms::scan::JsonScanner;
use crate::protocol::forms::shape::ShapedType;

/// The parts of an input that the conversion writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ConversionExtent {
    Whole,
    /// Everything but the content of free-form values: enough to find malformed parts.
    Hollow,
}

/// An input in AG-UI 1.0 shape: retired shapes are converted, unknown material is left out, and union objects begin with their
/// tag. Malformed parts stay malformed.
#[derive(Debug)]
pub(crate) struct AdmittedInput {
    pub(crate) text: String,
    pub(crate) left_out: RemovedElements,
    pub(crate) findings: InputFindings,
}

/// Converts an input's text; `None` if the text is not JSON.
pub(crate) fn admit(text: &str, extent: ConversionExtent) -> Option<AdmittedInput> {
    let mut scanner = JsonScanner::checked(text);
    let mut walk = InputConverter::new(extent, text.len());
    walk.value(&mut scanner, &RunAgentInput::SHAPE)?;
    scanner.is_at_end().then(|| walk.finish())
}
