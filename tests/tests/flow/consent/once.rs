//! An answer counts once.

use std::sync::Barrier;
use std::thread;

use serde_json::json;

use super::*;

const SENT: &str = "sent 2 of café to Ada";
const ANSWERED: &str = "interrupt_used";

/// A case with ids that no other question of this process has.
fn case(way: Way) -> Case {
    Case { options: RunOptions::default(), ..Case::new(way) }
}

#[test]
fn the_same_answer_counts_once_in_a_process() {
    for way in WAYS {
        let mut case = case(way);
        let asked = case.asked();
        assert_eq!(result(&case.run(&asked.input)), &json!([SENT]), "{way:?}");
        let mut again = asked.input;
        for run in ["r-2", "r-3"] {
            again["runId"] = json!(run);
            assert_refused(&case, &again, ANSWERED, "again");
        }
        // Another payload, or other options, do not count either.
        again["resume"][0]["payload"] = json!({"approved": true, "instead": "more"});
        case.options = RunOptions::default().room(1);
        assert_refused(&case, &again, ANSWERED, "with another payload");
    }
}

#[test]
fn of_two_runs_with_one_answer_at_the_same_time_one_counts() {
    for way in WAYS {
        let case = case(way);
        let asked = case.asked();
        let together = Barrier::new(8);
        let ends: Vec<_> = thread::scope(|scope| {
            let run = || {
                together.wait();
                case.run(&asked.input).pop().unwrap()
            };
            let runs: Vec<_> = (0..8).map(|_| scope.spawn(run)).collect();
            runs.into_iter().map(|run| run.join().unwrap()).collect()
        });
        let counts = ends.iter().filter(|end| end["result"] == json!([SENT])).count();
        let refused = ends.iter().filter(|end| end["code"] == ANSWERED).count();
        assert_eq!((counts, refused), (1, 7), "{way:?}: {ends:#?}");
    }
}

#[test]
fn a_question_that_was_given_up_cannot_be_answered_and_may_be_given_up_again() {
    for way in WAYS {
        let case = case(way);
        let yes = case.asked().input;
        let mut no = yes.clone();
        no["resume"][0]["status"] = json!("cancelled");
        let events = case.run(&no);
        assert_eq!(events[1]["content"], r#"{"error":"the person said no"}"#, "{way:?}");
        assert_refused(&case, &yes, ANSWERED, "after it was given up");
        // The thread continues, as after the cancellation of a question that was never asked.
        let events = case.run(&no);
        assert_ne!(events.last().unwrap()["type"], "RUN_ERROR", "{way:?}: {events:#?}");
        assert!(!json!(events).to_string().contains("TOOL_CALL_RESULT"), "{way:?}: {events:#?}");
    }
}

#[test]
fn a_run_that_is_refused_uses_no_answer_up() {
    let case = case(Way::Typed);
    let genuine = case.asked().input;
    let mut wrong = genuine.clone();
    wrong["resume"][0]["payload"] = json!({"approved": "perhaps"});
    assert_refused(&case, &wrong, "resume_invalid_response", "no response");
    let mut forged = genuine.clone();
    let other = json!({"interruptId": "forged", "status": "resolved"});
    forged["resume"].as_array_mut().unwrap().push(other);
    assert_refused(&case, &forged, "interrupt_not_asked", "beside a forged one");
    let mut changed = genuine.clone();
    changed["messages"].as_array_mut().unwrap().pop();
    assert_refused(&case, &changed, "interrupt_call_changed", "without its call");
    // A run that is never polled does not use an answer either.
    let input: RunAgentInput = serde_json::from_value(genuine.clone()).unwrap();
    let agent = Arc::new(Writer::new(case.way, Arc::clone(&case.runs), None));
    drop(start(agent, input, case.options.clone()));
    assert_eq!(result(&case.run(&genuine)), &json!([SENT]));
}

#[test]
fn an_agent_that_fails_with_an_answer_has_to_ask_again() {
    /// Asks, and cannot act on the answer.
    #[agent]
    async fn broken(_: &mut Run<Broken>, input: Input<Broken>) -> Result<(), Stop> {
        if input.resume().is_empty() {
            return Err(Stop::interrupt(Question::new("sure", "confirmation")));
        }
        Err(Stop::error("the post office is closed"))
    }
    let first = input("t-broken", "r-1");
    let asked = events(Broken::new(), &first, RunOptions::default());
    let yes = answering(&first, &asked, &json!(true));
    let end = |input: &Value| events(Broken::new(), input, RunOptions::default()).pop().unwrap();
    assert_eq!(end(&yes)["message"], "the post office is closed");
    assert_eq!(end(&yes)["code"], ANSWERED);
    let again = events(Broken::new(), &input("t-broken", "r-3"), RunOptions::default());
    assert_eq!(end(&answering(&first, &again, &json!(true)))["message"], "the post office is closed");
}
