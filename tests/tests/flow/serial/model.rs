//! The expected stream, computed the slow way.

use std::collections::BTreeSet;

use agui_runtime::protocol::{Event, EventEffect, EventType, SpanKind};

fn exclusive(event: &Event) -> Option<(SpanKind, String)> {
    match event.event_type().effect() {
        EventEffect::Open(scope) | EventEffect::Within(scope) | EventEffect::Close(scope)
            if matches!(scope, SpanKind::Text | SpanKind::ToolCall | SpanKind::ReasoningMessage) =>
        {
            Some((scope, event.scope_id().unwrap().to_owned()))
        }
        _ => None,
    }
}

/// A text, call or thought from its START to its END; or one other event.
struct Item {
    key: Option<(SpanKind, String)>,
    ended: bool,
    events: Vec<Event>,
}

fn items(events: &[Event]) -> Vec<Item> {
    let mut items: Vec<Item> = Vec::new();
    for event in events {
        let key = exclusive(event);
        let open = items.iter_mut().find(|item| key.is_some() && item.key == key && !item.ended);
        match open {
            Some(item) => {
                item.ended = matches!(event.event_type().effect(), EventEffect::Close(_));
                item.events.push(event.clone());
            }
            None => items.push(Item { ended: key.is_none(), key, events: vec![event.clone()] }),
        }
    }
    items
}

fn is_end(event: &Event) -> bool {
    matches!(event.event_type(), EventType::RunFinished | EventType::RunError)
}

/// The whole stream in order of first events; items that never end come last, except the very first one, whose events
/// were sent before that could be known.
pub(super) fn one_after_the_other(events: &[Event]) -> Vec<Event> {
    let (inner, end): (Vec<_>, Vec<_>) = events.iter().cloned().partition(|event| !is_end(event));
    let mut items = items(&inner);
    if let Some(first) = items.iter_mut().find(|item| !item.ended) {
        first.ended = true;
    }
    let (ended, cut_off): (Vec<_>, Vec<_>) = items.into_iter().partition(|item| item.ended);
    ended.into_iter().chain(cut_off).flat_map(|item| item.events).chain(end).collect()
}

/// The part of an unfinished stream that can be sent: all up to the first item that is still open, and the events of
/// that item.
pub(super) fn sayable(events: &[Event]) -> Vec<Event> {
    let mut said = Vec::new();
    for item in items(events) {
        said.extend(item.events);
        if !item.ended {
            break;
        }
    }
    said
}

/// The rules of the official verifier up to version 0.0.36.
#[derive(Default)]
pub(super) struct OldVerifier {
    open: Option<(SpanKind, String)>,
    steps: BTreeSet<String>,
    started: bool,
    finished: bool,
    failed: bool,
}

impl OldVerifier {
    pub(super) fn judge(events: &[Event]) -> Result<(), String> {
        let mut verifier = Self::default();
        events.iter().try_for_each(|event| verifier.check(event).map_err(|why| format!("{why}: {event:?}")))
    }

    fn check(&mut self, event: &Event) -> Result<(), &'static str> {
        let kind = event.event_type();
        if self.failed || (self.finished && kind != EventType::RunError) {
            return Err("after the end");
        }
        let key = exclusive(event);
        if let Some(open) = &self.open {
            let own = !matches!(kind.effect(), EventEffect::Open(_)) && key.as_ref() == Some(open);
            if !own && kind != EventType::Raw {
                return Err("inside an open item");
            }
        }
        if !self.started && !matches!(kind, EventType::RunStarted | EventType::RunError) {
            return Err("before the start");
        }
        match (event, kind.effect(), key) {
            (_, EventEffect::Open(_), Some(key)) => self.open = Some(key),
            (_, EventEffect::Within(_), Some(_)) if self.open.is_none() => return Err("not open"),
            (_, EventEffect::Close(_), Some(_)) if self.open.take().is_none() => return Err("not open"),
            (Event::StepStarted(step), ..) if !self.steps.insert(step.step_name.clone()) => {
                return Err("step");
            }
            (Event::StepFinished(step), ..) if !self.steps.remove(&step.step_name) => return Err("step"),
            (Event::RunStarted(_), ..) if self.started => return Err("twice"),
            (Event::RunStarted(_), ..) => self.started = true,
            (Event::RunFinished(_), ..) if !self.steps.is_empty() => return Err("steps"),
            (Event::RunFinished(_), ..) => self.finished = true,
            (Event::RunError(_), ..) => self.failed = true,
            _ => {}
        }
        Ok(())
    }
}
