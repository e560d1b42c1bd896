//! Our own client, over both transports.

use std::sync::{Arc, Mutex};

use agui_runtime::client::{Accept, Answer, HttpAgent, Outcome, Session};
use agui_runtime::order::Strictness;
use agui_runtime::tool;
use futures::future::join_all;
use serde_json::{Value, json};

use crate::case::Peer;
use crate::seen::{Doing, assert_echo, lines, sights};
use crate::tour;

const BOTH: [Accept; 2] = [Accept::Sse, Accept::Binary];

fn session(url: &str, accept: Accept) -> (Session, Arc<Mutex<Vec<String>>>) {
    let warnings = Arc::new(Mutex::new(Vec::new()));
    let heard = Arc::clone(&warnings);
    let session = Session::new(HttpAgent::new(url).unwrap().accept(accept))
        .with_strictness(Strictness::Producer)
        .with_warnings(move |warning| heard.lock().unwrap().push(warning.to_string()));
    (session, warnings)
}

fn shown(session: &Session) -> Vec<String> {
    let messages: Vec<Value> =
        session.messages().iter().map(|message| serde_json::to_value(message).unwrap()).collect();
    lines(&messages)
}

#[tokio::test]
async fn it_sees_every_route_as_the_official_clients_do() {
    let server = tour();
    let all =
        BOTH.into_iter().flat_map(|accept| sights(Peer::Current).into_iter().map(move |it| (it, accept)));
    let all = all.filter_map(|(sight, accept)| match sight.doing {
        Doing::Saying(text) => Some((sight, text, accept)),
        Doing::Offering(_) => None,
    });
    join_all(all.map(async |(sight, text, accept)| {
        let (mut session, warnings) = session(&format!("{}{}", server.url(), sight.route), accept);
        session.say(text);
        let done = session.run().await.unwrap_or_else(|error| panic!("{} {accept:?}: {error}", sight.route));
        let title = format!("{} {accept:?}: {done:#?}", sight.route);
        assert!(warnings.lock().unwrap().is_empty(), "{title} {warnings:?}");
        assert_eq!(shown(&session)[1..], sight.lines, "{title}");
        assert_eq!(session.state_value(), &sight.state, "{title}");
    }))
    .await;
}

/// Asks a question.
#[tool(frontend)]
async fn choose(question: String, options: Vec<String>) -> String;

/// Lets the person choose which steps to take.
#[tool(frontend)]
async fn generate_task_steps(steps: Vec<Value>) -> Value;

/// Writes a document, which the page keeps.
#[tool(frontend)]
async fn write_document_local(document: String) -> String;

/// Lets the person keep the changes, or not.
#[tool(frontend)]
async fn confirm_changes() -> bool;

/// Changes what is behind the chat.
#[tool(frontend)]
async fn change_background(background: String) -> String;

/// A turn of a session that only answers calls: how many runs it took, and what was said in the last.
async fn answered(mut session: Session, text: &str) -> (usize, String) {
    session.say(text);
    let done = session.run().await.unwrap();
    (done.runs, done.text())
}

#[tokio::test]
async fn it_answers_calls() {
    let server = tour();
    for accept in BOTH {
        let at = |route: &str| session(&format!("{}{route}", server.url()), accept);
        let two = |text: &str| (2, text.to_owned());
        let (choosing, warnings) = at("/lab/tool");
        let choosing = choosing.frontend_tool(|mut asked: choose| async move { asked.options.remove(0) });
        assert_eq!(answered(choosing, "hi").await, two("Tool said: red"), "{accept:?}");

        let (planning, unplanned) = at("/human_in_the_loop");
        let planning = planning.frontend_tool(|asked: generate_task_steps| async move {
            json!({ "accepted": asked.steps.len() == 10 })
        });
        assert_eq!(answered(planning, "hi").await, two("Ok! I'm working on it."), "{accept:?}");

        let (writing, unwritten) = at("/predictive_state_updates");
        let writing = writing
            .frontend_tool(|asked: write_document_local| async move { asked.document })
            .frontend_tool(|_: confirm_changes| async { true });
        assert_eq!(answered(writing, "hi").await, two("Ok!"), "{accept:?}");

        let (painting, unpainted) = at("/agentic_chat");
        let painting = painting.frontend_tool(|asked: change_background| async move { asked.background });
        assert_eq!(answered(painting, "tool").await, two("background changed ✓"), "{accept:?}");
        for warnings in [warnings, unplanned, unwritten, unpainted] {
            assert!(warnings.lock().unwrap().is_empty(), "{warnings:?}");
        }
    }
}

#[tokio::test]
async fn it_answers_questions() {
    let server = tour();
    for accept in BOTH {
        let at = |route: &str| session(&format!("{}{route}", server.url()), accept);
        let (mut asking, warnings) = at("/lab/interrupt");
        asking.say("hi");
        let done = asking.run().await.unwrap();
        assert!(
            matches!(&done.outcome, Outcome::Interrupted { interrupts } if interrupts.len() == 1),
            "{done:#?}"
        );
        let payload = agui_runtime::protocol::NonNull::new(json!({ "approved": true }));
        asking.resume([("lab-int-1", Answer::resolved(payload))]).unwrap();
        assert_eq!(asking.run().await.unwrap().text(), r#"Resumed lab-int-1: resolved {"approved": true}"#);

        let (mut both, unsaid) = at("/lab/interrupts_two");
        both.say("hi");
        both.run().await.unwrap();
        both.resume([("two", Answer::cancelled()), ("one", Answer::resolved(None))]).unwrap();
        assert_eq!(both.run().await.unwrap().text(), "Resumed one=resolved, two=cancelled");
        assert!(warnings.lock().unwrap().is_empty() && unsaid.lock().unwrap().is_empty());
    }
}

#[tokio::test]
async fn it_sends_what_it_has_and_hears_of_failures() {
    let server = tour();
    for accept in BOTH {
        let at = |route: &str| session(&format!("{}{route}", server.url()), accept);
        let props = json!({ "theme": "dark", "none": null });
        let (echoing, _) = at("/lab/echo_input");
        let mut echoing = echoing
            .with_forwarded_props(props.clone().try_into().unwrap())
            .frontend_tool(|mut asked: choose| async move { asked.options.remove(0) });
        echoing.say("hi");
        let said = echoing.run().await.unwrap().text();
        assert_echo(&format!("assistant: {said}"), &props);

        let (mut failing, _) = at("/lab/error");
        let done = failing.run().await.unwrap();
        let failed = Outcome::Failed { message: "lab failure".to_owned(), code: Some("LAB_ERR".to_owned()) };
        assert_eq!((done.text(), done.outcome), ("partial".to_owned(), failed));

        let (declaring, _) = at("/lab/text");
        let declared = declaring.capabilities().await.unwrap().unwrap();
        assert_eq!(declared.transport.unwrap().streaming, Some(true));
    }
}
