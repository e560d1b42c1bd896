//! The requests that go out have the types that the providers publish.

use agui_runtime::model::{ChatModel as _, HistoryPolicy, Prompt, SchemaDialect, ToolSpec};
use agui_runtime::protocol::{
    AssistantMessage, Content, ContentPart, Context, DataSource, DocumentPart, FileSource, FunctionCall,
    ImagePart, Message, ReasoningMessage, SystemMessage, TextPart, ToolCall, ToolMessage, UrlSource,
    UserMessage,
};
use agui_runtime::provider::ModelOptions;
use agui_tests::model_server::{Answer, Server, quick};
use agui_tests::need;
use agui_tests::outside::check_requests;
use agui_tests::schema_forms::{DIALECTS, Form, forms};
use futures::StreamExt as _;
use proptest::prelude::*;
use proptest::strategy::ValueTree as _;
use proptest::test_runner::TestRunner;
use serde_json::json;

const TYPES: [(&str, &str); 4] = [
    ("openai-chat:gpt-4o", "OpenAI.Chat.ChatCompletionCreateParamsStreaming"),
    ("openai:gpt-5-mini", "OpenAI.Responses.ResponseCreateParamsStreaming"),
    ("anthropic:claude-sonnet-4-5", "Anthropic.MessageCreateParamsStreaming"),
    ("gemini:gemini-2.5-flash", "Gemini"),
];

/// Any message of a client; the signatures are of all dialects, and calls meet, repeat and miss their results.
fn message() -> impl Strategy<Value = Message> {
    let sealed = prop::sample::select(vec![
        None,
        Some("openai:rs_1:c2ln"),
        Some("anthropic:c2ln"),
        Some("anthropic-redacted:c2ln"),
        Some("gemini:c2ln"),
        Some("foreign"),
    ]);
    let part = prop::sample::select(vec![
        ContentPart::from(TextPart::new("Look.")),
        ImagePart::new(DataSource::new("aGk=", "image/png")).into(),
        ImagePart::new(UrlSource::new("https://example.com/a.png")).into(),
        ImagePart::new(UrlSource::new("ftp://example.com/a.png")).into(),
        DocumentPart::new(DataSource::new("aGk=", "application/pdf")).into(),
    ]);
    let content = prop_oneof![
        "[a-z ]{0,9}".prop_map(Content::from),
        prop::collection::vec(part, 0..3).prop_map(Content::Parts),
    ];
    let call = |id: u8| {
        ToolCall::new(
            format!("call:{id}"),
            FunctionCall::new("price", if id == 0 { "half {" } else { "{\"a\":1}" }),
        )
    };
    let calls = prop::collection::vec((0_u8..4).prop_map(call), 0..3);
    prop_oneof![
        content.clone().prop_map(|content| UserMessage::new("m", content).into()),
        "[a-z]{0,3}".prop_map(|text| SystemMessage::new("m", text).into()),
        ("[a-z]{0,3}", sealed).prop_map(|(text, sealed)| {
            let mut message = ReasoningMessage::new("m", text);
            message.encrypted_value = sealed.map(str::to_owned);
            message.into()
        }),
        ("[a-z]{0,3}", calls).prop_map(|(text, calls)| {
            AssistantMessage::new("m").with_content(text).with_tool_calls(calls).into()
        }),
        (0_u8..4, content)
            .prop_map(|(id, content)| ToolMessage::new("m", content, format!("call:{id}")).into()),
    ]
}

fn sent(name: &str, prompt: &Prompt, strict_tools: bool) -> serde_json::Value {
    let server = Server::start([Answer::status(500, "", "enough")]);
    let model =
        server.model(name).options(ModelOptions { parallel_calls: Some(true), strict_tools, ..quick() });
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let error = model.respond(prompt).next().await;
        assert!(server.requests().len() == 1, "{name}: {error:?}");
    });
    server.body()
}

/// The schemas of all forms that a provider has, as tools of one request.
#[test]
fn the_schemas_of_tools_have_the_types_of_the_providers() {
    let mut requests = Vec::new();
    for (name, of) in TYPES {
        for dialect in DIALECTS.into_iter().filter(|dialect| is_of(name, *dialect)) {
            let has_form = |form: &Form| form.lacks(dialect).is_none();
            let tools = forms().into_iter().filter(has_form).enumerate();
            let spec =
                |(at, form): (usize, Form)| ToolSpec::new(format!("tool_{at}"), form.name, form.schema);
            let mut prompt =
                Prompt::new(HistoryPolicy::default().read(&[UserMessage::new("m", "Hi.").into()]));
            prompt.tools = tools.map(spec).collect::<Vec<_>>().into();
            assert!(prompt.tools.len() > 40, "{name}: {}", prompt.tools.len());
            let is_strict = matches!(dialect, SchemaDialect::OpenAiStrict | SchemaDialect::AnthropicStrict);
            requests.push((of, sent(name, &prompt, is_strict)));
        }
    }
    assert_eq!(requests.len(), 7);
    need!(check_requests(&requests));
}

fn is_of(name: &str, dialect: SchemaDialect) -> bool {
    match dialect {
        SchemaDialect::OpenAi | SchemaDialect::OpenAiStrict => name.starts_with("openai"),
        SchemaDialect::Anthropic | SchemaDialect::AnthropicStrict => name.starts_with("anthropic"),
        SchemaDialect::Gemini => name.starts_with("gemini"),
        _ => false,
    }
}

#[test]
fn any_conversation_has_the_types_of_the_providers() {
    let conversations = prop::collection::vec(message(), 1..9);
    let mut runner = TestRunner::deterministic();
    let mut requests = Vec::new();
    for round in 0..24 {
        let mut messages = conversations.new_tree(&mut runner).unwrap().current();
        messages.push(UserMessage::new("last", "And now?").into());
        let mut prompt = Prompt::new(HistoryPolicy::default().allow_system_messages().read(&messages));
        if round % 2 == 0 {
            prompt = prompt.with_instructions("Be brief.");
            prompt.context = vec![Context::new("The city", "Kyoto")];
        }
        if round % 3 == 0 {
            let schema = json!({ "type": "object", "properties": { "name": { "type": ["string", "null"] } }, "required": ["name"] });
            prompt.tools = vec![
                ToolSpec::new("price", "Tells prices.", schema),
                ToolSpec::new("now", "", json!({ "type": "object" })),
            ]
            .into();
        }
        for (name, of) in TYPES {
            requests.push((of, sent(name, &prompt, false)));
        }
    }
    let file = DocumentPart::new(FileSource::new("file-1")).into();
    let prompt = Prompt::new([agui_runtime::model::PromptMessage::User(vec![file])]);
    for (name, of) in TYPES.into_iter().take(2) {
        requests.push((of, sent(name, &prompt, false)));
    }
    need!(check_requests(&requests));
}
