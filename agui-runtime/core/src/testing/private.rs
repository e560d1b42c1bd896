//! Checks that values stay on the server.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde_json::Value;

use crate::protocol::Event;

/// Fails if a value is in a run's events, in any form.
///
/// The events are searched as JSON, as text without escapes, in the pieces that belong together (a text that streams word by word,
/// a call's arguments), and with the feature `server` as protobuf. Each value is searched as itself, in any case, without spaces and
/// punctuation, backwards, in base64 at all three offsets, in hexadecimal digits, and percent-encoded. Use values that occur nowhere
/// else: the search does not know that `1` has nothing to do with an account.
///
/// For what is not a list of events, as a log, a trace or a response of another protocol, see [`assert_private_text`].
///
/// # Panics
/// If a value is there; the message names the value, the form and the event.
///
/// ```
/// use agui_runtime::model::{Model, Reply, ScriptedModel};
/// use agui_runtime::prelude::*;
/// use agui_runtime::testing;
///
/// /// Reads a customer's file.
/// #[tool(private)]
/// async fn customer(name: String) -> String {
///     format!("{name} pays from DE02-1203-0000")
/// }
///
/// /// Helps customers.
/// #[agent(tools = [customer])]
/// async fn desk(run: &mut Run<Desk>, input: Input<Desk>, model: &Model) -> Result<(), Stop> {
///     run.chat(model).await
/// }
///
/// # futures::executor::block_on(async {
/// let script = [
///     Reply::call("customer", customer { name: "Ada Lovelace".to_owned() }),
///     Reply::text("I have the file."),
/// ];
/// let events = testing::run(Desk::new(ScriptedModel::new(script).into()), testing::input("My file?")).await;
/// assert_eq!(testing::texts(&events), ["I have the file."]);
/// testing::assert_private(&events, ["Ada Lovelace", "DE02-1203-0000"]);
/// # });
/// ```
#[track_caller]
pub fn assert_private<V: AsRef<str>>(events: &[Event], values: impl IntoIterator<Item = V>) {
    let mut searched: Vec<(String, Vec<u8>)> = Vec::new();
    let mut joined: BTreeMap<String, String> = BTreeMap::new();
    for (number, event) in events.iter().enumerate() {
        let place = format!("event {number}, {}", event.event_type());
        let json = serde_json::to_value(event);
        assert!(json.is_ok(), "{place} has no JSON form");
        let Ok(json) = json else { continue };
        join(&json, &mut joined);
        let mut texts = String::new();
        each_text(&json, &mut |text| {
            texts.push_str(text);
            texts.push('\n');
        });
        searched.push((place.clone(), json.to_string().into_bytes()));
        searched.push((place.clone(), texts.into_bytes()));
        #[cfg(feature = "proto")]
        {
            let mut binary = Vec::new();
            // An event that protobuf cannot express is sent as JSON.
            if crate::wire::proto::encode(event, &mut binary).is_ok() {
                searched.push((format!("{place}, as protobuf"), binary));
            }
        }
    }
    searched.extend(joined.into_iter().map(|(id, text)| (format!("the pieces of {id}"), text.into_bytes())));
    for value in values {
        for (place, bytes) in &searched {
            refuse(value.as_ref(), place, bytes);
        }
    }
}

/// Fails if a value is in a text or in bytes, in any form that [`assert_private`] searches.
///
/// # Panics
/// If a value is there; the message names the value and the form.
///
/// ```
/// use agui_runtime::testing::assert_private_text;
///
/// assert_private_text("tool failed: class=\"tool_error\"", ["DE02-1203-0000"]);
/// let leak = std::panic::catch_unwind(|| assert_private_text("iban=de0212030000", ["DE02-1203-0000"]));
/// assert!(leak.is_err());
/// ```
#[track_caller]
pub fn assert_private_text<V: AsRef<str>>(text: impl AsRef<[u8]>, values: impl IntoIterator<Item = V>) {
    for value in values {
        refuse(value.as_ref(), "the text", text.as_ref());
    }
}

/// Joins the pieces of streamed texts, by the ids that their events have.
fn join(event: &Value, joined: &mut BTreeMap<String, String>) {
    let member = |name: &str| event.get(name).and_then(Value::as_str);
    let Some(id) = ["messageId", "toolCallId"].into_iter().find_map(member) else { return };
    if let Some(delta) = member("delta").or_else(|| member("content")) {
        joined.entry(id.to_owned()).or_default().push_str(delta);
    }
}

fn each_text(value: &Value, read: &mut impl FnMut(&str)) {
    match value {
        Value::String(text) => {
            read(text);
            // A text may be JSON itself, as a call's arguments are.
            if let Ok(inner @ (Value::Object(_) | Value::Array(_) | Value::String(_))) =
                serde_json::from_str(text)
            {
                each_text(&inner, read);
            }
        }
        Value::Array(items) => items.iter().for_each(|item| each_text(item, read)),
        Value::Object(members) => members.iter().for_each(|(name, member)| {
            read(name);
            each_text(member, read);
        }),
        Value::Number(number) => read(&number.to_string()),
        Value::Null | Value::Bool(_) => {}
    }
}

#[track_caller]
fn refuse(value: &str, place: &str, bytes: &[u8]) {
    assert!(!value.is_empty(), "an empty value is in every text");
    let text = String::from_utf8_lossy(bytes).to_lowercase();
    let plain = letters(&text);
    for (form, wanted) in forms(value) {
        let searched = if form == PLAIN { &plain } else { &text };
        assert!(!searched.contains(&wanted), "`{value}` is in {place}, {form}: it is not private");
    }
}

/// The form without spaces and punctuation.
const PLAIN: &str = "without punctuation";

/// Returns a value's forms, in lower case.
fn forms(value: &str) -> Vec<(&'static str, String)> {
    let mut forms = vec![("as it is", value.to_lowercase())];
    let plain = letters(&value.to_lowercase());
    // Shorter ones are found by chance.
    if plain.chars().count() >= 6 {
        forms.push((PLAIN, plain));
    }
    if value.chars().count() >= 4 {
        forms.push(("backwards", value.to_lowercase().chars().rev().collect()));
        let hex = value.bytes().fold(String::new(), |mut hex, byte| {
            let _ = write!(hex, "{byte:02x}");
            hex
        });
        forms.push(("in hexadecimal digits", hex));
        let percent = value.bytes().fold(String::new(), |mut percent, byte| {
            let _ = match byte.is_ascii_alphanumeric() {
                true => write!(percent, "{}", char::from(byte).to_ascii_lowercase()),
                false => write!(percent, "%{byte:02x}"),
            };
            percent
        });
        forms.push(("percent-encoded", percent));
        forms.push(("in JSON", Value::from(value).to_string().trim_matches('"').to_lowercase()));
    }
    if value.len() >= 6 {
        forms.extend(
            (0..3).map(|offset| ("in base64", base64_inside(value.as_bytes(), offset).to_lowercase())),
        );
    }
    forms
}

fn letters(text: &str) -> String {
    text.chars().filter(|letter| letter.is_alphanumeric()).collect()
}

/// Returns the base64 digits that bytes have behind `offset` other bytes, whatever stands around them.
fn base64_inside(bytes: &[u8], offset: usize) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let skipped = (3 - offset) % 3;
    let whole = bytes.get(skipped..).unwrap_or_default();
    let mut text = String::new();
    for group in whole.chunks_exact(3) {
        let bits = group.iter().fold(0_usize, |bits, byte| bits << 8 | usize::from(*byte));
        for shift in [18, 12, 6, 0] {
            text.extend(DIGITS.get(bits >> shift & 63).map(|digit| char::from(*digit)));
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::{TextMessageContentEvent, ToolCallArgsEvent};

    const VALUE: &str = "DE02-1203-0000";

    fn finds(text: &str) -> bool {
        std::panic::catch_unwind(|| assert_private_text(text, [VALUE])).is_err()
    }

    #[test]
    fn each_form_is_found() {
        for text in [
            VALUE,
            "de02 1203 0000",
            "0000-3021-20ED",
            "iban%3DDE02%2D1203%2D0000",
            "444530322d313230332d30303030",
            "{\"value\":\"\\u0044E02-1203-0000\"} DE02-1203-0000",
        ] {
            assert!(finds(text), "{text}");
        }
        for offset in ["", "x", "xy", "xyz"] {
            use base64::Engine as _;
            let text = base64::engine::general_purpose::STANDARD.encode(format!("{offset}{VALUE}, and more"));
            assert!(finds(&text), "{text}");
        }
        assert!(!finds("DE02-1203-0001 and nothing else"));
    }

    #[test]
    fn pieces_are_searched_together() {
        let words = ["DE02-", "1203-", "0000"];
        let text = words.map(|word| Event::from(TextMessageContentEvent::new("m", word)));
        let arguments = words.map(|word| Event::from(ToolCallArgsEvent::new("c", word)));
        let other = Event::from(TextMessageContentEvent::new("n", "DE02-"));
        for events in [&text[..], &arguments[..]] {
            assert!(std::panic::catch_unwind(|| assert_private(events, [VALUE])).is_err());
        }
        assert_private(&[other], [VALUE]);
    }
}
