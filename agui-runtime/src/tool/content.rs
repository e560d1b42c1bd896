//! A tool's JSON values as the text the protocol carries, and back.

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::{Tool, ToolData, ToolDataError};
use crate::quoted::quoted;

/// The content of a TOOL_CALL_RESULT: JSON text, except that a string goes as it is, for models read it better so.
///
/// [`read_answer`] inverts it: a string that would itself read as a JSON string is quoted. So is one that would read as
/// what [`failure_content`] writes, for whoever reads a result takes that for a failure before anything else.
pub(crate) fn value_content<T: Serialize>(value: &T) -> Result<String, serde_json::Error> {
    let json = serde_json::to_string(value)?;
    // Anything but a string is not read again: it may be long, and nested deeper than serde_json reads.
    if !json.starts_with('"') {
        return Ok(json);
    }
    let text: String = serde_json::from_str(&json)?;
    Ok(if reads_as_string_or_failure(&text) { json } else { text })
}

fn reads_as_string_or_failure(text: &str) -> bool {
    match serde_json::from_str(text) {
        Ok(Value::String(_)) => true,
        Ok(Value::Object(members)) => {
            members.len() == 1 && members.get("error").is_some_and(Value::is_string)
        }
        _ => false,
    }
}

/// The content of a result that says why there is none.
pub(crate) fn failure_content(why: &str) -> String {
    json!({ "error": why }).to_string()
}

/// The arguments a model wrote; no text at all means no arguments.
pub(crate) fn read_arguments<T: Tool>(text: &str) -> Result<T, ToolDataError> {
    let text = if text.trim().is_empty() { "{}" } else { text };
    read(text).map_err(|(path, message)| ToolDataError {
        tool: T::NAME,
        what: ToolData::Arguments,
        path,
        message,
    })
}

/// The answer of a user interface: JSON text, or the text of a string. No text at all is nothing, unless it is a string.
pub(crate) fn read_answer<T: Tool>(text: &str) -> Result<T::Returns, ToolDataError>
where
    T::Returns: DeserializeOwned,
{
    read(text).or_else(|(path, message)| {
        serde_json::from_value(Value::String(text.to_owned()))
            .or_else(|error| if text.is_empty() { serde_json::from_value(Value::Null) } else { Err(error) })
            .map_err(|_| ToolDataError { tool: T::NAME, what: ToolData::Answer, path, message })
    })
}

fn read<T: DeserializeOwned>(text: &str) -> Result<T, (String, String)> {
    let mut reader = serde_json::Deserializer::from_str(text);
    let value = serde_path_to_error::deserialize(&mut reader)
        .map_err(|error| (quoted(error.path()).to_string(), quoted(error.inner()).to_string()))?;
    reader.end().map_err(|error| (".".to_owned(), error.to_string()))?;
    Ok(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_string_travels_as_it_is_unless_it_reads_as_another_string() {
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
        // Only what reads as exactly that.
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
