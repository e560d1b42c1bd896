//! CopilotKit's page in Chromium: the screen at the end, and after a reload.
//!
//! Bounded to pages that had a defect once, and one for each feature; `AGUI_COPILOTKIT_PAGES=all` visits every route and example.

use std::collections::{BTreeMap, BTreeSet};

use agui_tests::need;
use agui_tests::outside::{Chromium, CopilotKit, artefact};
use serde_json::{Value, json};

use crate::places::{Places, name, routes};
use crate::versions;

/// A user's actions on the page of an agent, and the expected screen.
struct Page {
    agent: &'static str,
    says: Vec<&'static str>,
    presses: Vec<&'static str>,
    shows: Vec<&'static str>,
    /// The expected screen after a reload, if it differs.
    again: Option<Vec<&'static str>>,
    state: Value,
    error: Option<&'static str>,
    /// Other members of the script's page.
    more: Value,
    /// True if the page is part of the bounded form.
    always: bool,
}

fn page(agent: &'static str, shows: &[&'static str]) -> Page {
    Page {
        agent,
        says: vec!["hi"],
        presses: vec![],
        shows: shows.to_vec(),
        again: None,
        state: json!({}),
        error: None,
        more: json!({}),
        always: false,
    }
}

impl Page {
    fn says(self, says: &[&'static str]) -> Self {
        Self { says: says.to_vec(), ..self }
    }

    fn presses(self, presses: &[&'static str]) -> Self {
        Self { presses: presses.to_vec(), ..self }
    }

    fn holds(self, state: Value) -> Self {
        Self { state, ..self }
    }

    fn again(self, shows: &[&'static str]) -> Self {
        Self { again: Some(shows.to_vec()), ..self }
    }

    fn fails(self, error: &'static str) -> Self {
        Self { error: Some(error), ..self }
    }

    fn with(self, more: Value) -> Self {
        Self { more, ..self }
    }

    fn always(self) -> Self {
        Self { always: true, ..self }
    }

    fn job(&self, number: usize) -> Value {
        let picture = artefact(&format!("copilotkit-{number:02}-{}.png", self.agent));
        let mut job = json!({
            "agent": self.agent, "says": self.says, "presses": self.presses, "shows": self.shows, "state": self.state,
            "picture": picture,
        });
        if let Some(again) = &self.again {
            job["again"] = json!(again);
        }
        if let Some(error) = self.error {
            job["error"] = json!(error);
        }
        job.as_object_mut().unwrap().extend(self.more.as_object().unwrap().clone());
        job
    }
}

const STORY: &str = "Once upon a time there was a cat who lived by the sea. Every morning it watched the boats go out, \
                     and every evening it counted them as they came back.";

fn problems() -> Vec<Page> {
    let item = |name: &str, amount: u32| json!({ "name": name, "amount": amount });
    let held = json!({ "count": 2, "items": [item("b", 0), item("b", 1), item("a", 1)] });
    let vegan = json!({ "title": "Mushroom risotto", "diet": "vegan", "servings": 2 });
    vec![
        page("lab_error", &["hi", "partial"]).fails("lab failure").always(),
        page("lab_state_held", &["hi", "Counted.", "again", "Counted."])
            .says(&["hi", "again"])
            .holds(held)
            .always(),
        page("predictive_state_updates", &["hi", "Ok!"])
            .presses(&["Confirm"])
            .holds(json!({ "document": STORY }))
            .always(),
        page("recipe", &["Mushroom risotto it is!", "make it vegan", "Olive oil instead of butter."])
            .says(&["risotto", "make it vegan"])
            .holds(vegan)
            .always(),
    ]
}

/// The features of the showcase that need more than a text of the user.
fn showcase() -> Vec<Page> {
    let task = "run_deep_research completed, 3 outputs: All sources agree that rice is worth a closer look.";
    let booked = "schedule_meeting: Meeting scheduled for Saturday: walk with Ada";
    let said = "Meeting scheduled for Saturday: walk with Ada.";
    let picture = json!({ "name": "dot.png", "mimeType": "image/png", "base64": DOT });
    vec![
        page("agentic_chat_reasoning", &["Which car?", "Thought for", "You speak for Gemini.", "a Toyota"])
            .says(&["Which car?"])
            .with(json!({ "sets": { "model": "Gemini" } }))
            .always(),
        page("agentic_chat_multimodal", &["What is this?", "I can see an image (image/png, 70 bytes)."])
            .says(&["What is this?"])
            .with(json!({ "attaches": picture }))
            .always(),
        page("interrupt", &[booked, said])
            .says(&["Plan a walk with Ada"])
            .presses(&["walk on Saturday"])
            .always(),
        page("interrupt", &["schedule_meeting", "NOT scheduled", "I did not schedule the meeting."])
            .says(&["Plan a walk with Ada"])
            .presses(&["Cancel"]),
        page(
            "subgraphs",
            &["I am your supervisor", "I book United", "Hotel Zoe it is", "Your itinerary is ready."],
        )
        .says(&["Plan a trip"])
        .presses(&["United", "Hotel Zoe"])
        .holds(json!({
            "itinerary": { "flight": { "airline": "United" }, "hotel": { "name": "Hotel Zoe" } },
            "planning_step": "complete", "active_agent": "experiences",
        }))
        .always(),
        page("background_agents", &[task, "I look into rice in the background.", "The research is done."])
            .says(&["Research rice"])
            .always(),
        page("error_flow", &["hi"]).fails("The report could not be made."),
        page("lab_state_held", &["hi", "Counted."])
            .with(json!({ "sets": { "count": 7, "items": [{ "name": "a", "amount": 7 }] } }))
            .holds(
                json!({ "count": 8, "items": [{ "name": "b", "amount": 7 }, { "name": "a", "amount": 8 }] }),
            )
            .always(),
    ]
}

/// A picture of one dot.
const DOT: &str =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

fn examples() -> Vec<Page> {
    vec![
        page("desk", &["Where is order 7?", "Order 7: a teapot, 24.00 €"])
            .says(&["Where is order 7?"])
            .holds(json!({ "order": { "number": 7, "item": "teapot", "cents": 2400, "refunded": 0 } })),
        page("hello", &["hi", "Hello"]),
        page("members", &["hi", "Ada, you ordered a risotto for Ada."]),
        page("keeper", &["notes.txt", "deleted notes.txt"])
            .says(&["notes.txt"])
            .presses(&["Approve confirm_delete"]),
        page("recipe", &["Is something burning? I should"])
            .says(&["burn it"])
            .fails("The kitchen is on fire."),
        page("shopper", &["One rice, coming up.", "price: 180"])
            .says(&["rice"])
            .presses(&["Pay"])
            .holds(json!({ "items": ["rice"], "total": 180 })),
    ]
}

/// Agents that draw by A2UI: a surface from Rust types, by the generated catalog, whose button comes back to the agent; and surfaces
/// of catalogs that the page does not have, whose text is beside them.
fn surfaces() -> Vec<Page> {
    let drawn = ["hi", "The Ritz", "Paris, 4.8 stars, $450", "Here is a hotel, in A2UI v0.9."];
    vec![
        page("lab_a2ui", &[&drawn[..], &["The Ritz is booked."]].concat())
            .with(json!({ "catalog": "cards" }))
            .presses(&["Book The Ritz"])
            .always(),
        page("a2ui_fixed_schema", &["hi", "search_flights", "Here are your results."]),
        page("a2ui_dynamic_schema", &["hi", "generate_a2ui", "a comparison of three hotels."]),
        page("a2ui_advanced", &["hi", "your team directory."]),
        page("a2ui_recovery", &["hi", "generate_a2ui", "here are three hotels."]),
    ]
}

/// A page draws A2UI's basic catalog by itself if the server says that its agents draw, which CopilotKit's runtime here does not say.
fn basic_surface() -> Page {
    page(
        "lab_a2ui",
        &["hi", "The Ritz", "Paris", "$450", "Here is a hotel, in A2UI v0.9.", "The Ritz is booked."],
    )
    .presses(&["Book"])
    .always()
}

fn demos() -> Vec<Page> {
    let steps: Vec<Value> =
        (1..=10).map(|n| json!({ "description": format!("Step {n}"), "status": "completed" })).collect();
    let salad = json!({ "recipe": { "skill_level": "Advanced", "ingredients": [
        { "name": "chicken breast" }, { "name": "chili powder" }, { "name": "Salt" }, { "name": "Lettuce leaves" },
    ] } });
    vec![
        page("root", &["Hello world!"]),
        page("agentic_chat", &["counting down: 10 9 8 7 6 5 4 3 2 1 ✓"]),
        page("agentic_chat", &["background changed ✓"]).says(&["tool"]),
        page("agentic_generative_ui", &["hi"]).holds(json!({ "steps": steps })),
        page("backend_tool_rendering", &["get_weather", "sunny"]),
        page("human_in_the_loop", &["Ok! I'm working on it."]).presses(&["Perform"]),
        page("shared_state", &["hi"]).holds(salad),
        page("tool_based_generative_ui", &["generate_haiku: Haiku created"]),
    ]
}

fn labs() -> Vec<Page> {
    let board = json!({ "count": 1, "items": ["a", "b"], "first": "a", "moved/note": "fresh" });
    vec![
        page("lab_a2ui", &["hi", "Here is a hotel, in A2UI"]),
        page("lab_activity", &["done: fetch", "to do: write", "That is the plan."]),
        page("lab_backend_tool", &["get_weather: ", "21", "It is sunny in Lisbon."]).always(),
        page("lab_cancelled", &["On second thought, no."]),
        page("lab_custom_raw", &["hi"]),
        page("lab_echo_input", &["\"role\":\"user\""]),
        page("lab_interrupt", &["Resumed lab-int-1: resolved", "\"approved\": true"])
            .presses(&["Approve tool_call"]),
        page("lab_interrupts_two", &["Resumed one=resolved, two=resolved"])
            .presses(&["Approve input_required", "Approve confirmation"])
            .holds(json!({ "waiting": 2 })),
        page("lab_mcp", &["unlock: The door is unlocked.", "open: The door is open.", "That was the door."])
            .presses(&["Approve input_required"]),
        page("lab_mcp_library", &["A boy comes to a desert planet.", "It begins on a desert planet."]),
        page("lab_mcp_token", &["borrowed: guest has borrowed Dune.", "That is all you have."]),
        page("lab_messages_snapshot", &["Let me look it up.", "lookup: a journey", "Found it."]),
        page("lab_metadata", &["tagged"]),
        // A thread is stored in the order in which messages ended.
        page("lab_parallel", &["A1A2", "noop: ", "noop: ", "B1"]).again(&["B1", "A1A2", "noop: ", "noop: "]),
        page("lab_reasoning", &["Thought for", "The answer is 42."]),
        page("lab_result", &["ask_user: "]),
        page("lab_slow", &["1 2 3 4", "97 98 99 100"]),
        page("lab_state", &["hi"]).holds(board),
        page("lab_steps", &["First I think of something.", "Then I do it."]),
        page("lab_subagent", &["digging", "reading", "all done"]).always(),
        page("lab_text", &["Hello from the lab!"]),
        page("lab_text_chunks", &["Chunk by chunk", "noop: "]),
        // The agent asks with the page's own tools.
        page("lab_tool", &["Tool said: "]).presses(&["Confirm"]),
        page("lab_tool_result_parts", &["draw: a dot"]),
        page("lab_unicode", &["naïve 日本語 🦀", "\"quotes\"", "back", "new", "line", "end"]),
    ]
}

#[test]
fn the_page_shows_what_was_said_and_held() {
    let copilotkit = need!(CopilotKit::ready());
    let chromium = need!(Chromium::ready());
    let places = Places::start();
    let server = copilotkit.serve_page(places.targets(), "page.jsx");
    let all = [problems(), showcase(), surfaces(), examples(), demos(), labs()]
        .into_iter()
        .flatten()
        .collect::<Vec<_>>();
    let visited: BTreeSet<&str> = all.iter().map(|page| page.agent).collect();
    let places = places.all();
    let known: BTreeSet<&str> = places.iter().map(|place| place.name.as_str()).collect();
    assert_eq!(visited, known, "each route and each example has a page, and no others");
    let pages: Vec<_> =
        all.iter().filter(is_wanted).enumerate().map(|(number, page)| page.job(number)).collect();
    println!("{} pages of {}", pages.len(), all.len());
    let limit = 60_000 + 30_000 * pages.len();
    let job = json!({ "pages": pages, "timeoutMs": limit });
    chromium.browse("copilotkit", "copilotkit.mjs", &format!("{}/", server.url()), &job).assert_ok();
}

fn is_wanted(page: &&Page) -> bool {
    page.always || versions::all_are_wanted()
}

/// The same pages over `Server::copilotkit`: no process but the server, and the files of the page.
#[test]
fn the_page_needs_no_runtime() {
    visit_without_runtime(&need!(CopilotKit::ready()), "server");
}

/// Pages that were built before the server: in the bounded form the oldest.
#[test]
fn the_page_of_older_versions_needs_no_runtime() {
    for version in versions::older() {
        visit_without_runtime(&need!(CopilotKit::older(version)), version);
    }
}

fn visit_without_runtime(copilotkit: &CopilotKit, name: &str) {
    let chromium = need!(Chromium::ready());
    let tour = Places::tour();
    let files = copilotkit.serve_page([], "page.jsx");
    let ids: BTreeMap<String, String> =
        routes().into_iter().map(|route| (self::name(route), id(route))).collect();
    let all =
        [problems(), showcase(), surfaces(), vec![basic_surface()], demos(), labs()].into_iter().flatten();
    let all: Vec<_> = all.filter(|page| ids.contains_key(page.agent)).collect();
    let pages: Vec<_> = all
        .iter()
        .filter(is_wanted)
        .enumerate()
        .map(|(number, page)| {
            let mut job = page.job(number);
            job["picture"] = json!(artefact(&format!("copilotkit-{name}-{number:02}-{}.png", page.agent)));
            job["id"] = json!(ids[page.agent]);
            // A page that is loaded again shows messages in the order in which they began.
            job.as_object_mut().unwrap().remove("again");
            job
        })
        .collect();
    println!("{} pages of {}", pages.len(), all.len());
    let limit = 60_000 + 30_000 * pages.len();
    let runtime = format!("{}/api/copilotkit", tour.url());
    let job = json!({ "pages": pages, "timeoutMs": limit, "runtime": &runtime });
    // The driver opens this address before the script opens its own.
    let url = format!("{}/?agent=default&runtime={runtime}", files.url());
    chromium.browse(&format!("copilotkit-{name}"), "copilotkit.mjs", &url, &job).assert_ok();
}

/// The id by which a page names the agent at a route.
fn id(route: &str) -> String {
    match route.trim_matches('/').replace('/', ".") {
        id if id.is_empty() => "default".to_owned(),
        id => id,
    }
}
