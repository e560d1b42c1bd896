//! Providers that stand in for each other, in each pair of dialects.

use agui_runtime::model::{
    AssistantPart, BrokenReply, ChatModel as _, ModelFallback, Prompt, PromptMessage, ReplyDelta, ReplyModel,
};

use crate::frames::{Said, opened, turn};
use crate::server::{Answer, DIALECTS, Server, prompt, read};

fn hello(dialect: &str) -> Answer {
    Answer::frames(turn(dialect, &[Said::Text("Hello.".into())]))
}

/// Each dialect with each other one behind it.
fn pairs() -> impl Iterator<Item = (&'static str, &'static str)> {
    let others = |first| DIALECTS.into_iter().filter(move |second| *second != first);
    DIALECTS.into_iter().flat_map(move |first| others(first).map(move |second| (first, second)))
}

#[test]
fn another_provider_answers() {
    for (first, second) in pairs() {
        let failures = [
            Answer::status(503, "", "busy"),
            Answer::status(401, "", "wrong key"),
            Answer::frames(opened(first, &[])),
        ];
        for failure in failures {
            let servers = [Server::start([failure]), Server::start([hello(second)])];
            let [broken, other] = [servers[0].model(first), servers[1].model(second)];
            let changed = ReplyModel::new(other.provider(), other.name());
            let read = read(&ModelFallback::new(broken).then(other), &prompt());
            let ReplyDelta::ModelChanged(to) = &read.deltas[0] else { panic!("{first} {second}: {read:?}") };
            assert_eq!(to.clone().with_reason(None), changed);
            assert!(to.reason.is_some(), "{to:?}");
            assert_eq!(read.lines()[1..], ["text Hello.", "end Stop"], "{first} {second}");
        }
    }
}

#[test]
fn a_text_that_breaks_off_is_written_by_another_provider() {
    for (first, second) in pairs() {
        let broken = Answer::frames(opened(first, &[Said::Text("Hel".into())]));
        let servers = [Server::start([broken]), Server::start([hello(second)])];
        let [first, second] = [servers[0].model(first), servers[1].model(second)];
        let model = ModelFallback::new(first).then(second).broken_reply(BrokenReply::Restart);
        let lines = read(&model, &prompt()).lines();
        assert_eq!((&*lines[0], &*lines[2]), ("text Hel", "text Hello."), "{lines:?}");
    }
}

/// Members that only one provider can read stay in the conversation, and go to that provider alone.
#[test]
fn a_conversation_that_moves_keeps_what_the_other_provider_reads() {
    for (first, second) in pairs() {
        let thinks = [Said::Reasoning("Hm.".into(), Some("c2VjcmV0".into())), Said::Text("Rice.".into())];
        let servers = [Server::start([Answer::frames(turn(first, &thinks))]), Server::start([hello(second)])];
        let parts =
            read(&servers[0].model(first), &prompt()).deltas.into_iter().filter_map(|delta| match delta {
                ReplyDelta::Text(text) => Some(AssistantPart::text(text)),
                ReplyDelta::Reasoning(text) => Some(AssistantPart::Reasoning { text, encrypted: None }),
                ReplyDelta::EncryptedReasoning(value) => {
                    Some(AssistantPart::Reasoning { text: String::new(), encrypted: Some(value) })
                }
                _ => None,
            });
        let rice = PromptMessage::Assistant(parts.collect());
        let moved = Prompt::new([PromptMessage::user("Rice?"), rice, PromptMessage::user("And salt?")]);
        let down = Server::start([Answer::status(503, "", "busy")]);
        let model = ModelFallback::new(down.model(first)).then(servers[1].model(second));
        assert_eq!(read(&model, &moved).error.map(|error| error.to_string()), None, "{first} {second}");
        let sent = servers[1].body().to_string();
        assert!(sent.contains("Rice.") && sent.contains("And salt?"), "{first} {second}: {sent}");
        assert!(!sent.contains("c2VjcmV0"), "{first} {second}: {sent}");
    }
}
