//! The paths, queries and keys that a provider is asked with, by the address that the program names.

use agui_runtime::model::ModelError;
use agui_runtime::provider::{HostedModel, ModelAddressError, ModelConfigError};

use crate::server::{Answer, Server, prompt, quick, read};

/// The model at an address, with `PORT` for that of the server; the key is that of each variable with a name.
fn model(spec: &str, server: &Server, variables: &'static [(&str, &str)]) -> HostedModel {
    let port = server.port().to_string();
    let value = |name: &str| {
        let found = variables.iter().find(|(of, _)| *of == name);
        found.map(|(_, value)| value.replace("PORT", &port))
    };
    HostedModel::with_keys(&spec.replace("PORT", &port), value).unwrap().options(quick())
}

const KEYS: &[(&str, &str)] = &[
    ("AGUI_MODEL_KEY", "own"),
    ("OPENAI_API_KEY", "openai"),
    ("ANTHROPIC_API_KEY", "anthropic"),
    ("GEMINI_API_KEY", "gemini"),
];

#[test]
fn an_address_stays_what_it_is() {
    const BASIC: &str = "Basic bWU6cEBzcw=="; // me:p@ss
    let stream = "/b/models/g:streamGenerateContent";
    for (spec, path, header, value) in [
        ("http://127.0.0.1:PORT/v1#m", "/v1/chat/completions", "authorization", "Bearer own"),
        ("http://127.0.0.1:PORT/v1//#m", "/v1/chat/completions", "authorization", "Bearer own"),
        ("http://127.0.0.1:PORT#m", "/chat/completions", "authorization", "Bearer own"),
        (
            "http://127.0.0.1:PORT/v1/chat/completions#m",
            "/v1/chat/completions",
            "authorization",
            "Bearer own",
        ),
        ("http://me:p%40ss@127.0.0.1:PORT/v1#m", "/v1/chat/completions", "authorization", BASIC),
        (
            "http://127.0.0.1:PORT/openai/deployments/d?api-version=2024-10-21#m",
            "/openai/deployments/d/chat/completions?api-version=2024-10-21",
            "api-key",
            "own",
        ),
        (
            "http://127.0.0.1:PORT/openai/deployments/d/chat/completions?api-version=2024-10-21#m",
            "/openai/deployments/d/chat/completions?api-version=2024-10-21",
            "api-key",
            "own",
        ),
        ("openai:m@http://127.0.0.1:PORT/v1/responses", "/v1/responses", "authorization", "Bearer openai"),
        (
            "openai:m@http://127.0.0.1:PORT/openai/v1?api-version=preview",
            "/openai/v1/responses?api-version=preview",
            "api-key",
            "openai",
        ),
        ("anthropic:m@x@http://127.0.0.1:PORT/v1?a=b", "/v1/messages?a=b", "x-api-key", "anthropic"),
        ("anthropic:m@http://me:p%40ss@127.0.0.1:PORT/v1", "/v1/messages", "authorization", BASIC),
        ("gemini:g@http://127.0.0.1:PORT/b", &format!("{stream}?alt=sse"), "x-goog-api-key", "gemini"),
        (
            "gemini:g@http://127.0.0.1:PORT/b/?k=v",
            &format!("{stream}?k=v&alt=sse"),
            "x-goog-api-key",
            "gemini",
        ),
    ] {
        let server = Server::start([Answer::turn(&["Once"], &[])]);
        // The frames of one dialect say nothing to the others.
        read(&model(spec, &server, KEYS), &prompt());
        assert_eq!(server.requests()[0].0, path, "{spec}");
        assert_eq!(server.header(header), [value], "{spec}");
        let keys =
            ["authorization", "api-key", "x-api-key", "x-goog-api-key"].map(|name| server.header(name).len());
        let is_both = spec.starts_with("anthropic:m@http://me");
        assert_eq!(keys.into_iter().sum::<usize>(), 1 + usize::from(is_both), "{spec}");
    }
}

#[test]
fn ollama_is_asked_where_its_variable_says() {
    for (variable, path) in [
        (&[("OLLAMA_HOST", "0.0.0.0:PORT")], "/v1/chat/completions"),
        (&[("OLLAMA_HOST", ":PORT")], "/v1/chat/completions"),
        (&[("OLLAMA_HOST", " 'http://127.0.0.1:PORT/' ")], "/v1/chat/completions"),
        (&[("OLLAMA_HOST", "127.0.0.1:PORT/llm")], "/llm/v1/chat/completions"),
    ] {
        let server = Server::start([Answer::turn(&["Once"], &[])]);
        let answer = read(&model("ollama:qwen3", &server, variable), &prompt());
        assert_eq!(answer.lines()[0], "text Once", "{variable:?}");
        assert_eq!((server.requests()[0].0.as_str(), server.header("authorization").len()), (path, 0));
    }
}

#[test]
fn keys_in_an_address_are_in_no_text() {
    let spec = "http://me:hunter2@127.0.0.1:1/v1?key=hunter2#m";
    let model = HostedModel::with_keys(spec, |_| None).unwrap().options(quick());
    assert!(format!("{model:?}").contains("\"127.0.0.1:1\"") && !format!("{model:?}").contains("hunter2"));
    let error = read(&model, &prompt()).error.unwrap();
    let ModelError::Unreachable(cause) = &error else { panic!("{error:?}") };
    assert!(cause.to_string().contains("127.0.0.1:1/v1/chat/completions"), "{cause}");
    assert!(!format!("{cause} {error:?}").contains("hunter2"), "{error:?}");
}

#[test]
fn an_address_that_can_never_work_is_an_error_at_the_start() {
    let problem = |spec: &str| match HostedModel::with_keys(spec, |_| Some("k".to_owned())) {
        Err(ModelConfigError::Address { problem, .. }) => problem,
        other => panic!("{spec}: {other:?}"),
    };
    assert_eq!(problem("http://h/v1"), ModelAddressError::NoModel);
    assert_eq!(problem("ws://h/v1#m"), ModelAddressError::OtherScheme("ws".to_owned()));
    assert_eq!(problem("openai:m@http://h:0"), ModelAddressError::NoPort);
    assert_eq!(problem("https://#m"), ModelAddressError::NoHost);
    let error = HostedModel::with_keys("anthropic:m@proxy.example.com/v1", |_| None).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the address `proxy.example.com/v1` has no scheme: write `http://proxy.example.com/v1`, or the same with `https://`"
    );
}
