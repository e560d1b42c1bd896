//! Conversion of bytes to an input; agents may rely on the checks here.
//!
//! Malformed input is refused with the path and the expected value; material that this version does not know is left out with a
//! warning (AG-UI 1.0, section "Outgoing input": a producer rejects only malformed input).
//!
//! A small body can describe a very large structure. So limits are checked before anything is built, and free-form values stay
//! text: the memory never exceeds a few body lengths.

use std::borrow::Cow;

use bytes::Bytes;
use http::StatusCode;

use super::admit::{AdmittedInput, ConversionExtent, admit};
use super::census::DocumentCounts;
use super::input_limits::InputLimits;
use super::{census, version};
use crate::protocol::RunAgentInput;
use crate::protocol::forms::scan::{JsonScan, JsonScanner};
use crate::protocol::forms::shape::{JsonShape, ShapedType};
use crate::receive::surrogate;
use crate::server::response::rejection::Rejection;

/// An input and its memory bound.
pub(in crate::server) struct ParsedInput {
    pub(in crate::server) input: RunAgentInput,
    /// Maximum bytes that untyped values take once they are read.
    pub(in crate::server) trees: usize,
}

/// Parses a request body.
pub(in crate::server) fn read(body: Bytes, limits: &InputLimits) -> Result<ParsedInput, Rejection> {
    let checked = check(body, limits, Some(&RunAgentInput::SHAPE))?;
    // The longest list takes half of its memory again while it grows.
    let trees = checked.found.untyped.saturating_mul(3) / 2;
    input_of(checked.as_str()?).map(|input| ParsedInput { input, trees })
}

fn input_of(text: &str) -> Result<RunAgentInput, Rejection> {
    // Checked first, because the input of a later major version may have any shape.
    version::check(declared(text).as_deref())?;
    if let Some(input) = scan(text) {
        return Ok(input);
    }
    let AdmittedInput { text: admitted, left_out, findings } =
        admit(text, ConversionExtent::Whole).ok_or_else(broken)?;
    findings.log();
    if let Some(input) = scan(&admitted) {
        return Ok(input);
    }
    // A part is malformed, and it is not inside of a free-form value.
    drop(admitted);
    let hollow = admit(text, ConversionExtent::Hollow).ok_or_else(broken)?.text;
    let mut json = serde_json::Deserializer::from_str(&hollow);
    match serde_path_to_error::deserialize::<_, RunAgentInput>(&mut json) {
        Ok(_) => Err(broken()),
        Err(error) => {
            let message = crate::json::message(error.inner());
            let rejection = Rejection::new(StatusCode::UNPROCESSABLE_ENTITY, "invalid_input", message);
            Err(rejection.at(left_out.sent_path(error.path())))
        }
    }
}

/// A body that is JSON within the limits.
pub(in crate::server) struct CheckedBody {
    bytes: Bytes,
    pub(in crate::server) found: DocumentCounts,
}

impl CheckedBody {
    pub(in crate::server) fn as_str(&self) -> Result<&str, Rejection> {
        std::str::from_utf8(&self.bytes).map_err(|_| broken())
    }
}

/// Checks that a body is JSON within the limits, without duplicate members in objects that `shape` describes. Lone surrogates are
/// replaced.
pub(in crate::server) fn check(
    body: Bytes,
    limits: &InputLimits,
    shape: Option<&'static JsonShape>,
) -> Result<CheckedBody, Rejection> {
    let refusal = match census::take(&body, limits, shape) {
        Ok(found) => return Ok(CheckedBody { bytes: body, found }),
        Err(refusal) => refusal,
    };
    if refusal.is_syntax()
        && let Cow::Owned(replaced) = surrogate::replace(&body)
    {
        drop(body);
        return match census::take(&replaced, limits, shape) {
            Ok(found) => {
                tracing::warn!("half a character in the input is read as U+FFFD");
                Ok(CheckedBody { bytes: replaced.into(), found })
            }
            Err(again) if again.is_syntax() => Err(refusal.into()),
            Err(beyond) => Err(beyond.into()),
        };
    }
    Err(refusal.into())
}

/// Parses a well-formed input that has only material from this version; `None` for any other.
fn scan(text: &str) -> Option<RunAgentInput> {
    let mut scanner = JsonScanner::checked(text);
    let input = RunAgentInput::scan(&mut scanner)?;
    scanner.is_at_end().then_some(input)
}

/// Returns the protocol version that the client declares, if that is a string.
fn declared(text: &str) -> Option<Cow<'_, str>> {
    JsonScanner::checked(text).string_member("protocolVersion")
}

/// Reports two readers that disagree about one text, which is a defect in this program.
fn broken() -> Rejection {
    tracing::error!("one reader accepted the input and another refused it: this is a defect of agui-runtime");
    Rejection::new(StatusCode::INTERNAL_SERVER_ERROR, "internal", "the input cannot be read: see the log")
}
