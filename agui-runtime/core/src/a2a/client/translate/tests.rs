//! Items of streams, and the events that show them.

use serde_json::json;

use super::*;

fn update(value: Value) -> A2aUpdate {
    serde_json::from_value(value).unwrap()
}

fn artifact(id: &str, parts: &Value, append: bool, last: bool) -> A2aUpdate {
    update(json!({ "artifactUpdate": {
        "taskId": "t", "contextId": "c",
        "artifact": { "artifactId": id, "parts": parts }, "append": append, "lastChunk": last,
    } }))
}

fn status(state: &str, message: Option<&str>) -> A2aUpdate {
    let message =
        message.map(|text| json!({ "messageId": text, "role": "ROLE_AGENT", "parts": [{ "text": text }] }));
    update(
        json!({ "statusUpdate": { "taskId": "t", "contextId": "c", "status": { "state": state, "message": message } } }),
    )
}

fn taken(updates: impl IntoIterator<Item = A2aUpdate>) -> (TaskTranslation, Vec<String>) {
    let mut translation = TaskTranslation::default();
    let mut said = Vec::new();
    for update in updates {
        for event in translation.take(update) {
            said.push(match &event {
                Event::TextMessageStart(start) => format!("<{}", start.message_id),
                Event::TextMessageContent(content) => content.delta.clone(),
                Event::TextMessageEnd(end) => format!("{}>", end.message_id),
                Event::ActivitySnapshot(activity) => {
                    format!("{}={}", activity.message_id, activity.activity_type)
                }
                other => panic!("{other:?}"),
            });
        }
    }
    (translation, said)
}

#[test]
fn chunks_of_several_artifacts_are_messages() {
    let (translation, said) = taken([
        status("TASK_STATE_WORKING", None),
        artifact("a", &json!([{ "text": "Good " }]), false, false),
        artifact("b", &json!([{ "text": "One" }]), false, true),
        artifact("a", &json!([{ "text": "day." }]), true, true),
        status("TASK_STATE_COMPLETED", None),
    ]);
    assert_eq!(said, ["<a", "Good ", "<b", "One", "b>", "day.", "a>"]);
    assert_eq!(translation.artifacts()[0].parts, [A2aPart::text("Good day.")]);
    assert!(translation.is_over());
}

#[test]
fn a_task_that_comes_whole_says_what_is_new() {
    let task = |text: &str, state: &str| {
        update(json!({ "task": {
            "id": "t", "contextId": "c", "status": { "state": state },
            "artifacts": [{ "artifactId": "a", "parts": [{ "text": text }] }],
        } }))
    };
    let (_, said) = taken([
        task("Good", "TASK_STATE_WORKING"),
        task("Good day.", "TASK_STATE_WORKING"),
        task("Good day.", "TASK_STATE_COMPLETED"),
        task("Bye.", "TASK_STATE_COMPLETED"),
    ]);
    assert_eq!(said, ["<a", "Good", " day.", "a>", "<a:1", "Bye.", "a:1>"]);
}

#[test]
fn files_and_data_are_activities() {
    let parts =
        json!([{ "text": "See " }, { "raw": "aGk=", "mediaType": "image/png" }, { "data": { "a": 1 } }]);
    let (translation, said) = taken([artifact("a", &parts, false, true)]);
    assert_eq!(said, ["a2a-a=a2a-artifact", "<a", "See ", "a>"]);
    assert_eq!(serde_json::to_value(&translation.artifacts()[0].parts).unwrap(), parts);
}

#[test]
fn an_artifact_of_many_pieces_is_shown_a_few_times() {
    let piece = |number: usize| artifact("a", &json!([{ "data": number }]), number > 0, number == 99);
    let (translation, said) = taken((0..100).map(piece));
    assert_eq!(translation.artifacts()[0].parts.len(), 100);
    // At 1, 2, 4 … 64 pieces, and at the end.
    assert_eq!(said.len(), 8, "{said:?}");
}

#[test]
fn an_artifact_without_a_last_piece_is_shown_whole_at_the_end() {
    let piece = |number: usize| artifact("a", &json!([{ "data": number }]), number > 0, false);
    let end = status("TASK_STATE_COMPLETED", None);
    let (_, said) = taken((0..3).map(piece).chain([end]));
    // At 1 and 2 pieces, and at the end.
    assert_eq!(said.len(), 3, "{said:?}");
}

#[test]
fn artifacts_from_before_a_question_are_not_shown_again() {
    let task = |text: &str, state: &str| {
        json!({
            "id": "t", "contextId": "c", "status": { "state": state },
            "artifacts": [{ "artifactId": "a", "parts": [{ "text": text }, { "data": 1 }] }],
        })
    };
    let mut translation = TaskTranslation::default();
    translation.know_shown(serde_json::from_value(task("One", "TASK_STATE_INPUT_REQUIRED")).unwrap());
    let again = json!({ "task": task("One", "TASK_STATE_INPUT_REQUIRED") });
    assert!(translation.take(update(again)).is_empty());
    assert!(!translation.is_over(), "it is the state from before the answer");
    let changed = json!({ "task": task("Two", "TASK_STATE_COMPLETED") });
    assert_eq!(translation.take(update(changed)).len(), 4);
}

#[test]
fn messages_of_the_agent_are_said_once() {
    let (_, said) = taken([
        status("TASK_STATE_WORKING", Some("Looking")),
        status("TASK_STATE_WORKING", Some("Looking")),
        status("TASK_STATE_INPUT_REQUIRED", Some("Where?")),
    ]);
    assert_eq!(said, ["<Looking", "Looking", "Looking>"]);
}

#[test]
fn text_after_the_end_of_its_artifact_is_another_message() {
    let (_, said) = taken([
        artifact("a", &json!([{ "text": "One" }]), false, true),
        artifact("a", &json!([{ "text": "two" }]), true, true),
    ]);
    assert_eq!(said, ["<a", "One", "a>", "<a:1", "two", "a:1>"]);
}
