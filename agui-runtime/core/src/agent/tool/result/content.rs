//! Converts a tool's JSON values to protocol text, and back.

use std::any::TypeId;

#[cfg(any(test, feature = "client"))]
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::agent::tool::arguments::path_at::path_at;
use crate::agent::tool::arguments::raw_members::{ArgumentReader, ArgumentText};
use crate::agent::tool::{ArgumentFaultFn, Tool, ToolData, ToolDataError};
use crate::manifest::TypeSource;
use crate::manifest::bounds::{Bounds, OutOfBounds};
use crate::protocol::JsonReadError;
use crate::protocol::any_json::meter::JsonMeter;
use crate::quoted::quoted;

/// Returns TOOL_CALL_RESULT's content: JSON text, except that strings are not quoted, because models read plain text better.
///
/// [`read_answer`] inverts the conversion: a string that would itself parse as a JSON string is quoted. So is a string that would
/// parse as [`failure_content`]'s output, because readers check a result for a failure first.
#[cfg(any(test, feature = "client"))]
pub(crate) fn value_content<T: Serialize>(value: &T) -> Result<String, serde_json::Error> {
    serde_json::to_string(value).and_then(unquoted)
}

/// Returns the content for a value's JSON text.
pub(in crate::agent::tool) fn unquoted(json: String) -> Result<String, serde_json::Error> {
    // Other values are not parsed again: they may be long, and nested deeper than serde_json allows.
    if !json.starts_with('"') {
        return Ok(json);
    }
    let text: String = serde_json::from_str(&json)?;
    Ok(if reads_as_string_or_failure(&text) { json } else { text })
}

fn reads_as_string_or_failure(text: &str) -> bool {
    match serde_json::from_str(text) {
        Ok(Value::String(_)) => true,
        Ok(value) => is_failure(&value),
        Err(_) => false,
    }
}

fn is_failure(value: &Value) -> bool {
    value.as_object().is_some_and(|members| members.len() == 1)
        && value.get("error").is_some_and(Value::is_string)
}

/// True if a result's content is output from [`failure_content`].
#[cfg(feature = "model")]
pub(crate) fn reads_as_failure(text: &str) -> bool {
    // Most results need not be parsed for this.
    text.starts_with('{')
        && text.ends_with('}')
        && text.contains("\"error\"")
        && serde_json::from_str(text).is_ok_and(|value| is_failure(&value))
}

/// Returns the content for a result that reports a failure.
pub(crate) fn failure_content(why: &str) -> String {
    json!({ "error": why }).to_string()
}

/// Parses a model's arguments; an empty text means no arguments.
pub(crate) fn read_arguments<T: Tool>(text: &str) -> Result<T, ToolDataError> {
    let mut text = ArgumentText::new(some(text));
    let error = match (T::READ)(&mut text) {
        Ok(arguments) => match check_read(&mut text, const { &ExpectedArguments::new::<T>() }) {
            None => return Ok(arguments),
            Some(error) => error,
        },
        Err(error) => unreadable(&text, error, const { &ExpectedArguments::new::<T>() }),
    };
    Err(error)
}

/// The tool whose arguments are parsed.
struct ExpectedArguments {
    tool: &'static str,
    id: fn() -> TypeId,
    arguments: TypeSource,
    unread: ArgumentFaultFn,
}

impl ExpectedArguments {
    const fn new<T: Tool>() -> Self {
        Self { tool: T::NAME, id: TypeId::of::<T>, arguments: TypeSource::of::<T>(), unread: T::UNREAD }
    }
}

// Functions that do not depend on the tool, so that they are compiled once.

/// Checks the text left after the arguments were parsed.
fn check_read(text: &mut ArgumentText<'_>, expected: &ExpectedArguments) -> Option<ToolDataError> {
    let checked = at_end(&mut text.reader)
        .and_then(|()| in_bounds(&Bounds::known((expected.id)(), &expected.arguments), text.text));
    checked.err().map(|unread| unread.into_data_error(expected.tool, ToolData::Arguments))
}

fn unreadable(
    text: &ArgumentText<'_>,
    error: serde_json::Error,
    expected: &ExpectedArguments,
) -> ToolDataError {
    (expected.unread)(text.text, &text.placed(error)).into_data_error(expected.tool, ToolData::Arguments)
}

fn in_bounds(bounds: &Bounds, text: &str) -> Result<(), ArgumentFault> {
    bounds.check_text(text).map_err(|OutOfBounds { path, message }| ArgumentFault { path, message })
}

/// Checks a model's arguments.
pub(in crate::agent::tool) fn check_arguments<T: Tool>(text: &str) -> Result<(), String> {
    match read_arguments::<T>(text) {
        Ok(_) => Ok(()),
        Err(error) => Err(error.to_string()),
    }
}

/// Locates the parse failure in arguments with any type: parses them again, with location tracking.
pub(in crate::agent::tool) fn unread_again<T: Tool>(text: &str, error: &serde_json::Error) -> ArgumentFault {
    match read::<T>(text) {
        Err(unread) => unread,
        Ok(_) => unread_at(text, error),
    }
}

/// Locates the parse failure from the error's position alone. Exact for types that check a value during parsing, and not after.
#[doc(hidden)]
#[must_use]
pub fn unread_at(text: &str, error: &serde_json::Error) -> ArgumentFault {
    let path = path_at(text, error.line(), error.column());
    ArgumentFault { path: quoted(path).to_string(), message: quoted(error).to_string() }
}

/// Parses arguments for a tool without its own type.
#[cfg(feature = "model")]
pub(crate) fn read_final<T: DeserializeOwned>(
    tool: &'static str,
    text: &str,
    bounds: &Bounds,
) -> Result<T, String> {
    let read = read(some(text)).and_then(|value| in_bounds(bounds, some(text)).map(|()| value));
    read.map_err(|error| error.into_data_error(tool, ToolData::Arguments).to_string())
}

/// Returns the arguments text to parse: an empty text means no arguments.
pub(in crate::agent::tool) fn some(text: &str) -> &str {
    if text.trim().is_empty() { "{}" } else { text }
}

/// Parses a frontend tool's result: JSON text, or a string's plain text. An empty text is `null`, unless the type is a string.
/// `meter` measures the untyped parts in all results together.
pub(crate) fn read_frontend_result<T: Tool>(
    text: &str,
    meter: &JsonMeter,
) -> Result<T::Returns, ToolDataError>
where
    T::Returns: DeserializeOwned,
{
    let read = read_by(text, |json| meter.read(json));
    if let Some(bytes) = meter.excess() {
        let message = format!("it takes more than {bytes} bytes in parts without a type");
        return Err(
            ArgumentFault { path: ".".to_owned(), message }.into_data_error(T::NAME, ToolData::Result)
        );
    }
    read.or_else(|error| {
        serde_json::from_value(Value::String(text.to_owned()))
            .or_else(|error| if text.is_empty() { serde_json::from_value(Value::Null) } else { Err(error) })
            .map_err(|_| error.into_data_error(T::NAME, ToolData::Result))
    })
}

/// A parse failure: reason and JSON path.
#[doc(hidden)]
#[derive(Debug)]
pub struct ArgumentFault {
    path: String,
    message: String,
}

impl ArgumentFault {
    fn into_data_error(self, tool: &'static str, what: ToolData) -> ToolDataError {
        ToolDataError { tool, what, path: self.path, message: self.message }
    }
}

fn read<T: DeserializeOwned>(text: &str) -> Result<T, ArgumentFault> {
    read_by(text, |json| serde_path_to_error::deserialize(json))
}

fn read_by<T>(
    text: &str,
    deserialize: impl FnOnce(&mut ArgumentReader<'_>) -> Result<T, JsonReadError>,
) -> Result<T, ArgumentFault> {
    let mut reader = ArgumentReader::from_str(text);
    match deserialize(&mut reader) {
        Ok(value) => at_end(&mut reader).map(|()| value),
        Err(error) => Err(inside(&error)),
    }
}

fn inside(error: &JsonReadError) -> ArgumentFault {
    ArgumentFault { path: quoted(error.path()).to_string(), message: quoted(error.inner()).to_string() }
}

fn at_end(reader: &mut ArgumentReader<'_>) -> Result<(), ArgumentFault> {
    reader.end().map_err(|error| ArgumentFault { path: ".".to_owned(), message: error.to_string() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_string_is_quoted_only_if_it_parses_as_another_string() {
        let there_and_back = |text: &str| {
            let content = value_content(&text).unwrap();
            let back = read::<String>(&content)
                .or_else(|_| serde_json::from_value::<String>(Value::String(content.clone())))
                .unwrap();
            assert_eq!(back, text, "by way of {content}");
            content
        };
        assert_eq!(there_and_back("sunny"), "sunny");
        assert_eq!(there_and_back("42"), "42");
        assert_eq!(there_and_back(r#"{"a":1}"#), r#"{"a":1}"#);
        assert_eq!(there_and_back(r#""quoted""#), r#""\"quoted\"""#);
        assert_eq!(there_and_back(""), "");
    }

    #[test]
    fn a_string_is_never_taken_for_a_failure() {
        let failure = failure_content("no task 77");
        assert_eq!(failure, r#"{"error":"no task 77"}"#);
        for text in [failure.as_str(), " {\n\"error\" : \"\" } "] {
            let content = value_content(&text).unwrap();
            assert_eq!(read::<String>(&content).unwrap(), text, "by way of {content}");
        }
        // Only texts that parse as exactly that.
        for text in [r#"{"error":1}"#, r#"{"error":"a","b":1}"#, r#"{"Error":"a"}"#, r#"["error"]"#] {
            assert_eq!(value_content(&text).unwrap(), text);
        }
    }

    #[test]
    fn other_values_are_json_text() {
        assert_eq!(value_content(&()).unwrap(), "null");
        assert_eq!(value_content(&0.1_f32).unwrap(), "0.1");
        assert_eq!(value_content(&Some(vec![1, 2])).unwrap(), "[1,2]");
        let deep = (0..200).fold(Value::Null, |inner, _| json!([inner]));
        assert_eq!(value_content(&deep).unwrap().len(), 404);
    }
}
