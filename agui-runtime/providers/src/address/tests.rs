//! Addresses in every form, joined with protocol paths.

use super::*;

#[test]
fn an_address_and_a_path_are_joined() {
    let chat = "chat/completions";
    let gemini = "models/g-2:streamGenerateContent?alt=sse";
    for (address, path, expected) in [
        ("http://h:1/v1", chat, "http://h:1/v1/chat/completions"),
        ("http://h:1/v1/", chat, "http://h:1/v1/chat/completions"),
        ("http://h:1/v1//", chat, "http://h:1/v1/chat/completions"),
        ("HTTP://H:80", chat, "http://h/chat/completions"),
        ("https://h/", chat, "https://h/chat/completions"),
        ("https://h/v1/chat/completions", chat, "https://h/v1/chat/completions"),
        ("https://h/v1/chat/completions/", chat, "https://h/v1/chat/completions"),
        ("https://h/xchat/completions", chat, "https://h/xchat/completions/chat/completions"),
        ("https://h/chat", chat, "https://h/chat/chat/completions"),
        (
            "http://h/openai/deployments/d?api-version=2024-10-21",
            chat,
            "http://h/openai/deployments/d/chat/completions?api-version=2024-10-21",
        ),
        (
            "http://h/d/chat/completions?api-version=1&x=%20",
            chat,
            "http://h/d/chat/completions?api-version=1&x=%20",
        ),
        ("http://h/d/?a=/b/&c#".trim_end_matches('#'), chat, "http://h/d/chat/completions?a=/b/&c"),
        ("http://h/v1?", chat, "http://h/v1/chat/completions"),
        ("https://h/v1beta", gemini, "https://h/v1beta/models/g-2:streamGenerateContent?alt=sse"),
        ("https://h/v1beta?key=k", gemini, "https://h/v1beta/models/g-2:streamGenerateContent?key=k&alt=sse"),
        (
            "https://h/v1beta?alt=json&key=k",
            gemini,
            "https://h/v1beta/models/g-2:streamGenerateContent?key=k&alt=sse",
        ),
        (
            "https://h/v1beta/models/g-2:streamGenerateContent?alt=sse",
            gemini,
            "https://h/v1beta/models/g-2:streamGenerateContent?alt=sse",
        ),
        // A name of a model is one or more segments, and neither a query nor a fragment.
        ("https://h", "models/a?b#c d:stream?alt=sse", "https://h/models/a%3Fb%23c%20d:stream?alt=sse"),
        ("https://h", "models/tuned/a:stream?alt=sse", "https://h/models/tuned/a:stream?alt=sse"),
        ("http://me:p%40ss@h/v1", chat, "http://me:p%40ss@h/v1/chat/completions"),
        ("http://[::1]:8080/v1", chat, "http://[::1]:8080/v1/chat/completions"),
        ("http://h/a%2Fb/ü", chat, "http://h/a%2Fb/%C3%BC/chat/completions"),
    ] {
        assert_eq!(ProviderAddress::parse(address).unwrap().endpoint(path).as_str(), expected, "{address}");
    }
}

#[test]
fn an_address_that_can_never_work_is_an_error() {
    let no_scheme = |instead: &str| ModelAddressError::NoScheme { instead: instead.to_owned() };
    for (address, expected) in [
        ("h:1/v1", no_scheme("http://h:1/v1")),
        ("//h/v1", no_scheme("http://h/v1")),
        ("", no_scheme("http://")),
        ("ftp://h", ModelAddressError::OtherScheme("ftp".to_owned())),
        ("://h", ModelAddressError::OtherScheme(String::new())),
        ("http://", ModelAddressError::NoHost),
        ("http:///v1", ModelAddressError::NoHost),
        ("https://?a", ModelAddressError::NoHost),
        ("http://:80/v1", ModelAddressError::NoHost),
        ("http://me@/v1", ModelAddressError::NoHost),
        ("http://h:0/v1", ModelAddressError::NoPort),
        ("http://h /v1", ModelAddressError::Whitespace),
        ("http://h/a\tb", ModelAddressError::Whitespace),
        ("http://h/v1#m", ModelAddressError::TwoModels),
    ] {
        assert_eq!(ProviderAddress::parse(address).err(), Some(expected), "{address}");
    }
    for (address, reason) in [
        ("http://h:65536", "port"),
        ("http://h:x", "port"),
        ("http://[::1", "IPv6"),
        ("http://1.2.3.4.5", "IPv4"),
        ("http://a<b", "domain"),
    ] {
        let error = ProviderAddress::parse(address).err().unwrap().to_string();
        assert!(error.contains(reason) && error.contains("write it as"), "{address}: {error}");
    }
}

#[test]
fn keys_in_an_address_are_not_shown() {
    let address = ProviderAddress::parse("https://me:hunter2@H:1/v1/?key=hunter2").unwrap();
    assert_eq!(address.to_string(), "https://h:1/v1");
    assert_eq!(address.authority(), "h:1");
    assert!(address.has_user());
    for (text, expected) in [
        ("https://me:hunter2@h/v1", "https://…@h/v1"),
        ("https://a@b@h/@m", "https://…@h/@m"),
        ("https://h/@m", "https://h/@m"),
        ("h@m", "h@m"),
    ] {
        assert_eq!(shown(text), expected);
    }
    assert_eq!(with_scheme("me:hunter2@h/v1"), "http://…@h/v1");
}

#[test]
fn azure_is_known_by_its_names_and_by_its_version() {
    for (address, expected) in [
        ("https://r.openai.azure.com/openai/v1", true),
        ("https://R.OpenAI.Azure.com/openai/v1", true),
        ("https://r.cognitiveservices.azure.com/openai/deployments/d", true),
        ("https://r.services.ai.azure.com/models", true),
        ("https://r.openai.azure.us/openai/v1", true),
        ("http://127.0.0.1:1/openai/deployments/d?api-version=2024-10-21", true),
        ("https://r.openai.azure.com.evil.example/openai/v1", false),
        ("https://openai.azure.com.example/v1", false),
        ("https://api.openai.com/v1", false),
        ("https://h/v1?version=1", false),
    ] {
        assert_eq!(ProviderAddress::parse(address).unwrap().is_azure(), expected, "{address}");
    }
}
