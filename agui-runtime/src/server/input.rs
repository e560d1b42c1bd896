//! From bytes to an input: what an agent may rely on has been checked here.
//!
//! What is malformed is refused with the place and what was expected; what this version does not know is left out with
//! a warning and the rest runs (AG-UI 1.0, section "Outgoing input": a producer rejects only malformed input).

use std::borrow::Cow;

use http::StatusCode;
use serde_json::Value;

use super::admit::{self, LeftOut};
use super::rejection::Rejection;
use super::{place, version};
use crate::protocol::RunAgentInput;
use crate::receive::surrogate;

/// Reads the body of a request.
pub(super) fn read(bytes: &[u8]) -> Result<RunAgentInput, Rejection> {
    let mut value = parse(bytes)?;
    // First, because the input of a later major version may have any shape.
    version::check(&value)?;
    let left_out = admit::admit(&mut value);
    match serde_path_to_error::deserialize(&value) {
        Ok(input) => Ok(input),
        Err(error) => Err(malformed(value, &left_out).unwrap_or_else(|| refuse(&error, &left_out))),
    }
}

pub(super) fn parse(bytes: &[u8]) -> Result<Value, Rejection> {
    let error = match serde_json::from_slice(bytes) {
        Ok(value) => return Ok(value),
        Err(error) => error,
    };
    if let Cow::Owned(replaced) = surrogate::replace(bytes)
        && let Ok(value) = serde_json::from_slice(&replaced)
    {
        tracing::warn!("half a character in the input is read as U+FFFD");
        return Ok(value);
    }
    // Keeping track of the place costs something, so only once it is needed.
    let mut again = serde_json::Deserializer::from_slice(bytes);
    let path = match serde_path_to_error::deserialize::<_, Value>(&mut again) {
        Ok(_) => place::ROOT.to_owned(),
        Err(error) => place::written(error.path()),
    };
    Err(Rejection::new(StatusCode::BAD_REQUEST, "invalid_json", format!("malformed JSON: {error}"))
        .at(path)
        .on(error.line(), error.column()))
}

/// The same error at a more exact place: a member that comes before the `role` or `type` of its object is read before
/// it is known what it should be, and its place is lost.
fn malformed(mut value: Value, left_out: &LeftOut) -> Option<Rejection> {
    place::tags_first(&mut value);
    match serde_path_to_error::deserialize::<_, RunAgentInput>(&value) {
        Ok(_) => None,
        Err(error) => Some(refuse(&error, left_out)),
    }
}

fn refuse(error: &serde_path_to_error::Error<serde_json::Error>, left_out: &LeftOut) -> Rejection {
    let path = left_out.original(error.path());
    Rejection::new(StatusCode::UNPROCESSABLE_ENTITY, "invalid_input", error.inner().to_string()).at(path)
}
