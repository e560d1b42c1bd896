//! Valid and invalid model specs.

use super::*;

fn read(spec: &str) -> Result<String, String> {
    let keys = |name: &str| match name {
        "OPENAI_API_KEY" | "GEMINI_API_KEY" | "AGUI_MODEL_KEY" => Some(format!("key of {name}")),
        "ANTHROPIC_API_KEY" => Some(" ".to_owned()),
        _ => None,
    };
    let target = ModelTarget::parse(spec, &keys).map_err(|error| error.to_string())?;
    let ModelTarget { dialect, provider, model, address, key, .. } = target;
    Ok(format!("{dialect:?} {provider} {model} {address} {}", key.unwrap_or_default()))
}

#[test]
fn a_text_names_a_model() {
    for (spec, expected) in [
        (
            "openai:gpt-5-mini",
            "OpenAiResponses openai gpt-5-mini https://api.openai.com/v1 key of OPENAI_API_KEY",
        ),
        ("openai-chat:a", "OpenAiChat openai a https://api.openai.com/v1 key of OPENAI_API_KEY"),
        ("gemini:g@http://h:1/x", "Gemini gemini g http://h:1/x key of GEMINI_API_KEY"),
        ("gemini:g@20250514@http://h:1/x", "Gemini gemini g@20250514 http://h:1/x key of GEMINI_API_KEY"),
        (
            "gemini:g@20250514",
            "Gemini gemini g@20250514 https://generativelanguage.googleapis.com/v1beta key of GEMINI_API_KEY",
        ),
        ("openai-chat:@cf/a/b@https://h/v1", "OpenAiChat openai @cf/a/b https://h/v1 key of OPENAI_API_KEY"),
        ("openai:m@http://me:pw@h/@x", "OpenAiResponses openai m http://h/@x key of OPENAI_API_KEY"),
        ("anthropic:m@http://me:pw@h", "Anthropic anthropic m http://h/ "),
        ("ollama:qwen3:8b", "OpenAiChat ollama qwen3:8b http://127.0.0.1:11434/v1 "),
        ("ollama:hf.co/a/b:Q4", "OpenAiChat ollama hf.co/a/b:Q4 http://127.0.0.1:11434/v1 "),
        (
            " https://LLM.example.com/v1#m ",
            "OpenAiChat llm.example.com m https://llm.example.com/v1 key of AGUI_MODEL_KEY",
        ),
        ("HTTP://h:80#a/b@c:d#e", "OpenAiChat h a/b@c:d#e http://h/ key of AGUI_MODEL_KEY"),
        ("http://me:pw@h:8080/v1/?a=b#m", "OpenAiChat h:8080 m http://h:8080/v1 key of AGUI_MODEL_KEY"),
        ("http://[::1]:1/v1#m", "OpenAiChat [::1]:1 m http://[::1]:1/v1 key of AGUI_MODEL_KEY"),
    ] {
        assert_eq!(read(spec).as_deref(), Ok(expected), "{spec}");
    }
}

#[test]
fn other_texts_and_missing_keys_are_errors() {
    for (spec, expected) in [
        ("anthropic:claude", "needs a key in ANTHROPIC_API_KEY"),
        ("gpt-5", "`gpt-5` names no model"),
        ("gpt-4.1", "`gpt-4.1` names no model"),
        ("meta/llama-3.1", "`meta/llama-3.1` names no model"),
        ("openai:", "names no model"),
        ("openai:@https://a", "names no model"),
        ("openai: @https://a", "names no model"),
        ("openai://gpt-5", "write `provider:model`"),
        ("openai:https://a/v1", "`provider:model@https://…`"),
        ("https://a/v1", "`https://a/v1` names no model: write it behind `#`"),
        ("https://a/v1#", "names no model"),
        ("https://a/v1# ", "names no model"),
        ("https:///v1#m", "has no host"),
        ("https:/a/v1#m", "has no host"),
        ("https:a#m", "has no host"),
        ("http://a b/v1#m", "has a space"),
        ("http://a/v1 #m", "has a space"),
        ("http://a:0#m", "has port 0"),
        ("http://a:99999#m", "cannot be read (invalid port number)"),
        ("ftp://a/v1#m", "has the scheme `ftp`: write `http://` or `https://`"),
        ("mistrel:m", "there is no model provider `mistrel`: there are `openai`, `openai-chat`, "),
        ("mistrel:a/b.c", "there is no model provider `mistrel`"),
        ("mistral:m", "needs a key in MISTRAL_API_KEY"),
        ("azure:m", "the model of `azure` needs an address in AZURE_OPENAI_ENDPOINT"),
        ("bedrock:m", "the model of `bedrock` needs an address in AWS_REGION"),
        ("localhost:8080/v1#m", "write `http://localhost:8080/v1#m`"),
        ("localhost/v1#m", "write `http://localhost/v1#m`"),
        ("gateway:4000/v1#m", "write `http://gateway:4000/v1#m`"),
        ("gateway/v1#m", "write `http://gateway/v1#m`"),
        ("127.0.0.1:1#m", "write `http://127.0.0.1:1#m`"),
        ("[::1]:1/v1#m", "write `http://[::1]:1/v1#m`"),
        ("//a/v1#m", "write `http://a/v1#m`"),
        ("llm.example.com/v1#m", "write `http://llm.example.com/v1#m`"),
        ("openai:m@llm.example.com", "write `http://llm.example.com`"),
        ("openai:m@localhost:1", "write `http://localhost:1`"),
        ("openai:m@proxy/v1", "write `http://proxy/v1`"),
        ("openai:m@", "has no scheme"),
        ("openai:m@ftp://a", "has the scheme `ftp`"),
        ("openai:m@http://", "has no host"),
        ("openai:m@http://a/v1#b", "leave the part out"),
    ] {
        let error = read(spec).unwrap_err();
        assert!(error.contains(expected), "{spec}: {error}");
    }
    let secret = read("https://me:hunter2@a/v1").unwrap_err();
    assert!(secret.contains("`https://…@a/v1`"), "{secret}");
}

/// Each row of the table, with all variables set.
#[test]
fn a_provider_has_an_address_and_a_key() {
    let variables = |name: &str| {
        let value = match name {
            "AZURE_OPENAI_ENDPOINT" => "https://shop.openai.azure.com/",
            "AWS_REGION" | "OLLAMA_HOST" => return None,
            "AWS_DEFAULT_REGION" => "eu-west-1",
            name => name,
        };
        Some(value.to_owned())
    };
    let rows = KNOWN.each_ref().map(|known| {
        let target = ModelTarget::parse(&format!("{}:m", known.name), &variables).unwrap();
        let header = target.key_header().map(|(name, value)| format!("{name}: {value}")).unwrap_or_default();
        format!(
            "{} {:?} {} {header}",
            target.provider,
            target.dialect,
            target.address.endpoint(&target.dialect.path("m"))
        )
    });
    assert_eq!(rows.join("\n"), include_str!("providers.txt").trim_end());
}

#[test]
fn an_address_of_azure_may_have_its_path_and_a_query() {
    for (endpoint, expected) in [
        ("https://a.openai.azure.com", "https://a.openai.azure.com/openai/v1/responses"),
        ("https://a.openai.azure.com/openai/v1/", "https://a.openai.azure.com/openai/v1/responses"),
        (
            "https://a.openai.azure.com/?api-version=p",
            "https://a.openai.azure.com/openai/v1/responses?api-version=p",
        ),
    ] {
        let target = ModelTarget::parse("azure:m", &|_| Some(endpoint.to_owned())).unwrap();
        assert_eq!(target.address.endpoint("responses").as_str(), expected);
    }
}

#[test]
fn an_address_has_the_quirks_of_its_provider() {
    let quirks = |spec: &str| ModelTarget::parse(spec, &|_| Some("k".to_owned())).unwrap().quirks;
    assert_eq!(quirks("https://api.mistral.ai/v1#m"), ChatQuirks::MISTRAL);
    assert_eq!(quirks("mistral:m@http://proxy:1/v1"), ChatQuirks::MISTRAL);
    assert_eq!(quirks("https://api.groq.com/openai/v1#m"), ChatQuirks::IMITATOR);
}

fn ollama(spec: &str, host: &'static str) -> Result<String, String> {
    let keys = |name: &str| (name == "OLLAMA_HOST").then(|| host.to_owned());
    let target = ModelTarget::parse(spec, &keys).map_err(|error| error.to_string())?;
    Ok(target.address.to_string())
}

#[test]
fn ollama_may_be_elsewhere() {
    assert_eq!(ollama("ollama:m", "0.0.0.0:1").as_deref(), Ok("http://127.0.0.1:1/v1"));
    assert_eq!(ollama("ollama:m", " ").as_deref(), Ok("http://127.0.0.1:11434/v1"));
    // An address that is written for this model is nearer.
    let here = "ollama:m@http://127.0.0.1:11434/v1/";
    assert_eq!(ollama(here, "h:1").as_deref(), Ok("http://127.0.0.1:11434/v1"));
    let error = ollama("ollama:m", "ftp://h").unwrap_err();
    assert!(error.starts_with("the address `OLLAMA_HOST=ftp://h` has the scheme `ftp`"), "{error}");
}

#[test]
fn a_key_stands_in_the_header_that_the_address_reads() {
    let header = |spec: &str, key: &str| {
        let target = ModelTarget::parse(spec, &|_| Some(key.to_owned())).unwrap();
        target.key_header().map(|(name, value)| format!("{name}: {value}")).unwrap_or_default()
    };
    let token = "eyJhbGciOiJSUzI1NiJ9.eyJhdWQiOiJhIn0.c2ln";
    for (spec, key, expected) in [
        ("https://h/v1#m", " k\n", "authorization: Bearer k"),
        ("https://r.openai.azure.com/openai/v1#m", "k", "api-key: k"),
        ("http://h/openai/deployments/d?api-version=1#m", "k", "api-key: k"),
        ("openai:m@https://r.openai.azure.com/openai/v1/", "k", "api-key: k"),
        ("https://r.openai.azure.com/openai/v1#m", token, &format!("authorization: Bearer {token}")),
        ("https://me:pw@h/v1#m", "k", ""),
        ("anthropic:m@https://me:pw@h/v1", "k", "x-api-key: k"),
        ("anthropic:m@https://r.services.ai.azure.com/anthropic/v1", "k", "x-api-key: k"),
    ] {
        assert_eq!(header(spec, key), expected, "{spec}");
    }
}
