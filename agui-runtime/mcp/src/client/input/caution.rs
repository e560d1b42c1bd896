//! Requests that a person should think about twice.

use reqwest::Url;
use serde_json::Value;

use agui_runtime_core::protocol::JsonObject;

/// The warning beside a form that asks for a secret (MCP, section "Elicitation": servers must not ask for secrets in a form).
pub(super) const SECRET: &str = "This form asks for a secret. Give no passwords, keys or card numbers here.";

/// Longest address, in bytes.
const LONGEST: usize = 2_000;

/// Words for secrets, as parts of a field's name, title or description.
const SECRETS: [&str; 17] = [
    "password",
    "passwd",
    "passphrase",
    "passcode",
    "passwort",
    "contraseña",
    "mot de passe",
    "secret",
    "api key",
    "apikey",
    "access key",
    "private key",
    "access token",
    "credit card",
    "card number",
    "cvv",
    "social security",
];

/// True if a form asks for a secret.
pub(super) fn asks_for_secret(message: &str, schema: &JsonObject) -> bool {
    let fields = schema.get("properties").and_then(Value::as_object);
    let texts = fields.into_iter().flatten().flat_map(|(name, field)| {
        let text = |member: &str| field.get(member).and_then(Value::as_str).unwrap_or_default();
        [name.as_str(), text("title"), text("description"), text("format")]
    });
    std::iter::once(message).chain(texts).any(names_secret)
}

fn names_secret(text: &str) -> bool {
    let text = text.to_lowercase().replace(['_', '-'], " ");
    SECRETS.iter().any(|secret| text.contains(secret))
}

/// Returns an address for people, and its host.
///
/// # Errors
/// A phrase for an address that a person must not open.
pub(super) fn address(url: &str) -> Result<(String, String), String> {
    let too_long = || Err(format!("asks the user to open an address above {LONGEST} bytes"));
    if url.len() > LONGEST {
        return too_long();
    }
    let read =
        Url::parse(url).map_err(|_| "asks the user to open something that is no address".to_owned())?;
    let is_local = || matches!(read.host_str(), Some("localhost" | "127.0.0.1" | "[::1]"));
    match read.scheme() {
        "https" => {}
        "http" if is_local() => {}
        _ => return Err("asks the user to open an address that is not encrypted".to_owned()),
    }
    if !read.username().is_empty() || read.password().is_some() {
        return Err("asks the user to open an address with a user name, which hides the host".to_owned());
    }
    let host = read.host_str().unwrap_or_default().to_owned();
    // Escaped characters need more bytes.
    if read.as_str().len() > LONGEST {
        return too_long();
    }
    Ok((read.into(), host))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn form(fields: Value) -> JsonObject {
        JsonObject::from_iter([("properties".to_owned(), fields)])
    }

    #[test]
    fn secrets_are_found_in_names_and_texts() {
        for fields in [
            json!({ "password": { "type": "string" } }),
            json!({ "api_key": { "type": "string" } }),
            json!({ "a": { "title": "Your API-Key" } }),
            json!({ "a": { "description": "the Credit Card of the company" } }),
            json!({ "a": { "format": "password" } }),
        ] {
            assert!(asks_for_secret("Hello", &form(fields.clone())), "{fields}");
        }
        assert!(asks_for_secret("Type your password", &form(json!({ "a": {} }))));
        for fields in
            [json!({ "name": { "title": "Name" } }), json!({ "passenger": {} }), json!({ "key": {} })]
        {
            assert!(!asks_for_secret("Who flies?", &form(fields.clone())), "{fields}");
        }
    }

    #[test]
    fn only_addresses_that_a_person_can_judge_are_shown() {
        assert_eq!(
            address("https://a.example/pay?x=1"),
            Ok(("https://a.example/pay?x=1".to_owned(), "a.example".to_owned()))
        );
        assert!(address("http://localhost:3000/x").is_ok());
        // Letters that look like others are shown as what they are.
        assert_eq!(address("https://аpple.example/").unwrap().1, "xn--pple-43d.example");
        for url in [
            "javascript:alert(1)",
            "data:text/html,x",
            "file:///etc/passwd",
            "http://a.example/",
            "https://bank.example@evil.example/",
            "",
            "pay here",
            &format!("https://a.example/{}", "x".repeat(2_000)),
            &format!("https://a.example/{}", "ä".repeat(500)),
        ] {
            assert!(address(url).is_err(), "{url}");
        }
    }
}
