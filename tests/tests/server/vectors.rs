//! Documents with the verdict of the official client's enforcement: the server accepts and refuses the same, and passes
//! the same data to the agent.

use agui_tests::http::Request;
use agui_tests::wire::fixture::schema_vectors;
use serde_json::json;

use crate::kitchen::Served;

/// Nulls of legacy clients that are read before enforcement; these vectors show nothing else (AG-UI 1.0, section
/// "Retired shapes").
const RETIRED: [&str; 3] =
    ["input null forwardedProps", "tool null parameters", "image part null metadata and extra key"];

#[tokio::test]
async fn inputs_are_judged_as_the_official_client_judges_them() {
    let served = Served::cook().await;
    let ask = json!({ "id": "ask", "role": "user", "content": "input" });
    let (mut taken, mut refused, mut wrong) = (0, 0, Vec::new());
    for vector in schema_vectors() {
        let document = vector.input.clone();
        let mut input = json!({ "threadId": "t", "runId": "r", "messages": [] });
        // The place where the agent finds the document.
        let place = match vector.target.as_str() {
            "input" => {
                input = document;
                ""
            }
            "message" => {
                input["messages"] = json!([document]);
                "/messages/0"
            }
            "tool" => {
                input["tools"] = json!([document]);
                "/tools/0"
            }
            "context" => {
                input["context"] = json!([document]);
                "/context/0"
            }
            _ => continue,
        };
        if let Some(messages) = input["messages"].as_array_mut() {
            messages.push(ask.clone());
        }
        let name = &vector.name;
        let answer = Request::run("/", input.to_string()).send(served.address).await;
        let retired = RETIRED.contains(&name.as_str());
        let expected = if vector.client.accept || retired { 200 } else { 422 };
        if answer.status != expected {
            wrong.push(format!("{name}: {} {}", answer.status, answer.text()));
            continue;
        }
        if expected == 422 {
            refused += 1;
            continue;
        }
        taken += 1;
        let mut understood = answer.events().last().unwrap()["result"].clone();
        understood["messages"].as_array_mut().unwrap().pop();
        if place.is_empty() {
            // The client writes lists even if they are absent.
            for list in ["tools", "context"] {
                understood.as_object_mut().unwrap().entry(list).or_insert_with(|| json!([]));
            }
        }
        let gone = vector.client.stripped.iter().any(|gone| gone == "(whole)");
        let expected = if gone { None } else { Some(&vector.client.output) };
        if !retired && understood.pointer(place) != expected {
            wrong.push(format!("{name}: {understood} instead of {expected:?}"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(
        taken > 25 && refused > 15,
        "{taken} taken, {refused} refused: the vectors are not what they were"
    );
}
