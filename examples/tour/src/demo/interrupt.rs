//! `/interrupt`: a tool that stops in the middle, asks the user for a time, and goes on with the answer.

use agui_runtime::prelude::*;
use agui_runtime::protocol::{Message, ToolCallId};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::demo::reason::with_reason;

/// Schedules a meeting, at the time that the user chooses.
#[tool]
pub async fn schedule_meeting(
    topic: String,
    attendee: Option<String>,
    /// The time, in words; without it, the user is asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    time: Option<String>,
) -> String {
    let with = attendee.map(|attendee| format!(" with {attendee}")).unwrap_or_default();
    format!("Meeting scheduled for {}: {topic}{with}", time.as_deref().unwrap_or("no time"))
}

/// Asks for the time of a meeting.
#[derive(Interrupt, Serialize, JsonSchema)]
#[interrupt(reason = "input_required", message = "When shall the meeting be?", response = Slot)]
pub struct ChooseTime {
    topic: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    attendee: Option<String>,
}

/// The answer of the user.
#[derive(Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Slot {
    Chosen {
        #[expect(dead_code, reason = "the page sends it, and a calendar would read it")]
        chosen_time: String,
        chosen_label: String,
    },
    Refused {
        #[expect(dead_code, reason = "it is always true: its presence is the answer")]
        cancelled: bool,
    },
}

/// Schedules meetings, and asks the user for the time of each.
#[agent(tools = [schedule_meeting], interrupts = [ChooseTime])]
pub async fn scheduler(run: &mut Run<Scheduler>, input: Input<Scheduler>) -> Result<(), Stop> {
    let Some(asked) = input.resumed::<ChooseTime>()? else {
        let call = run.call(wish(&input.user_text().unwrap_or_default())).await?;
        let schedule_meeting { topic, attendee, .. } = call.arguments();
        let question =
            call.typed_interrupt(ChooseTime { topic: topic.clone(), attendee: attendee.clone() })?;
        return Err(call.interrupt(with_reason(question)));
    };
    let Some(id) = asked.tool_call_id else { return Err(Stop::error("This meeting is not known.")) };
    let Some(Slot::Chosen { chosen_label, .. }) = asked.response else {
        run.resume_call::<schedule_meeting>(&input, &id)?.fail("User cancelled. Meeting NOT scheduled").await;
        run.say("I did not schedule the meeting.").await;
        return Ok(());
    };
    let mut meeting = asked_about(&input, &id)?;
    meeting.time = Some(chosen_label);
    let scheduled = run.resume_call_with(&input, &id, meeting)?.run().await;
    run.say(format!("{scheduled}.")).await;
    Ok(())
}

/// The arguments of the call in the conversation. The run compares them with those of the question.
fn asked_about(input: &Input<Scheduler>, id: &ToolCallId) -> Result<schedule_meeting, Stop> {
    let calls = input.messages.iter().filter_map(|message| match message {
        Message::Assistant(assistant) => assistant.tool_calls.as_deref(),
        _ => None,
    });
    let call = calls.flatten().find(|call| call.id == *id);
    let call = call.ok_or_else(|| Stop::error("This meeting is not known."))?;
    Ok(serde_json::from_str(&call.function.arguments)?)
}

/// Reads sentences like "Book a call with Ada to talk about prices."
fn wish(text: &str) -> schedule_meeting {
    let text = text.trim().trim_end_matches('.');
    let (_, wish) = text.split_once(' ').unwrap_or(("", text));
    let wish = ["a ", "an "].iter().find_map(|article| wish.strip_prefix(article)).unwrap_or(wish);
    let Some((what, rest)) = wish.split_once(" with ") else {
        return schedule_meeting { topic: wish.to_owned(), attendee: None, time: None };
    };
    let end = [" to ", " next "].iter().filter_map(|word| rest.find(word)).min().unwrap_or(rest.len());
    let (attendee, why) = rest.split_at(end);
    schedule_meeting { topic: format!("{what}{why}"), attendee: Some(attendee.to_owned()), time: None }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wish_has_a_topic_and_perhaps_an_attendee() {
        for (text, topic, attendee) in [
            (
                "Book an intro call with the sales team to discuss pricing.",
                "intro call to discuss pricing",
                Some("the sales team"),
            ),
            (
                "Schedule a 1:1 with Alice next week to review Q2 goals.",
                "1:1 next week to review Q2 goals",
                Some("Alice"),
            ),
            ("Plan a walk", "walk", None),
            ("walk", "walk", None),
            ("", "", None),
        ] {
            let found = wish(text);
            assert_eq!((found.topic.as_str(), found.attendee.as_deref()), (topic, attendee), "{text}");
        }
    }
}
