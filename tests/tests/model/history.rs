//! Any conversation of a client becomes a prompt that providers accept.

use agui_runtime::model::{AssistantPart, HistoryPolicy, ModelCall, PromptMessage, ToolResult, messages_of};
use agui_runtime::protocol::{
    ActivityMessage, AssistantMessage, AudioPart, Content, ContentPart, DataSource, DocumentPart,
    EncryptedValue, FileSource, FunctionCall, ImagePart, JsonObject, Message, PartSource, ReasoningMessage,
    SystemMessage, TextPart, ToolCall, ToolMessage, UrlSource, UserMessage, VideoPart,
};
use proptest::prelude::*;

/// Any message, with ids from a small set, so that calls and results meet, repeat and miss each other.
fn message() -> impl Strategy<Value = Message> {
    let call = |id: u8| ToolCall::new(format!("call-{id}"), FunctionCall::new("price", "{}"));
    let calls = prop::collection::vec((0_u8..4).prop_map(call), 0..3);
    prop_oneof![
        "[a-z]{0,3}".prop_map(|text| UserMessage::new("m", text).into()),
        "[a-z]{0,3}".prop_map(|text| SystemMessage::new("m", text).into()),
        "[a-z]{0,3}".prop_map(|text| ReasoningMessage::new("m", text).into()),
        ("[a-z]{0,3}", calls).prop_map(|(text, calls)| {
            AssistantMessage::new("m").with_content(text).with_tool_calls(calls).into()
        }),
        (0_u8..4, "[a-z]{0,3}")
            .prop_map(|(id, text)| ToolMessage::new("m", text, format!("call-{id}")).into()),
        Just(ActivityMessage::new("m", "PLAN", JsonObject::new()).into()),
    ]
}

fn calls_of(message: &PromptMessage) -> Vec<String> {
    let PromptMessage::Assistant(parts) = message else { return Vec::new() };
    let calls = parts.iter().filter_map(|part| match part {
        AssistantPart::Call(call) => Some(call.id.to_string()),
        _ => None,
    });
    calls.collect()
}

proptest! {
    #[test]
    fn every_prompt_follows_the_rules(
        messages in prop::collection::vec(message(), 0..12),
        system in any::<bool>(),
        drop_dangling in any::<bool>(),
    ) {
        let mut policy = HistoryPolicy::default();
        if system {
            policy = policy.allow_system_messages();
        }
        if drop_dangling {
            policy = policy.drop_dangling_calls();
        }
        let prompt = policy.read(&messages);
        let mut seen = std::collections::HashSet::new();
        for (at, message) in prompt.iter().enumerate() {
            let calls = calls_of(message);
            for call in &calls {
                prop_assert!(seen.insert(call.clone()), "{call} twice in {prompt:#?}");
            }
            let answers = match prompt.get(at + 1) {
                Some(PromptMessage::Tools(answers)) => answers.iter().map(|answer| answer.id.to_string()).collect(),
                _ => Vec::new(),
            };
            match message {
                PromptMessage::Assistant(parts) => {
                    prop_assert_eq!(calls, answers, "{:#?}", &prompt);
                    prop_assert!(!parts.is_empty());
                    prop_assert!(!matches!(prompt.get(at + 1), Some(PromptMessage::Assistant(_))), "{:#?}", &prompt);
                }
                PromptMessage::Tools(answers) => {
                    prop_assert!(!answers.is_empty());
                    prop_assert!(at > 0 && matches!(prompt[at - 1], PromptMessage::Assistant(_)), "{:#?}", &prompt);
                }
                PromptMessage::User(parts) => {
                    prop_assert!(!parts.is_empty());
                    prop_assert!(!matches!(prompt.get(at + 1), Some(PromptMessage::User(_))), "{:#?}", &prompt);
                }
                PromptMessage::System(_) => prop_assert!(system),
            }
        }
        // Nothing that the user or the model said is lost.
        let said: String = messages.iter().filter_map(|message| match message {
            Message::User(user) => Some(user.content.text().into_owned()),
            Message::Assistant(assistant) => assistant.content.clone(),
            _ => None,
        }).collect();
        let read: String = prompt.iter().flat_map(|message| match message {
            PromptMessage::User(parts) => vec![Content::Parts(parts.clone()).text().into_owned()],
            PromptMessage::Assistant(parts) => parts.iter().filter_map(|part| match part {
                AssistantPart::Text { text, .. } => Some(text.clone()),
                _ => None,
            }).collect(),
            _ => Vec::new(),
        }).collect();
        prop_assert_eq!(said, read);
    }
}

#[test]
fn a_result_moves_behind_its_call() {
    let call = ToolCall::new("call-1", FunctionCall::new("price", "{}"));
    let messages = [
        AssistantMessage::new("1").with_tool_calls([call]).into(),
        UserMessage::new("2", "Hurry.").into(),
        ToolMessage::new("3", "180", "call-1").into(),
    ];
    let read = HistoryPolicy::default().read(&messages);
    let [PromptMessage::Assistant(_), PromptMessage::Tools(answers), PromptMessage::User(_)] = &read[..]
    else {
        panic!("{read:#?}")
    };
    assert_eq!((&*answers[0].content.text(), answers[0].failed), ("180", false));
}

#[test]
fn a_refused_result_is_a_failure() {
    let call = ToolCall::new("call-1", FunctionCall::new("checkout", "{}"));
    let messages = [
        AssistantMessage::new("1").with_tool_calls([call]).into(),
        ToolMessage::new("3", "", "call-1").with_error("no such page").into(),
    ];
    let read = HistoryPolicy::default().read(&messages);
    let PromptMessage::Tools(answers) = &read[1] else { panic!("{read:#?}") };
    assert_eq!((&*answers[0].content.text(), answers[0].failed), (r#"{"error":"no such page"}"#, true));
}

#[test]
fn files_are_passed_on_by_allowed_schemes() {
    let image = |source: agui_runtime::protocol::PartSource| ContentPart::from(ImagePart::new(source));
    let parts: Vec<ContentPart> = vec![
        image(UrlSource::new("https://example.com/rice.png").into()),
        image(UrlSource::new("HTTPS://example.com/rice.png").into()),
        image(UrlSource::new("file:///etc/passwd").into()),
        image(UrlSource::new("no address").into()),
        image(DataSource::new("aGk=", "image/png").into()),
    ];
    let messages = [UserMessage::new("1", parts).into()];
    let kinds = |policy: HistoryPolicy| match &policy.read(&messages)[..] {
        [PromptMessage::User(parts)] => {
            parts.iter().map(|part| matches!(part, ContentPart::Image(_))).collect::<Vec<_>>()
        }
        read => panic!("{read:#?}"),
    };
    assert_eq!(kinds(HistoryPolicy::default()), [true, true, false, false, true]);
    assert_eq!(kinds(HistoryPolicy::default().url_schemes(["file"])), [false, false, true, false, true]);
}

#[test]
fn the_bytes_in_an_address_are_data() {
    let image: ContentPart = ImagePart::new(UrlSource::new("data:image/png;base64,aGk=")).into();
    let read = HistoryPolicy::default().read(&[UserMessage::new("1", vec![image]).into()]);
    let expected: ContentPart = ImagePart::new(DataSource::new("aGk=", "image/png")).into();
    assert_eq!(read, [PromptMessage::User(vec![expected])]);
}

#[test]
fn an_encrypted_value_without_text_is_kept() {
    let call = ToolCall::new("call-1", FunctionCall::new("price", "{}"));
    let message = AssistantMessage::new("1").with_encrypted_value("c2ln").with_tool_calls([call]);
    let read = HistoryPolicy::default().read(&[message.into()]);
    let PromptMessage::Assistant(parts) = &read[0] else { panic!("{read:#?}") };
    let expected = AssistantPart::Text { text: String::new(), encrypted: Some("c2ln".into()) };
    assert_eq!((parts.len(), &parts[0]), (2, &expected));
}

/// Any part of a message, with any source.
fn part() -> impl Strategy<Value = ContentPart> {
    let source = prop_oneof![
        Just(PartSource::from(DataSource::new("aGk=", "image/png"))),
        Just(UrlSource::new("https://example.com/a").with_mime_type("image/png").into()),
        Just(FileSource::new("file-1").with_provider("openai").into()),
    ];
    prop_oneof![
        "[a-z]{0,3}".prop_map(|text| TextPart::new(text).into()),
        (source, 0..4).prop_map(|(source, kind)| match kind {
            0 => ImagePart::new(source).into(),
            1 => AudioPart::new(source).into(),
            2 => VideoPart::new(source).into(),
            _ => DocumentPart::new(source).into(),
        }),
    ]
}

/// A turn of the model, with the results of its calls.
fn legal_turn() -> impl Strategy<Value = Vec<PromptMessage>> {
    let value = || {
        ("[a-z]{1,3}", prop::option::of("[a-z]{1,3}")).prop_map(|(value, value_type)| match value_type {
            Some(value_type) => EncryptedValue::new(value).with_type(value_type),
            None => EncryptedValue::new(value),
        })
    };
    let signature = prop::option::of(value());
    let said = prop_oneof![
        ("[a-z]{1,3}", signature.clone())
            .prop_map(|(text, encrypted)| AssistantPart::Text { text, encrypted }),
        ("[a-z]{1,3}", signature.clone())
            .prop_map(|(text, encrypted)| AssistantPart::Reasoning { text, encrypted }),
        value().prop_map(|value| AssistantPart::Reasoning { text: String::new(), encrypted: Some(value) }),
        value().prop_map(|value| AssistantPart::Text { text: String::new(), encrypted: Some(value) }),
        signature.prop_map(|encrypted| {
            let mut call = ModelCall::new("", "price", "{}");
            call.encrypted = encrypted;
            AssistantPart::Call(call)
        }),
    ];
    let result = prop_oneof![
        "[a-z]{0,3}".prop_map(|text| (Content::from(text), false)),
        Just((Content::from(r#"{"error":"none"}"#), true)),
        (prop::collection::vec(part(), 1..3), any::<bool>())
            .prop_map(|(parts, failed)| (Content::Parts(parts), failed)),
    ];
    (prop::collection::vec(said, 1..5), prop::collection::vec(result, 5), prop::collection::vec(part(), 1..3))
        .prop_filter("reasoning alone is no turn", |(said, ..)| {
            !said.iter().all(|part| matches!(part, AssistantPart::Reasoning { .. }))
        })
        .prop_map(|(said, results, user)| {
            let answers: Vec<_> = said
                .iter()
                .zip(results)
                .filter(|(part, _)| matches!(part, AssistantPart::Call(_)))
                .map(|(_, (content, failed))| {
                    let mut answer = ToolResult::new("", "price", content);
                    answer.failed = failed;
                    answer
                })
                .collect();
            let mut turn = vec![PromptMessage::User(user), PromptMessage::Assistant(said)];
            turn.extend((!answers.is_empty()).then_some(PromptMessage::Tools(answers)));
            turn
        })
}

proptest! {
    /// All parts, sources, signatures and failures.
    #[test]
    fn a_prompt_is_the_same_after_the_way_to_a_conversation_and_back(
        turns in prop::collection::vec(legal_turn(), 0..4), system in prop::option::of("[a-z]{1,3}"),
    ) {
        let mut prompt: Vec<_> = system.into_iter().map(PromptMessage::System).collect();
        prompt.extend(turns.concat());
        let (mut calls, mut results) = (0, 0);
        for message in &mut prompt {
            match message {
                PromptMessage::Assistant(parts) => {
                    for part in parts {
                        if let AssistantPart::Call(call) = part {
                            calls += 1;
                            call.id = format!("call-{calls}").into();
                        }
                    }
                }
                PromptMessage::Tools(answers) => {
                    for answer in answers {
                        results += 1;
                        answer.id = format!("call-{results}").into();
                    }
                }
                _ => {}
            }
        }
        let messages = messages_of(&prompt);
        let read = HistoryPolicy::default().allow_system_messages().read(&messages);
        prop_assert_eq!(read, prompt, "{:#?}", messages);
    }
}
