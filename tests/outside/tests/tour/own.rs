//! Our own client, over both transports, as a current and as a legacy one.

use std::sync::{Arc, Mutex};

use agui_runtime::client::{Accept, HttpAgent, ResumeValue, RunOutcome, Session};
use agui_runtime::order::OrderStrictness;
use agui_runtime::protocol::{Message, Tool};
use agui_runtime::tool;
use agui_tests::outside::ExampleServer;
use futures::future::join_all;
use serde_json::{Value, json};

use crate::case::Peer;
use crate::seen::{Doing, assert_echo, lines, sights};
use crate::tour;

/// The kind of client: its transport, and its generation.
#[derive(Clone, Copy, Debug)]
struct Client {
    accept: Accept,
    peer: Peer,
}

const CLIENTS: [Client; 4] = [
    Client { accept: Accept::Sse, peer: Peer::Current },
    Client { accept: Accept::Binary, peer: Peer::Current },
    Client { accept: Accept::Sse, peer: Peer::Legacy },
    Client { accept: Accept::Binary, peer: Peer::Legacy },
];

/// The complaints that a client receives.
#[derive(Default, Clone)]
struct Complaints(Arc<Mutex<Vec<String>>>);

impl Complaints {
    fn assert_none(&self, title: &str) {
        assert!(self.0.lock().unwrap().is_empty(), "{title}: {:?}", self.0.lock().unwrap());
    }
}

impl Client {
    fn at(self, route: &str, server: &ExampleServer) -> (Session, Complaints) {
        let complaints = Complaints::default();
        let heard = complaints.clone();
        let agent = HttpAgent::new(format!("{}{route}", server.url())).unwrap().accept(self.accept);
        let session = Session::new(agent)
            .with_strictness(OrderStrictness::Producer)
            .with_warnings(move |warning| heard.0.lock().unwrap().push(warning.to_string()));
        match self.peer {
            Peer::Current => (session, complaints),
            // A client without a version is a legacy one, and gets nothing that such a client does not know.
            Peer::Legacy => (session.with_ceiling("0.0.57".parse().unwrap()), complaints),
        }
    }
}

fn shown(session: &Session) -> Vec<String> {
    let messages: Vec<Value> =
        session.messages().iter().map(|message| serde_json::to_value(message).unwrap()).collect();
    lines(&messages)
}

#[tokio::test]
async fn a_client_of_1_1_gets_types_of_encrypted_values_and_a_client_of_1_0_gets_none() {
    let server = tour();
    for accept in [Accept::Sse, Accept::Binary] {
        let client = Client { accept, peer: Peer::Current };
        for (ceiling, value_type) in [("1.1.0", Some("tour.signature")), ("1.0.0", None)] {
            let (session, complaints) = client.at("/lab/reasoning", &server);
            let mut session = session.with_ceiling(ceiling.parse().unwrap());
            session.say("hi");
            session.run().await.unwrap();
            complaints.assert_none(ceiling);
            let values: Vec<_> = session.messages().iter().filter_map(Message::encrypted).collect();
            let [value] = &values[..] else { panic!("{values:?}") };
            assert_eq!(
                (value.value.as_str(), value.value_type.as_deref()),
                ("b3BhcXVl", value_type),
                "{ceiling}"
            );
        }
    }
}

#[tokio::test]
async fn it_sees_every_route_as_the_official_clients_do() {
    let server = tour();
    let all = CLIENTS
        .into_iter()
        .flat_map(|client| sights(client.peer).into_iter().map(move |sight| (client, sight)));
    join_all(all.map(async |(client, sight)| {
        let (mut session, complaints) = client.at(sight.route, &server);
        let title = format!("{} {client:?}", sight.route);
        match sight.doing {
            Doing::Saying(text) => session.say(text),
            Doing::Offering(tool) => {
                session = session.with_tools([Tool::new(tool, "Asks.")]);
                session.say("hi")
            }
        };
        let done = session.run().await.unwrap_or_else(|error| panic!("{title}: {error}"));
        complaints.assert_none(&title);
        assert_eq!(shown(&session)[1..], sight.lines, "{title}: {done:#?}");
        assert_eq!(session.state_value(), &sight.state, "{title}: {done:#?}");
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

/// Changes the background of the chat.
#[tool(frontend)]
async fn change_background(background: String) -> String;

/// A turn of a session that only answers calls: the number of its runs, and the text of the last.
async fn answered(mut session: Session, text: &str) -> (usize, String) {
    session.say(text);
    let done = session.run().await.unwrap();
    (done.runs, done.text())
}

#[tokio::test]
async fn it_answers_calls() {
    let server = tour();
    for client in CLIENTS {
        let at = |route: &str| client.at(route, &server);
        let two = |text: &str| (2, text.to_owned());
        let (choosing, unchosen) = at("/lab/tool");
        let choosing = choosing.frontend_tool(|mut asked: choose| async move { asked.options.remove(0) });
        assert_eq!(answered(choosing, "hi").await, two("Tool said: red"), "{client:?}");

        let (planning, unplanned) = at("/human_in_the_loop");
        let planning = planning.frontend_tool(|asked: generate_task_steps| async move {
            json!({ "accepted": asked.steps.len() == 10 })
        });
        assert_eq!(answered(planning, "hi").await, two("Ok! I'm working on it."), "{client:?}");

        let (writing, unwritten) = at("/predictive_state_updates");
        let writing = writing
            .frontend_tool(|asked: write_document_local| async move { asked.document })
            .frontend_tool(|_: confirm_changes| async { true });
        assert_eq!(answered(writing, "hi").await, two("Ok!"), "{client:?}");

        let (painting, unpainted) = at("/agentic_chat");
        let painting = painting.frontend_tool(|asked: change_background| async move { asked.background });
        assert_eq!(answered(painting, "tool").await, two("background changed ✓"), "{client:?}");
        for complaints in [unchosen, unplanned, unwritten, unpainted] {
            complaints.assert_none(&format!("{client:?}"));
        }
    }
}

#[tokio::test]
async fn it_answers_questions() {
    let server = tour();
    for client in CLIENTS {
        let (mut asking, unasked) = client.at("/lab/interrupt", &server);
        asking.say("hi");
        let done = asking.run().await.unwrap();
        assert!(
            matches!(&done.outcome, RunOutcome::Interrupted { interrupts } if interrupts.len() == 1),
            "{done:#?}"
        );
        let payload = agui_runtime::protocol::NonNull::new(json!({ "approved": true }));
        asking.resume([("lab-int-1", ResumeValue::resolved(payload))]).unwrap();
        assert_eq!(asking.run().await.unwrap().text(), r#"Resumed lab-int-1: resolved {"approved": true}"#);

        let (mut both, unsaid) = client.at("/lab/interrupts_two", &server);
        both.say("hi");
        both.run().await.unwrap();
        both.resume([("two", ResumeValue::cancelled()), ("one", ResumeValue::resolved(None))]).unwrap();
        assert_eq!(both.run().await.unwrap().text(), "Resumed one=resolved, two=cancelled");
        for complaints in [unasked, unsaid] {
            complaints.assert_none(&format!("{client:?}"));
        }
    }
}

#[tokio::test]
async fn it_sends_its_input_and_reports_failures() {
    let server = tour();
    for client in CLIENTS {
        let props = json!({ "theme": "dark", "none": null });
        let (echoing, unechoed) = client.at("/lab/echo_input", &server);
        let mut echoing =
            echoing.with_forwarded_props(props.clone().try_into().unwrap()).declare_tool::<choose>();
        echoing.say("hi");
        let said = echoing.run().await.unwrap().text();
        assert_echo(&format!("assistant: {said}"), &props);

        let (mut failing, unfailed) = client.at("/lab/error", &server);
        let done = failing.run().await.unwrap();
        let failed =
            RunOutcome::Failed { message: "lab failure".to_owned(), code: Some("LAB_ERR".to_owned()) };
        assert_eq!((done.text(), done.outcome), ("partial".to_owned(), failed));

        let (declaring, undeclared) = client.at("/lab/text", &server);
        let declared = declaring.capabilities().await.unwrap().unwrap();
        assert_eq!(declared.transport.unwrap().streaming, Some(true));
        for complaints in [unechoed, unfailed, undeclared] {
            complaints.assert_none(&format!("{client:?}"));
        }
    }
}
