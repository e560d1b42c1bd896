//! Questions that stop a run, and their answers.

use agui_runtime::RunOptions;
use agui_runtime::client::{
    ClientError, HttpAgent, LocalAgent, Replay, ResumeError, ResumeValue, RunOutcome, Session, is_expired,
};
use agui_runtime::order::OrderStrictness;
use agui_runtime::prelude::*;
use agui_runtime::protocol::{
    Event, Interrupt, NonNull, ResumeStatus, RunFinishedEvent, RunStartedEvent, TextMessageChunkEvent,
    TextMessageStartEvent,
};
use serde_json::json;

use crate::in_time;
use crate::script::{Scripted, Step, head};

/// Books rooms, with permission.
#[agent]
async fn clerk(run: &mut Run<Clerk>, input: Input<Clerk>) -> Result<(), Stop> {
    let [entry] = input.resume() else {
        return Err(Stop::interrupt(Interrupt::new("int-1", "confirmation").with_message("Book it?")));
    };
    let said = match (&entry.status, &entry.payload) {
        (ResumeStatus::Resolved, Some(payload)) if payload["approved"] == true => "Booked.",
        (ResumeStatus::Resolved, _) => "As you like.",
        (ResumeStatus::Cancelled, _) => "Too late.",
    };
    run.say(said).await;
    Ok(())
}

#[tokio::test]
async fn a_turn_is_refused_until_all_interrupts_have_answers() {
    let mut session: Session = Session::new(LocalAgent::new(Clerk::new()));
    session.say("a room");
    let asked = in_time(session.run()).await.unwrap();
    let RunOutcome::Interrupted { interrupts } = asked.outcome else { panic!("{asked:?}") };
    assert_eq!(session.pending_interrupts(), interrupts);
    let asked = interrupts[0].id.clone();

    session.say("and breakfast");
    let error = in_time(session.run()).await.unwrap_err();
    assert!(
        matches!(&error, ClientError::Resume(ResumeError::Missing(ids)) if *ids == [asked.as_str()]),
        "{error}"
    );

    let unknown =
        session.resume([(asked.as_str(), ResumeValue::cancelled()), ("int-2", ResumeValue::cancelled())]);
    assert_eq!(unknown, Err(ResumeError::Unknown(vec!["int-2".into()])));
    session.resume([(asked, ResumeValue::resolved(NonNull::new(json!({ "approved": true }))))]).unwrap();
    assert_eq!(in_time(session.run()).await.unwrap().text(), "Booked.");
    assert!(session.pending_interrupts().is_empty());

    in_time(session.run()).await.unwrap();
    let asked = session.pending_interrupts()[0].id.clone();
    session.resume([(asked, ResumeValue::cancelled())]).unwrap();
    assert_eq!(in_time(session.run()).await.unwrap().text(), "Too late.");
}

#[tokio::test]
async fn an_expired_interrupt_can_be_cancelled() {
    let log = |expires_at: &str| {
        let frames = json!([
            { "type": "RUN_STARTED", "threadId": "t", "runId": "r" },
            { "type": "RUN_FINISHED", "threadId": "t", "runId": "r", "outcome": { "type": "interrupt", "interrupts": [
                { "id": "a", "reason": "x", "expiresAt": expires_at },
            ] } },
        ]);
        serde_json::from_value::<Vec<Event>>(frames).unwrap()
    };
    // The logs are invented, and so are the ids in them.
    let options = RunOptions::default().unsigned_interrupts(true);
    let session = |log: Vec<Event>| {
        let clerk = LocalAgent::new(Clerk::new()).with_options(options.clone());
        Session::<()>::new(clerk).restore(log).unwrap()
    };
    let mut late = session(log("2020-01-01T00:00:00Z"));
    assert!(is_expired(&late.pending_interrupts()[0], std::time::SystemTime::now()));
    late.resume([("a", ResumeValue::resolved(None))]).unwrap();
    for _ in 0..2 {
        let error = in_time(late.run()).await.unwrap_err();
        let expired = matches!(&error, ClientError::Resume(ResumeError::Expired { id, .. }) if *id == "a");
        assert!(expired, "{error}");
    }
    late.resume([("a", ResumeValue::cancelled())]).unwrap();
    assert_eq!(in_time(late.run()).await.unwrap().text(), "Too late.");

    for never in ["soon", "2999-01-01T00:00:00Z"] {
        let mut open = session(log(never));
        open.resume([("a", ResumeValue::resolved(None))]).unwrap();
        assert_eq!(in_time(open.run()).await.unwrap().text(), "As you like.", "{never}");
    }

    // Answers that did not reach the agent go with the next turn.
    let sse = head("200 OK", "content-type: text/event-stream\r\n");
    let said = crate::sse_of(&crate::lines_of("r", &["Hi"])).into_bytes();
    let scripts = vec![vec![Step::Send(head("503 Busy", ""))], vec![Step::Send(sse), Step::Send(said)]];
    let mut server = Scripted::start(scripts).await;
    let agent = HttpAgent::new(&server.url).unwrap();
    let mut session: Session = Session::new(agent).restore(log("2999-01-01T00:00:00Z")).unwrap();
    session.resume([("a", ResumeValue::resolved(None))]).unwrap();
    assert!(in_time(session.run()).await.unwrap_err().is_worth_another_try());
    assert_eq!(in_time(session.run()).await.unwrap().text(), "Hi");
    for _ in 0..2 {
        assert_eq!(server.asked().await.json()["resume"][0]["interruptId"], "a");
    }
}

#[tokio::test]
async fn a_conversation_goes_on_from_its_log() {
    // An answer counts once, so each recording needs a question of its own.
    for compacts in [false, true] {
        let mut log = Vec::new();
        let mut session: Session = Session::new(LocalAgent::new(Clerk::new())).with_thread_id("t-1");
        session.say("a room");
        let mut turn = session.start();
        while let Some(update) = in_time(turn.next()).await.unwrap() {
            if let agui_runtime::client::TurnUpdate::Event { event, .. } = update {
                log.push(event);
            }
        }
        drop(turn);
        let log = if compacts { agui_runtime::receive::compact::compact(log) } else { log };
        let mut again: Session = Session::new(LocalAgent::new(Clerk::new())).restore(log).unwrap();
        assert_eq!((again.thread_id().as_str(), again.pending_interrupts().len()), ("t-1", 1));
        let asked = again.pending_interrupts()[0].id.clone();
        again.resume([(asked, ResumeValue::resolved(NonNull::new(json!({ "approved": true }))))]).unwrap();
        assert_eq!(in_time(again.run()).await.unwrap().text(), "Booked.");
    }
    let broken = [Event::from(agui_runtime::protocol::TextMessageEndEvent::new("m"))];
    assert!(Session::<()>::new(Replay::default()).restore(broken).is_err());
}

/// A recording is read as strictly as the session reads a stream.
#[test]
fn a_recording_is_restored_as_strictly_as_the_session_is() {
    let started = |run: &str| Event::from(RunStartedEvent::new("t", run).with_protocol_version("1.0"));
    let said = |id: &str| Event::from(TextMessageChunkEvent::new().with_message_id(id).with_delta("Hi"));
    let finished = |run: &str| Event::from(RunFinishedEvent::new("t", run));
    let restored = |strictness, log: Vec<Event>| {
        Session::<()>::new(Replay::default()).with_strictness(strictness).restore(log)
    };
    let all = [OrderStrictness::Client, OrderStrictness::Spec, OrderStrictness::Producer];
    // Two runs, the second of them cut off, are a valid recording.
    let log = vec![started("1"), said("a"), finished("1"), started("2"), said("b")];
    for strictness in all {
        let session = restored(strictness, log.clone()).unwrap();
        assert_eq!(session.messages().len(), 2, "{strictness:?}");
    }
    // Two runs, the first of which was cut off in the middle of a message, are one too.
    let open = Event::from(TextMessageStartEvent::new("a"));
    let log = vec![started("1"), open, started("2"), said("b"), finished("2")];
    for strictness in all {
        let session = restored(strictness, log.clone()).unwrap();
        assert_eq!(session.messages().len(), 2, "{strictness:?}");
    }
    assert_eq!(Replay::of_events(log).runs_left(), 2);
    let another = vec![started("1"), said("a"), finished("2")];
    let unversioned = vec![Event::from(RunStartedEvent::new("t", "1")), finished("1")];
    let codes = |log: Vec<Event>| {
        all.map(|strictness| restored(strictness, log.clone()).err().map(|error| error.code().to_owned()))
    };
    let refused = |code: &str| Some(code.to_owned());
    assert_eq!(codes(another), [None, refused("SPEC_RUN_ID_MISMATCH"), refused("SPEC_RUN_ID_MISMATCH")]);
    assert_eq!(codes(unversioned), [None, None, refused("PRODUCER_NO_PROTOCOL_VERSION")]);
}
