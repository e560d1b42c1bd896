//! Our own client, over both transports.

use std::sync::{Arc, Mutex};

use agui_runtime::client::{Accept, Answer, HttpAgent, Outcome, Session};
use agui_runtime::order::Strictness;
use agui_runtime::tool;
use futures::future::join_all;
use serde_json::{Value, json};

use crate::case::Peer;
use crate::seen::{Doing, lines, sights};
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

#[tokio::test]
async fn it_answers_calls_and_questions() {
    let server = tour();
    let at = |route: &str, accept| session(&format!("{}{route}", server.url()), accept);
    for accept in BOTH {
        let (choosing, warnings) = at("/lab/tool", accept);
        let mut choosing = choosing.frontend_tool(|mut asked: choose| async move { asked.options.remove(0) });
        choosing.say("hi");
        let done = choosing.run().await.unwrap();
        assert_eq!((done.runs, done.text()), (2, "Tool said: red".to_owned()), "{accept:?}");

        let (mut asking, asked) = at("/lab/interrupt", accept);
        asking.say("hi");
        let done = asking.run().await.unwrap();
        assert!(
            matches!(&done.outcome, Outcome::Interrupted { interrupts } if interrupts.len() == 1),
            "{done:#?}"
        );
        let payload = agui_runtime::protocol::NonNull::new(json!({ "approved": true }));
        asking.resume([("lab-int-1", Answer::resolved(payload))]).unwrap();
        assert_eq!(asking.run().await.unwrap().text(), r#"Resumed lab-int-1: resolved {"approved": true}"#);
        assert!(warnings.lock().unwrap().is_empty() && asked.lock().unwrap().is_empty());

        let (mut failing, _) = at("/lab/error", accept);
        let failed = failing.run().await.unwrap().outcome;
        assert_eq!(
            failed,
            Outcome::Failed { message: "lab failure".to_owned(), code: Some("LAB_ERR".to_owned()) }
        );

        let (declaring, _) = at("/lab/text", accept);
        let declared = declaring.capabilities().await.unwrap().unwrap();
        assert_eq!(declared.transport.unwrap().streaming, Some(true));
    }
}
