//! The items of the program as events of AG-UI.

use agui_runtime::protocol::{
    Event, StepFinishedEvent, StepStartedEvent, TextMessageChunkEvent, ToolCallArgsEvent, ToolCallEndEvent,
    ToolCallResultEvent, ToolCallStartEvent,
};
use serde_json::Value;

/// The id of the only message. `Dynamic` finds another one if the conversation has it already.
const ANSWER: &str = "answer";

/// The items so far.
#[derive(Default)]
pub(crate) struct Translation {
    step: Option<String>,
    /// The value of the last item.
    pub(crate) result: Option<Value>,
}

impl Translation {
    /// Returns the events of an item. Items of other kinds have none.
    pub(crate) fn events(&mut self, item: &Value) -> Vec<Event> {
        let call = format!("call-{}", item["call"]);
        if let Some(text) = item["say"].as_str() {
            return vec![TextMessageChunkEvent::new().with_message_id(ANSWER).with_delta(text).into()];
        }
        if let Some(step) = item["step"].as_str() {
            return self.begin(step);
        }
        if let Some(tool) = item["tool"].as_str() {
            return vec![
                ToolCallStartEvent::new(call.as_str(), tool).into(),
                ToolCallArgsEvent::new(call.as_str(), item["with"].to_string()).into(),
                ToolCallEndEvent::new(call.as_str()).into(),
            ];
        }
        if let Some(got) = item.get("got") {
            return vec![ToolCallResultEvent::new(format!("{call}-result"), call, got.to_string()).into()];
        }
        if let Some(done) = item.get("done") {
            self.result = Some(done.clone());
            return self.end().into_iter().collect();
        }
        Vec::new()
    }

    /// The program names only the beginnings of its steps.
    fn begin(&mut self, step: &str) -> Vec<Event> {
        let ended = self.end();
        self.step = Some(step.to_owned());
        ended.into_iter().chain([StepStartedEvent::new(step).into()]).collect()
    }

    fn end(&mut self) -> Option<Event> {
        self.step.take().map(|step| StepFinishedEvent::new(step).into())
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn types(items: &[Value]) -> (Vec<&'static str>, Option<Value>) {
        let mut translation = Translation::default();
        let events: Vec<Event> = items.iter().flat_map(|item| translation.events(item)).collect();
        (events.iter().map(|event| event.event_type().as_str()).collect(), translation.result)
    }

    #[test]
    fn items_become_events() {
        let items = [
            json!({ "step": "look" }),
            json!({ "tool": "weather", "call": 1, "with": {} }),
            json!({ "call": 1, "got": 21 }),
            json!({ "step": "tell" }),
            json!({ "say": "21" }),
            json!({ "done": { "degrees": 21 } }),
        ];
        let expected = [
            "STEP_STARTED",
            "TOOL_CALL_START",
            "TOOL_CALL_ARGS",
            "TOOL_CALL_END",
            "TOOL_CALL_RESULT",
            "STEP_FINISHED",
            "STEP_STARTED",
            "TEXT_MESSAGE_CHUNK",
            "STEP_FINISHED",
        ];
        assert_eq!(types(&items), (expected.to_vec(), Some(json!({ "degrees": 21 }))));
    }

    #[test]
    fn items_of_other_kinds_are_left_out() {
        assert_eq!(types(&[json!({ "mood": "good" }), json!(7), json!([]), Value::Null]), (vec![], None));
    }
}
