//! The demonstrations that stop for an answer of the user: a tool, and the specialists of a trip.

use serde_json::{Value, json};

use crate::case::{Case, call, text};

/// The arguments of the meeting's tool.
pub fn meeting() -> Value {
    json!({ "topic": "intro call to discuss pricing", "attendee": "the sales team" })
}

/// The wish for it.
pub const BOOK: &str = "Book an intro call with the sales team to discuss pricing.";

/// The first words of the supervisor.
pub const SUPERVISOR: &str = "I am your supervisor, and ask the specialists one after the other.";

pub fn cases() -> Vec<Case> {
    vec![asks_for_a_time(), asks_for_a_flight(), goes_on_with_a_plan()]
}

fn asks_for_a_time() -> Case {
    let slot = json!({
        "description": "The answer of the user.", "title": "Slot",
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "anyOf": [
            {
                "type": "object", "required": ["chosen_time", "chosen_label"],
                "properties": { "chosen_time": { "type": "string" }, "chosen_label": { "type": "string" } },
            },
            { "type": "object", "required": ["cancelled"], "properties": { "cancelled": { "type": "boolean" } } },
        ],
    });
    let question = json!({
        "id": "#2", "reason": "input_required", "message": "When shall the meeting be?", "toolCallId": "#1",
        "responseSchema": slot, "metadata": data(&meeting()),
    });
    Case::new("/interrupt", [call("#1", "schedule_meeting", &meeting().to_string())])
        .said("asks", BOOK)
        .ends(&json!({ "outcome": { "type": "interrupt", "interrupts": [question] } }))
}

/// The data of a question, for generated clients and for the page of the showcase.
fn data(payload: &Value) -> Value {
    json!({ "agui-rust/payload": payload, "reason": payload })
}

fn asks_for_a_flight() -> Case {
    let [begun, shown] = [trip("start", "supervisor", &[]), trip("flights", "flights", &["flights"])];
    let question = json!({
        "id": "#3", "reason": "choose_flight", "subagentRunId": "#2",
        "responseSchema": {
            "type": "string", "title": "Chosen", "$schema": "https://json-schema.org/draft/2020-12/schema",
            "description": "An option of a question. The page sends it as a text that is JSON.",
        },
        "metadata": data(&json!({
            "message": "There are 2 flights. I recommend KLM.", "options": flights(),
            "recommendation": flights()[0], "agent": "flights",
        })),
    });
    let snapshot = |state: Value| vec![json!({ "type": "STATE_SNAPSHOT", "snapshot": state })];
    let started = json!({ "type": "SUBAGENT_STARTED", "subagentRunId": "#2", "name": "flights" });
    let suspended = json!({ "type": "suspended", "interruptIds": ["#3"] });
    let ended = json!({ "type": "SUBAGENT_FINISHED", "subagentRunId": "#2", "outcome": suspended });
    let [from_start, to_flights] = [snapshot(begun), snapshot(shown)];
    let asked = json!({ "outcome": { "type": "interrupt", "interrupts": [question] } });
    Case::new("/subgraphs", [from_start, text("#1", SUPERVISOR), to_flights, vec![started, ended]])
        .said("asks", "Plan a trip to San Francisco")
        .ends(&asked)
}

/// With both decisions in the state that the page holds, nothing is asked.
fn goes_on_with_a_plan() -> Case {
    let mut held = trip("hotels", "hotels", &["flights", "hotels"]);
    held["itinerary"] = json!({ "flight": flights()[1], "hotel": hotels()[2] });
    let found = text("#3", "Experiences Agent: I found two activities and two restaurants.");
    let by_specialist = found.into_iter().map(|mut event| {
        event["subagentRunId"] = json!("#2");
        event
    });
    let started = json!({ "type": "SUBAGENT_STARTED", "subagentRunId": "#2", "name": "experiences" });
    let success = json!({ "type": "success" });
    let ended = json!({ "type": "SUBAGENT_FINISHED", "subagentRunId": "#2", "outcome": success });
    let mut complete = held.clone();
    complete["experiences"] = experiences();
    complete["active_agent"] = json!("experiences");
    let mut working = complete.clone();
    working["planning_step"] = json!("experiences");
    let change = json!({ "op": "add", "path": "/planning_step", "value": "complete" });
    let whole = vec![json!({ "type": "STATE_SNAPSHOT", "snapshot": working })];
    let inside = vec![started].into_iter().chain(by_specialist).chain([ended]).collect();
    let after = vec![json!({ "type": "STATE_DELTA", "delta": [change] })];
    Case::new(
        "/subgraphs",
        [text("#1", SUPERVISOR), whole, inside, after, text("#4", "Your itinerary is ready.")],
    )
    .when("is done", json!({ "state": held }))
}

/// The state of the trip, with the offers of these agents.
pub fn trip(step: &str, active: &str, offers: &[&str]) -> Value {
    let of = |agent: &str, all: Value| if offers.contains(&agent) { all } else { json!([]) };
    json!({
        "itinerary": {}, "experiences": of("experiences", experiences()), "flights": of("flights", flights()),
        "hotels": of("hotels", hotels()), "planning_step": step, "active_agent": active,
    })
}

pub fn flights() -> Value {
    let flight = |airline: &str, price: &str, duration: &str| {
        json!({
            "airline": airline, "departure": "Amsterdam (AMS)", "arrival": "San Francisco (SFO)", "price": price,
            "duration": duration,
        })
    };
    json!([flight("KLM", "$650", "11h 30m"), flight("United", "$720", "12h 15m")])
}

pub fn hotels() -> Value {
    let hotel = |name: &str, location: &str, price: &str, rating: &str| json!({ "name": name, "location": location, "price_per_night": price, "rating": rating });
    json!([
        hotel("Hotel Zephyr", "Fisherman's Wharf", "$280/night", "4.2 stars"),
        hotel("The Ritz-Carlton", "Nob Hill", "$550/night", "4.8 stars"),
        hotel("Hotel Zoe", "Union Square", "$320/night", "4.4 stars"),
    ])
}

pub fn experiences() -> Value {
    let place = |name: &str, kind: &str, description: &str, location: &str| json!({ "name": name, "type": kind, "description": description, "location": location });
    json!([
        place("Pier 39", "activity", "Shops, and sea lions on the docks", "Fisherman's Wharf"),
        place("Golden Gate Bridge", "activity", "A walk over the bay", "Golden Gate"),
        place("Swan Oyster Depot", "restaurant", "Oysters at an old counter", "Polk Street"),
        place("Tartine Bakery", "restaurant", "Bread and pastries", "Mission District"),
    ])
}
