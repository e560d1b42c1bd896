//! Brings one half of a move past the operations between both halves.

use std::borrow::Cow;

use super::super::patch::PatchOp;
use super::operation::ParsedOperation;
use super::spot::{ListSpot, SpotStep, TextSegments};

/// An element's removal or insertion that was not carried out yet.
#[derive(Debug, Clone)]
pub(super) struct DelayedHalf<'t> {
    /// The half's number.
    pub(super) half: usize,
    pub(super) spot: ListSpot,
    pub(super) is_insert: bool,
    /// The element's JSON.
    pub(super) json: Cow<'t, str>,
}

/// The part of a spot that an operation on a list or an object changes.
enum SpotPart<'s> {
    /// The segment inside a value that contains the list.
    Around(&'s mut SpotStep),
    /// The index in the list itself.
    Own(&'s mut usize),
}

impl DelayedHalf<'_> {
    /// Changes places with an operation that follows. Returns `None` where there is no other order.
    pub(super) fn pass(&mut self, operation: &mut ParsedOperation<'_>) -> Option<()> {
        let ParsedOperation { op, from, path, .. } = operation;
        match op {
            PatchOp::Add => self.pass_gain(path),
            PatchOp::Remove => self.pass_loss(path),
            PatchOp::Replace => {
                self.refer(path)?;
                (!self.spot.is_below(path)).then_some(())
            }
            PatchOp::Move => {
                self.pass_loss(from)?;
                self.pass_gain(path)?;
                (!is_unsteady(from, path)).then_some(())
            }
        }
    }

    /// Passes the removal of the value at a pointer.
    fn pass_loss(&mut self, pointer: &mut TextSegments<'_>) -> Option<()> {
        self.refer(pointer)?;
        let (last, owner) = pointer.split_last()?;
        match self.part_of(owner) {
            None => {}
            Some(SpotPart::Around(SpotStep::Name(name))) if *name == **last => return None,
            Some(SpotPart::Around(SpotStep::Name(_))) => {}
            Some(SpotPart::Around(SpotStep::Index(index))) => {
                let lost: usize = last.parse().ok()?;
                if lost == *index {
                    return None;
                }
                *index -= usize::from(lost < *index);
            }
            Some(SpotPart::Own(index)) => *index -= usize::from(last.parse::<usize>().ok()? < *index),
        }
        Some(())
    }

    /// Passes an insertion at a pointer.
    fn pass_gain(&mut self, pointer: &mut TextSegments<'_>) -> Option<()> {
        if pointer.len() > self.spot.list.len() + 1 {
            return self.refer(pointer);
        }
        let is_insert = self.is_insert;
        let (last, owner) = pointer.split_last_mut()?;
        match self.part_of(owner) {
            None => {}
            Some(SpotPart::Around(SpotStep::Name(name))) if *name == **last => return None,
            Some(SpotPart::Around(SpotStep::Name(_))) => {}
            // At the end of a list, behind everything.
            Some(_) if last == "-" => {}
            Some(SpotPart::Around(SpotStep::Index(index))) => {
                *index += usize::from(last.parse::<usize>().ok()? <= *index);
            }
            Some(SpotPart::Own(index)) => {
                let gap: usize = last.parse().ok()?;
                if gap <= *index {
                    *index += 1;
                } else {
                    *last = shifted(gap, is_insert);
                }
            }
        }
        Some(())
    }

    /// Corrects a pointer to an existing value.
    fn refer(&self, pointer: &mut TextSegments<'_>) -> Option<()> {
        if self.spot.leads(pointer)
            && let Some(segment) = pointer.get_mut(self.spot.list.len())
        {
            let index: usize = segment.parse().ok()?;
            if self.is_insert && index == self.spot.index {
                return None;
            }
            if index >= self.spot.index {
                *segment = shifted(index, self.is_insert);
            }
        }
        Some(())
    }

    /// Returns the part of the spot that an operation on the value at a pointer may change.
    fn part_of(&mut self, owner: &[Cow<'_, str>]) -> Option<SpotPart<'_>> {
        if !self.spot.is_below(owner) {
            return None;
        }
        let ListSpot { list, index } = &mut self.spot;
        Some(match list.get_mut(owner.len()) {
            Some(step) => SpotPart::Around(step),
            None => SpotPart::Own(index),
        })
    }
}

/// Returns true if a move leads into the moved value as the texts are written, which RFC 6902 (4.4) forbids, or into a value that
/// the removal shifts: the JavaScript client's patch library resolves the target before the removal.
pub(super) fn is_unsteady(from: &[Cow<'_, str>], path: &[Cow<'_, str>]) -> bool {
    let Some((last, owner)) = from.split_last() else { return true };
    let Some(step) = path.get(owner.len()).filter(|_| path.len() > from.len() && path.starts_with(owner))
    else {
        return false;
    };
    match (step.parse::<usize>(), last.parse::<usize>()) {
        (Ok(step), Ok(last)) => step >= last,
        _ => step == last,
    }
}

/// Returns an index behind the spot as it is without the delayed half.
fn shifted<'t>(index: usize, is_insert: bool) -> Cow<'t, str> {
    let index = if is_insert { index.saturating_sub(1) } else { index + 1 };
    Cow::Owned(index.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the operation and the delayed half's pointer in the other order.
    fn passed(delayed: &str, is_insert: bool, operation: &str) -> Option<(String, String)> {
        let step = |segment: &str| match segment.parse() {
            Ok(index) => SpotStep::Index(index),
            Err(_) => SpotStep::Name(segment.to_owned()),
        };
        let (list, index) = delayed.rsplit_once('/').unwrap();
        let list = list.split('/').skip(1).map(step).collect();
        let spot = ListSpot { list, index: index.parse().unwrap() };
        let mut delayed = DelayedHalf { half: 0, spot, is_insert, json: "1".into() };
        let mut operation = ParsedOperation::read(operation).unwrap();
        delayed.pass(&mut operation)?;
        let (mut text, mut pointer) = (String::new(), String::new());
        operation.write(&mut text);
        super::super::operation::write_pointer(&delayed.spot.pointer(), &mut pointer);
        Some((text, pointer))
    }

    /// Every operation on two lists in a list, delayed over every other, gives the document of the first order.
    #[test]
    fn both_orders_lead_to_one_document() {
        let document = serde_json::json!([["a", ["b"], "c"], [["d"], "e", "f"], ["g", ["h"]]]);
        let places = ["/0/0", "/0/1", "/0/1/0", "/0/2", "/0", "/1/0/0", "/1/1", "/1", "/2/1/0", "/2"];
        let ends = ["/0/-", "/0/1/-", "/-", "/0/3", "/1/0/1", "/3"];
        let mut others = Vec::new();
        for place in places {
            others.push(format!(r#"{{"op":"remove","path":"{place}"}}"#));
            others.push(format!(r#"{{"op":"replace","path":"{place}","value":"z"}}"#));
            for to in places.iter().chain(&ends) {
                others.push(format!(r#"{{"op":"move","from":"{place}","path":"{to}"}}"#));
            }
        }
        others.extend(
            places.iter().chain(&ends).map(|to| format!(r#"{{"op":"add","path":"{to}","value":"y"}}"#)),
        );
        let apply = |operations: &[&str]| {
            let patch: json_patch::Patch =
                serde_json::from_str(&format!("[{}]", operations.join(","))).unwrap();
            let mut document = document.clone();
            json_patch::patch_unsafe(&mut document, &patch).ok().map(|()| document)
        };
        let write = |pointer: &str, is_insert: bool| match is_insert {
            true => format!(r#"{{"op":"add","path":"{pointer}","value":"x"}}"#),
            false => format!(r#"{{"op":"remove","path":"{pointer}"}}"#),
        };
        let mut compared = 0;
        for (place, is_insert) in places.iter().flat_map(|place| [(place, false), (place, true)]) {
            for other in &others {
                let Some(expected) = apply(&[&write(place, is_insert), other]) else { continue };
                let Some((other_first, later)) = passed(place, is_insert, other) else { continue };
                let actual = apply(&[&other_first, &write(&later, is_insert)]);
                assert_eq!(actual, Some(expected), "{place} {is_insert} {other}: {other_first} {later}");
                compared += 1;
            }
        }
        assert!(compared > 1_500, "{compared}");
    }
}
