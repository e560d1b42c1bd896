//! The official clients of both generations: their result for every route, without a complaint.

use agui_runtime::wire::proto;
use agui_tests::need;
use agui_tests::outside::{Conversation, ConversationReport, Generation, Node, Turn, TurnReport};
use serde_json::{Value, json};

use crate::case::Peer;
use crate::seen::{Doing, Sight, assert_echo, lines, sights};
use crate::{demo, tour};

fn turn(sight: &Sight) -> Turn {
    match sight.doing {
        Doing::Saying(text) => Turn::say(text),
        Doing::Offering(tool) => {
            Turn::say("hi").with("tools", json!([{ "name": tool, "description": "Asks." }]))
        }
    }
}

/// A conversation of several runs: the new messages after each, and the state at the end.
struct Dialogue {
    conversation: Conversation,
    new: Vec<Vec<String>>,
    state: Value,
}

/// Every route with more than one run.
fn dialogues(url: &str, generation: Generation) -> Vec<Dialogue> {
    let at = |route: &str| Conversation::new(format!("{url}{route}"), generation);
    let row = |conversation: Conversation, new: &[&[&str]]| Dialogue {
        conversation,
        new: new.iter().map(|lines| lines.iter().map(|&line| line.to_owned()).collect()).collect(),
        state: json!({}),
    };
    let called = |tool: &str, arguments: &Value| format!("assistant: -> {tool}({arguments})");
    let tools = json!([{ "name": "choose", "description": "Asks." }]);
    let approved = Turn::resume("resolved", Some(json!({ "sure": 1, "approved": true })));
    let question =
        called("choose", &json!({ "question": "Which color do you like?", "options": ["red", "blue"] }));
    let email = called("send_email", &json!({ "to": "ada@example.com", "subject": "Hello" }));
    let background = called(
        "change_background",
        &json!({ "background": "linear-gradient(135deg, #667eea 0%, #764ba2 100%)" }),
    );
    let weather = [
        &*called("lookup_weather", &json!({ "city": "Lisbon" })),
        r#"tool: {"city":"Lisbon","temperature":21}"#,
    ];
    let plan = called("generate_task_steps", &demo::plan());
    let written =
        [&*called("write_document_local", &demo::document()), &*called("confirm_changes", &json!({}))];
    let haiku = [&*called("generate_haiku", &demo::haiku()), "tool: Haiku created"];
    let meeting = called("schedule_meeting", &demo::questions::meeting());
    let scheduled = "Meeting scheduled for Sat, 10:00 AM: intro call to discuss pricing with the sales team";
    let (flights, hotels) = (demo::questions::flights(), demo::questions::hotels());
    let mut planned = demo::questions::trip("complete", "experiences", &["flights", "hotels", "experiences"]);
    planned["itinerary"] = json!({ "flight": flights[1], "hotel": hotels[1] });
    vec![
        row(
            at("/lab/tool")
                .then(Turn::say("hi").with("tools", tools.clone()))
                .then(Turn::answer("choose", json!("red")).with("tools", tools)),
            &[&[&question], &["assistant: Tool said: red"]],
        ),
        row(
            at("/lab/interrupt").then(Turn::say("hi")).then(approved.clone()),
            &[&[&email], &[r#"assistant: Resumed lab-int-1: resolved {"approved": true, "sure": 1}"#]],
        ),
        row(
            at("/lab/interrupt").then(Turn::say("hi")).then(Turn::resume("cancelled", None)),
            &[&[&email], &["assistant: Resumed lab-int-1: cancelled"]],
        ),
        Dialogue {
            state: json!({ "waiting": 2 }),
            ..row(
                at("/lab/interrupts_two").then(Turn::say("hi")).then(approved),
                &[&[], &["assistant: Resumed one=resolved, two=resolved"]],
            )
        },
        row(
            at("/agentic_chat")
                .then(Turn::say("tool"))
                .then(Turn::answer("change_background", json!("done"))),
            &[&[&background], &["assistant: background changed ✓"]],
        ),
        row(
            at("/agentic_chat").then(Turn::say("backend_tool")).then(Turn::say("backend_tool")),
            &[&weather, &weather],
        ),
        row(
            at("/human_in_the_loop")
                .then(Turn::say("hi"))
                .then(Turn::answer("generate_task_steps", json!({ "accepted": true }))),
            &[&[&plan], &["assistant: Ok! I'm working on it."]],
        ),
        Dialogue {
            state: demo::document(),
            ..row(
                at("/predictive_state_updates").then(Turn::say("hi")).then(
                    Turn::answer("write_document_local", json!("written"))
                        .and_answer("confirm_changes", json!("confirmed")),
                ),
                &[&written, &["assistant: Ok!"]],
            )
        },
        row(
            at("/tool_based_generative_ui").then(Turn::say("hi")).then(Turn::say("thanks")),
            &[&haiku, &["assistant: Haiku created"]],
        ),
        row(
            at("/interrupt").then(Turn::say(demo::questions::BOOK)).then(Turn::resume(
                "resolved",
                Some(json!({ "chosen_time": "2026-09-12T10:00:00.000Z", "chosen_label": "Sat, 10:00 AM" })),
            )),
            &[&[&meeting], &[&format!("tool: {scheduled}"), &format!("assistant: {scheduled}.")]],
        ),
        row(
            at("/interrupt")
                .then(Turn::say(demo::questions::BOOK))
                .then(Turn::resume("resolved", Some(json!({ "cancelled": true })))),
            &[
                &[&meeting],
                &[
                    r#"tool: {"error":"User cancelled. Meeting NOT scheduled"}"#,
                    "assistant: I did not schedule the meeting.",
                ],
            ],
        ),
        Dialogue {
            state: planned,
            ..row(
                at("/subgraphs")
                    .then(Turn::say("Plan a trip to San Francisco"))
                    .then(Turn::resume("resolved", Some(json!(flights[1].to_string()))))
                    .then(Turn::resume("resolved", Some(json!(hotels[1].to_string())))),
                &[
                    &[&format!("assistant: {}", demo::questions::SUPERVISOR)],
                    &["assistant: Flights Agent: I book United from Amsterdam (AMS) to San Francisco (SFO)."],
                    &[
                        "assistant: Hotels Agent: The Ritz-Carlton it is, Nob Hill.",
                        "assistant: Experiences Agent: I found two activities and two restaurants.",
                        "assistant: Your itinerary is ready.",
                    ],
                ],
            )
        },
        row(
            at("/agentic_chat_multimodal").then(
                Turn::default().message(json!({ "role": "user", "content": demo::models::attached() })),
            ),
            &[&[&format!("assistant: {}", demo::models::SEEN)]],
        ),
        Dialogue {
            state: json!({ "model": "Anthropic" }),
            ..row(
                at("/agentic_chat_reasoning")
                    .then(Turn::say("Which car?").with("state", json!({ "model": "Anthropic" }))),
                &[&[
                    &format!("reasoning: {}", demo::models::thought("Anthropic", "Which car?")),
                    &format!("assistant: {}", demo::models::ADVICE),
                ]],
            )
        },
        Dialogue {
            state: demo::salad(),
            ..row(at("/shared_state").then(Turn::say("hi")).then(Turn::say("hi")), &[&[], &[]])
        },
    ]
}

/// Runs all of it at once, in one process, and compares the client's data at the end with the expected view.
fn everything(node: &Node, generation: Generation, accept: Option<&str>) -> Vec<ConversationReport> {
    let server = tour();
    let peer = if generation == Generation::V1 { Peer::Current } else { Peer::Legacy };
    let sights = sights(peer);
    let at = |route: &str| Conversation::new(format!("{}{route}", server.url()), generation);
    let dialogues = dialogues(server.url(), generation);
    let props = json!({ "theme": "dark", "deep": [null, 1.5] });
    let echoing = at("/lab/echo_input").then(
        Turn::say("hi")
            .with("tools", json!([{ "name": "choose", "description": "Asks." }]))
            .with("forwardedProps", props.clone()),
    );
    let failing = at("/lab/error").then(Turn::say("hi"));
    let all = sights.iter().map(|sight| at(sight.route).then(turn(sight)));
    let all =
        all.chain(dialogues.iter().map(|dialogue| dialogue.conversation.clone())).chain([echoing, failing]);
    let all: Vec<Conversation> = all
        .map(|conversation| match accept {
            Some(media_type) => conversation.accept(media_type),
            None => conversation,
        })
        .collect();
    let reports = node.converse_all(&all);
    assert_eq!(reports.len(), all.len());

    let (failed, well) = reports.split_last().unwrap();
    assert_eq!(failed.turns[0].run_errors, [json!({ "message": "lab failure", "code": "LAB_ERR" })]);
    assert_eq!(lines(&failed.turns[0].new_messages), ["assistant: partial"]);
    // A complaint may be in the report of the next conversation.
    assert!(failed.complaints.is_empty() && failed.turns[0].complaints.is_empty(), "{failed:?}");
    well.iter().for_each(ConversationReport::assert_clean);
    for (sight, report) in sights.iter().zip(well) {
        let turn = &report.turns[0];
        assert_eq!(lines(&turn.messages[1..]), sight.lines, "{} {generation:?}", sight.route);
        assert_eq!(turn.state, sight.state, "{} {generation:?}", sight.route);
    }
    let (echoed, conversed) = well[sights.len()..].split_last().unwrap();
    assert_echo(&lines(&echoed.turns[0].new_messages)[0], &props);
    assert_eq!(conversed.len(), dialogues.len());
    for (dialogue, report) in dialogues.iter().zip(conversed) {
        let new: Vec<_> = report.turns.iter().map(|turn| lines(&turn.new_messages)).collect();
        assert_eq!(new, dialogue.new, "{generation:?}");
        assert_eq!(report.turns.last().unwrap().state, dialogue.state, "{generation:?} {new:?}");
    }
    reports
}

/// Checks of single reports.
fn look_closer(generation: Generation, reports: &[ConversationReport]) {
    let is_current = generation == Generation::V1;
    let finished = |said: &str| -> &Value {
        let said = |report: &&ConversationReport| json!(report.turns[0].wire).to_string().contains(said);
        &reports.iter().find(said).unwrap().turns[0].finished[0]
    };
    let stopped = &finished("On second thought")["outcome"];
    assert_eq!(
        stopped,
        if is_current { "cancelled" } else { "success" },
        "legacy clients know no such outcome"
    );
    let result = finished("pending-1");
    assert_eq!(result["result"], json!({ "score": 0.5, "tags": ["a"] }));
    assert_eq!(result.get("pendingToolCallIds"), is_current.then(|| json!(["pending-1"])).as_ref());
    let reasons = |turn: &TurnReport| -> Vec<String> {
        turn.pending_interrupts.iter().map(|asked| asked["reason"].as_str().unwrap().to_owned()).collect()
    };
    let asked: Vec<_> = reports.iter().filter(|report| !reasons(&report.turns[0]).is_empty()).collect();
    assert_eq!(asked.len(), 10, "four that were only looked at, six that were answered");
    for report in asked {
        let ids: Vec<&Value> =
            report.turns[0].pending_interrupts.iter().map(|interrupt| &interrupt["id"]).collect();
        let of_demos = [["input_required"], ["choose_flight"]];
        let is_of_demos = of_demos.iter().any(|reason| reasons(&report.turns[0]) == reason);
        assert!(ids == ["lab-int-1"] || ids == ["one", "two"] || is_of_demos, "{ids:?}");
        let [_, later @ ..] = report.turns.as_slice() else { continue };
        // The trip has a second question.
        let second = later.iter().map(reasons).find(|reasons| !reasons.is_empty());
        let is_trip = reasons(&report.turns[0]) == ["choose_flight"] && report.turns.len() > 1;
        assert_eq!(
            second.as_deref(),
            is_trip.then(|| ["choose_hotel".to_owned()]).as_ref().map(|one| &one[..])
        );
        assert!(later.last().is_none_or(|last| last.pending_interrupts.is_empty()));
    }
}

#[test]
fn the_official_client_is_content() {
    let node = need!(Node::ready());
    look_closer(Generation::V1, &everything(&node, Generation::V1, None));
}

#[test]
fn the_last_client_before_1_0_is_content() {
    let node = need!(Node::ready());
    look_closer(Generation::Legacy, &everything(&node, Generation::Legacy, None));
}

/// Nothing gets lost on the way: the same messages, the same state.
#[test]
fn it_is_as_content_over_the_binary_transport() {
    let node = need!(Node::ready());
    let reports = everything(&node, Generation::V1, Some(proto::CONTENT_TYPE));
    look_closer(Generation::V1, &reports);
    for turn in reports.iter().flat_map(|report| &report.turns) {
        assert_eq!(turn.content_type.as_deref(), Some(proto::CONTENT_TYPE), "{}", turn.request);
    }
}
