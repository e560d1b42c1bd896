//! Answers that count.

use agui_runtime::protocol::RunAgentInput;
use agui_runtime::{RunOptions, testing};
use futures::executor::block_on;
use serde_json::{Value, json};

use super::*;

const SENT: &str = "sent 2 of café to Ada";

#[test]
fn the_answer_to_a_question_that_was_asked_runs_its_call() {
    let mut streams = Vec::new();
    for way in WAYS {
        for declares in [true, false] {
            let case = Case::new(way);
            let mut first = input("t", "r-1");
            if !declares {
                // A legacy client.
                first.as_object_mut().unwrap().remove("protocolVersion");
            }
            let asked = case.run(&first);
            let done = case.run(&answering(&first, &asked, &json!({"approved": true})));
            assert_eq!(result(&done), &json!([SENT]), "{way:?}");
            streams.extend([json!(asked), json!(done)]);
        }
    }
    judge_all(&streams);
}

#[test]
fn the_agent_sees_the_id_that_it_gave() {
    let case = Case::new(Way::Untyped);
    let asked = case.asked();
    let id = asked.question["id"].as_str().unwrap();
    let token = id.strip_prefix("send.").unwrap();
    assert_eq!(token.len(), 98, "a form, a run, a call and a code of 73 bytes: {token}");
    let typed = Case::new(Way::Typed).asked();
    assert!(typed.question["id"].as_str().unwrap().starts_with("confirm_send#x-interrupt-2#x-call-1."));
}

#[test]
fn a_person_may_change_the_arguments_by_the_answer() {
    for way in WAYS {
        let case = Case::new(way);
        let mut asked = case.asked();
        asked.input["resume"][0]["payload"] = json!({"approved": true, "instead": "thé"});
        assert_eq!(result(&case.run(&asked.input)), &json!(["sent 2 of thé to Ada"]), "{way:?}");
    }
}

#[test]
fn a_refusal_and_a_cancelled_question_answer_the_call_with_an_error() {
    for way in WAYS {
        let case = Case::new(way);
        let mut asked = case.asked();
        for entry in
            [json!({"status": "resolved", "payload": {"approved": false}}), json!({"status": "cancelled"})]
        {
            let id = asked.input["resume"][0]["interruptId"].clone();
            asked.input["resume"][0] = entry;
            asked.input["resume"][0]["interruptId"] = id;
            let events = case.run(&asked.input);
            assert_eq!(result(&events), &json!([]), "{way:?}");
            assert_eq!(events[1]["content"], r#"{"error":"the person said no"}"#, "{way:?}");
        }
    }
}

/// CopilotKit's older message format and databases do that.
#[test]
fn a_client_may_parse_the_arguments_and_write_them_again() {
    for way in WAYS {
        let case = Case::new(way);
        let asked = case.asked();
        for written in [
            r#"{"to":"Ada","text":"café","copies":2}"#,
            r#"{"to":"Ada","text":"café","copies":20e-1}"#,
            r#"{"copies":2.0,"text":"café","to":"Ada"}"#,
            "{\n  \"copies\": 2.0,\n  \"text\": \"caf\\u00e9\",\n  \"to\": \"Ada\"\n}\n",
        ] {
            let mut input = asked.input.clone();
            input["messages"][1]["toolCalls"][0]["function"]["arguments"] = json!(written);
            assert_eq!(result(&case.run(&input)), &json!([SENT]), "{way:?}: {written}");
        }
    }
}

#[test]
fn a_new_key_knows_the_questions_of_the_one_before_it() {
    let mut case = Case::new(Way::Typed);
    let asked = case.asked();
    case.options = options().interrupt_key(key(2).with_previous([1; 32]).unwrap());
    assert_eq!(result(&case.run(&asked.input)), &json!([SENT]));
    case.options = options().interrupt_key(key(2));
    assert_refused(&case, &asked.input, "interrupt_not_asked", "after the rotation");
}

#[test]
fn without_a_key_of_ones_own_the_process_has_one() {
    let mut case = Case::new(Way::Typed);
    case.options = RunOptions::default();
    let asked = case.asked();
    assert_eq!(result(&case.run(&asked.input)), &json!([SENT]));
    case.options = options();
    assert_refused(&case, &asked.input, "interrupt_not_asked", "with another key");
}

#[test]
fn tests_sign_alike_each_time() {
    let ask = || {
        let input: RunAgentInput = serde_json::from_value(input("t", "r-1")).unwrap();
        let agent = Writer::new(Way::Typed, Arc::default(), None);
        serde_json::to_value(block_on(testing::run(agent, input)).last()).unwrap()
    };
    assert_eq!(ask(), ask());
}

#[test]
fn a_question_may_be_asked_again_about_a_call_that_was_taken_up() {
    /// Asks until it is allowed.
    #[agent(tools = [send], interrupts = [ConfirmSend])]
    async fn insistent(run: &mut Run<Insistent>, input: Input<Insistent>) -> Result<Vec<String>, Stop> {
        let mut sent = Vec::new();
        for asked in input.resumed_all::<ConfirmSend>()? {
            let id = asked.tool_call_id.expect("it is about a call");
            let allowed = asked.response.is_some_and(|said| said.approved);
            if allowed {
                sent.push(run.resume_call::<send>(&input, &id)?.run().await);
            } else if asked.interrupt_id.as_str().contains("-interrupt-2#") {
                return Err(run.resume_call::<send>(&input, &id)?.ask(ConfirmSend {}));
            } else {
                // Without taking it up: the question names it by hand.
                return Err(Stop::interrupt(run.typed_interrupt(ConfirmSend {})?.with_tool_call_id(id)));
            }
        }
        if input.resume().is_empty() {
            return Err(run.call(letter()).await?.ask(ConfirmSend {}));
        }
        Ok(sent)
    }
    let first = input("t", "r-1");
    let asked = events(Insistent::new(), &first, options());
    let refusal = answering(&first, &asked, &json!({"approved": false}));
    let again = events(Insistent::new(), &refusal, options());
    assert_ne!(questions(&asked)[0]["id"], questions(&again)[0]["id"]);
    let yes = answering(&refusal, &again, &json!({"approved": true}));
    assert_eq!(result(&events(Insistent::new(), &yes, options())), &json!([SENT]));
}

#[test]
fn fixed_ids_are_an_option() {
    let mut case = Case::new(Way::Untyped);
    case.options = options().unsigned_interrupts(true);
    let asked = case.asked();
    assert_eq!(asked.question["id"], "send");
    let mut invented: Value = asked.input;
    invented["messages"][1]["toolCalls"][0]["function"]["arguments"] =
        json!(r#"{"to":"Eve","text":"all","copies":9}"#);
    assert_eq!(result(&case.run(&invented)), &json!(["sent 9 of all to Eve"]));
}

#[test]
fn signing_again_takes_the_key_that_there_was() {
    let mut case = Case::new(Way::Typed);
    let asked = case.asked();
    case.options = options().unsigned_interrupts(true).unsigned_interrupts(false);
    assert_eq!(result(&case.run(&asked.input)), &json!([SENT]));
    case.options = testing::options().unsigned_interrupts(true).interrupt_key(key(1));
    assert_eq!(result(&case.run(&asked.input)), &json!([SENT]), "a key signs");
}
