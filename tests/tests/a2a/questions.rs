//! Tasks that wait for their client, and the messages that answer.

use serde_json::{Value, json};

use crate::talk::{TestServer, block_on, message, named, reply, state, texts};

fn open_question(task: &Value) -> &Value {
    &task["status"]["message"]["parts"][1]["data"]["interrupts"][0]
}

#[test]
fn a_question_is_answered_by_the_next_message() {
    block_on(async {
        let server = TestServer::open().await;
        for (part, sent) in [
            (json!({ "data": { "approved": true } }), true),
            (json!({ "text": r#"{"approved": false}"# }), false),
        ] {
            let asked = server.say(message("m-1", "send a letter")).await;
            assert_eq!(state(&asked), "TASK_STATE_INPUT_REQUIRED");
            assert_eq!(asked["status"]["message"]["parts"][0]["text"], "Send it?");
            assert_eq!(open_question(&asked)["reason"], "confirm_send");
            assert!(open_question(&asked)["responseSchema"]["properties"]["approved"].is_object());
            let done = server.say(reply(&asked, "m-2", part)).await;
            assert_eq!(
                (state(&done), &done["id"], &done["contextId"]),
                ("TASK_STATE_COMPLETED", &asked["id"], &asked["contextId"])
            );
            assert_eq!(texts(&done), [if sent { "Sent." } else { "Not sent." }]);
            assert_eq!(named(&done, "result")["parts"][0]["data"], sent);
            // The question is part of the task.
            assert_eq!(done["history"].as_array().unwrap().len(), 2, "{done}");
        }
    });
}

#[test]
fn a_sentence_is_no_approval() {
    block_on(async {
        let server = TestServer::open().await;
        let asked = server.say(message("m-1", "send a letter")).await;
        let yes = reply(&asked, "m-2", json!({ "text": "yes, please" }));
        assert_eq!(server.refused("SendMessage", json!({ "message": yes })).await, -32602);
        // The task still waits.
        let named = json!({ "data": { "interruptId": open_question(&asked)["id"], "payload": { "approved": true } } });
        let done = server.say(reply(&asked, "m-3", named)).await;
        assert_eq!((state(&done), texts(&done)), ("TASK_STATE_COMPLETED", vec!["Sent."]));
    });
}

#[test]
fn an_answer_that_comes_again_has_the_same_content() {
    block_on(async {
        let server = TestServer::open().await;
        for (text, yes, no) in [
            (
                "send a letter",
                json!({ "data": { "approved": true } }),
                json!({ "data": { "approved": false } }),
            ),
            ("choose a seat", json!({ "text": "12A" }), json!({ "text": "12B" })),
        ] {
            let asked = server.say(message("m-1", text)).await;
            let answer = reply(&asked, "m-2", yes);
            let done = server.say(answer.clone()).await;
            assert_eq!(server.say(answer.clone()).await, done);
            let metadata = json!({ "message": answer, "metadata": { "a": 1 } });
            for other in [json!({ "message": reply(&asked, "m-2", no) }), metadata] {
                assert_eq!(server.refused("SendMessage", other.clone()).await, -32602, "{other}");
            }
        }
    });
}

#[test]
fn a_question_that_another_task_closed_ends_its_task() {
    block_on(async {
        let server = TestServer::open().await;
        let mut first = message("m-1", "send a letter");
        first["contextId"] = json!("c-1");
        let asked = server.say(first).await;
        let mut second = message("m-2", "hello");
        second["contextId"] = json!("c-1");
        assert_eq!(state(&server.say(second).await), "TASK_STATE_COMPLETED");
        let closed = server.ask("GetTask", json!({ "id": asked["id"] })).await;
        assert_eq!(state(&closed), "TASK_STATE_CANCELED");
        let why = closed["status"]["message"]["parts"][0]["text"].as_str().unwrap();
        assert!(why.contains("cannot be answered any more"), "{why}");
        assert_eq!(closed["history"][1]["messageId"], asked["status"]["message"]["messageId"]);
        let late = reply(&asked, "m-3", json!({ "data": { "approved": true } }));
        assert_eq!(server.refused("SendMessage", json!({ "message": late })).await, -32004);
        assert_eq!(server.refused("CancelTask", json!({ "id": asked["id"] })).await, -32002);
    });
}

#[test]
fn a_question_for_text_takes_text() {
    block_on(async {
        let server = TestServer::open().await;
        let asked = server.say(message("m-1", "name")).await;
        let done = server.say(reply(&asked, "m-2", json!({ "text": "Ada" }))).await;
        assert_eq!(texts(&done), ["Hello, Ada."]);
    });
}

#[test]
fn forged_and_foreign_answers_do_not_count() {
    block_on(async {
        let server = TestServer::open().await;
        let asked = server.say(message("m-1", "send a letter")).await;
        let other = server.say(message("m-1", "send another")).await;
        for id in [open_question(&other)["id"].clone(), json!("confirm_send#1"), json!("")] {
            let forged = json!({ "data": { "interruptId": id, "payload": { "approved": true } } });
            let forged = reply(&asked, "m-2", forged);
            assert_eq!(server.refused("SendMessage", json!({ "message": forged })).await, -32602);
        }
        let wrong = server.say(reply(&asked, "m-3", json!({ "data": { "approved": "yes" } }))).await;
        assert_eq!(state(&wrong), "TASK_STATE_FAILED", "{wrong}");
        assert!(texts(&wrong).is_empty(), "{wrong}");
    });
}

#[test]
fn a_question_about_a_sign_in_is_auth_required() {
    block_on(async {
        let server = TestServer::open().await;
        let asked = server.say(message("m-1", "secret")).await;
        assert_eq!(state(&asked), "TASK_STATE_AUTH_REQUIRED");
        let done = server.say(reply(&asked, "m-2", json!({ "text": "done" }))).await;
        assert_eq!(named(&done, "result")["parts"][0]["data"], "signed in");
    });
}

#[test]
fn the_client_answers_for_a_page() {
    block_on(async {
        let server = TestServer::open().await;
        let asked = server.say(message("m-1", "choose a seat")).await;
        assert_eq!(state(&asked), "TASK_STATE_INPUT_REQUIRED");
        let call = &asked["status"]["message"]["parts"][1]["data"]["toolCalls"][0];
        assert_eq!((&call["name"], &call["arguments"]), (&json!("choose"), &json!(r#"{"title":"a seat"}"#)));
        let done = server.say(reply(&asked, "m-2", json!({ "text": "12A" }))).await;
        assert_eq!(named(&done, "result")["parts"][0]["data"], json!({ "chosen": "12A" }));
    });
}
