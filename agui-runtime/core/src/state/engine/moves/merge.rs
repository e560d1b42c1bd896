//! Merging: writes the patch again, with one `move` in place of each pair's `remove` and `add`.

use std::borrow::Cow;

use serde_json::Value;
use serde_json::value::RawValue;

use super::super::patch::{PatchOp, TextMark};
use super::super::path::StatePath;
use super::super::{JsonOut, PatchText, WriteJson};
use super::delay::{DelayedHalf, is_unsteady};
use super::operation::{ParsedOperation, write_pointer};
use super::pairs::HalfPairs;
use super::{ListMoves, MoveHalf, MoveSide, WholeOperation};
use crate::state::engine::StateNode;

/// A patch's operations while they are merged.
struct PatchMerge<'t> {
    moves: &'t ListMoves,
    pairs: &'t HalfPairs,
    /// The halves with partners, in the order of their operations.
    halves: std::iter::Peekable<std::vec::IntoIter<(usize, &'t MoveHalf)>>,
    /// The moves that were not carried out yet, in this order.
    delayed: Vec<DelayedHalf<'t>>,
}

/// The reason why a pair cannot be merged into a move.
enum MergeFault {
    /// An element would move into a value that the element's removal shifts: clients refuse such a move.
    Pair(usize),
    /// Operations have no other order.
    Order,
}

/// The most operations that halves may pass on the way to their partners: some milliseconds. In a patch with more, nothing is
/// merged.
const PASSES: usize = 1 << 18;

/// The number of pairs that are given up one by one, before all are.
const GIVEN_UP: usize = 16;

impl PatchText {
    /// Writes removed and added elements that belong together as moved ones.
    pub(super) fn merge_moves(&mut self) {
        if self.over || self.refused != 0 || self.out.has_failed() || self.moves.halves.is_empty() {
            return;
        }
        let mut pairs = HalfPairs::from_moves(&self.moves);
        if pairs.is_empty() && self.moves.wholes.is_empty() {
            return;
        }
        if self.ops.saturating_mul(pairs.count()) > PASSES {
            pairs = HalfPairs::none(&self.moves);
        }
        let moves = std::mem::take(&mut self.moves);
        let limit = std::mem::replace(&mut self.out.limit, usize::MAX);
        let (apart, mut ops) = (std::mem::take(&mut self.out.text), self.ops);
        let mut shortest = apart.clone();
        if !moves.wholes.is_empty() && self.merge(&apart, &moves, &HalfPairs::none(&moves)).is_ok() {
            (shortest, ops) = (std::mem::take(&mut self.out.text), self.ops);
        }
        let is_shorter = self.merge_some(&apart, &moves, &mut pairs)
            && (self.ops == 1 || self.out.text.len() < shortest.len());
        if !is_shorter {
            (self.out.text, self.ops) = (shortest, ops);
        }
        self.out.limit = limit;
        self.moves = moves;
        self.moves.halves.clear();
        self.moves.wholes.clear();
    }

    /// Writes the operations again, with a move for each mergeable pair. Returns false if there is no such pair.
    fn merge_some(&mut self, apart: &str, moves: &ListMoves, pairs: &mut HalfPairs) -> bool {
        for _ in 0..GIVEN_UP {
            if pairs.is_empty() {
                return false;
            }
            match self.merge(apart, moves, pairs) {
                Ok(()) => return true,
                Err(MergeFault::Pair(number)) => pairs.part(number),
                Err(MergeFault::Order) => return false,
            }
        }
        false
    }

    /// Writes the operations in `apart` again, with a move for each pair.
    fn merge(&mut self, apart: &str, moves: &ListMoves, pairs: &HalfPairs) -> Result<(), MergeFault> {
        self.out.text.clear();
        self.out.text.push('[');
        self.ops = 0;
        let closed = format!("{apart}]");
        let operations: Vec<&RawValue> = serde_json::from_str(&closed).map_err(|_| MergeFault::Order)?;
        let mut wholes = moves.wholes_around(pairs).into_iter().peekable();
        let mut open: Vec<(&WholeOperation, TextMark)> = Vec::new();
        let halves = moves.halves.iter().enumerate().filter(|(number, _)| pairs.has(*number));
        let halves: Vec<_> = halves.collect();
        let mut merging =
            PatchMerge { moves, pairs, halves: halves.into_iter().peekable(), delayed: Vec::new() };
        // The end of the operations whose place a removed and an added element took.
        let mut skipped = 0;
        let mut end = 0;
        for text in operations {
            let text = text.get();
            let start = end + 1;
            end = start + text.len();
            while let Some(whole) = wholes.next_if(|whole| whole.ops.start < end) {
                open.push((whole, self.mark()));
            }
            if end > skipped {
                skipped = merging.operation(text, end, self)?;
            }
            while let Some((whole, mark)) = open.pop_if(|(whole, _)| whole.ops.end == end) {
                merging.settle(whole, mark, self).ok_or(MergeFault::Order)?;
            }
        }
        if merging.delayed.is_empty() { Ok(()) } else { Err(MergeFault::Order) }
    }

    fn write_operation(&mut self, operation: &ParsedOperation<'_>) {
        self.out.comma();
        operation.write(&mut self.out.text);
        self.ops += 1;
    }
}

impl ListMoves {
    /// Returns the operations with whole values that no pair forbids, the outer ones first.
    fn wholes_around(&self, pairs: &HalfPairs) -> Vec<&WholeOperation> {
        let forbids = |whole: &WholeOperation, (number, half): (usize, &MoveHalf)| {
            let Some(partner) = pairs.partner(number).and_then(|partner| self.halves.get(partner)) else {
                return false;
            };
            // One half inside and the other outside, or operations that are not written.
            whole.contains(half) != whole.contains(partner) || half.contains(whole)
        };
        let mut wholes: Vec<&WholeOperation> = self
            .wholes
            .iter()
            .filter(|whole| !self.halves.iter().enumerate().any(|half| forbids(whole, half)))
            .collect();
        wholes.reverse();
        wholes.sort_by_key(|whole| (whole.ops.start, std::cmp::Reverse(whole.ops.end)));
        wholes
    }
}

impl WholeOperation {
    fn contains(&self, half: &MoveHalf) -> bool {
        self.ops.start <= half.ops.start && half.ops.end <= self.ops.end
    }
}

impl MoveHalf {
    fn contains(&self, whole: &WholeOperation) -> bool {
        self.ops.start <= whole.ops.start && whole.ops.end <= self.ops.end
    }
}

impl<'t> PatchMerge<'t> {
    /// Writes the operation that ends at `end`. Returns the end of all operations that were covered.
    fn operation(&mut self, text: &'t str, end: usize, out: &mut PatchText) -> Result<usize, MergeFault> {
        let read = || ParsedOperation::read(text).ok_or(MergeFault::Order);
        let Some(&(number, half)) = self.halves.peek().filter(|(_, half)| half.ops.start < end) else {
            self.pass(read()?, out).ok_or(MergeFault::Order)?;
            return Ok(end);
        };
        let skipped = half.ops.end;
        let first = number - usize::from(half.is_renewal && half.side == MoveSide::Gained);
        let count = if half.is_renewal { 2 } else { 1 };
        for (number, half) in self.moves.halves.iter().enumerate().skip(first).take(count) {
            let json = match half.json.is_empty() {
                false => Cow::Borrowed(self.moves.text(&half.json)),
                true => read()?.value.unwrap_or_default(),
            };
            self.half(number, half, json, out)?;
        }
        while self.halves.next_if(|(_, half)| half.ops.end <= skipped).is_some() {}
        Ok(skipped)
    }

    /// Writes an operation before everything that is delayed.
    fn pass(&mut self, mut operation: ParsedOperation<'_>, out: &mut PatchText) -> Option<()> {
        for delayed in self.delayed.iter_mut().rev() {
            delayed.pass(&mut operation)?;
        }
        out.write_operation(&operation);
        Some(())
    }

    /// Removes or adds an element, or delays it until the partner is due, or moves it.
    fn half(
        &mut self,
        number: usize,
        half: &'t MoveHalf,
        json: Cow<'t, str>,
        out: &mut PatchText,
    ) -> Result<(), MergeFault> {
        let is_insert = half.side == MoveSide::Gained;
        let own = DelayedHalf { half: number, spot: half.spot.clone(), is_insert, json };
        let Some(partner) = self.pairs.partner(number) else {
            return self.pass(own.operation(), out).ok_or(MergeFault::Order);
        };
        let Some(place) = self.delayed.iter().position(|delayed| delayed.half == partner) else {
            self.delayed.push(own);
            return Ok(());
        };
        let (moved, was, is) = self.join(place, &own).ok_or(MergeFault::Pair(number))?;
        if moved.from != moved.path {
            out.write_operation(&moved);
        }
        let mut pointer = String::new();
        write_pointer(&moved.path, &mut pointer);
        write_contents(&was, &is, &StatePath::written(&pointer, moved.path.len()), out);
        Ok(())
    }

    /// Joins a half and its partner to a move at a place among the delayed ones, due before all others. Also returns the element's
    /// JSON before and after.
    fn join(
        &mut self,
        place: usize,
        own: &DelayedHalf<'t>,
    ) -> Option<(ParsedOperation<'t>, Cow<'t, str>, Cow<'t, str>)> {
        let json = own.json.clone();
        let mut second = own.operation();
        for delayed in self.delayed.iter_mut().skip(place + 1).rev() {
            delayed.pass(&mut second)?;
        }
        let mut first = self.delayed.remove(place);
        let (from, path, was, is) = if first.is_insert {
            first.pass(&mut second)?;
            (second.path, first.spot.pointer(), json, first.json)
        } else {
            (first.spot.pointer(), second.path, first.json, json)
        };
        let mut moved = ParsedOperation { op: PatchOp::Move, from, path, value: None };
        for delayed in self.delayed.iter_mut().take(place).rev() {
            delayed.pass(&mut moved)?;
        }
        (!is_unsteady(&moved.from, &moved.path)).then_some((moved, was, is))
    }

    /// Ends the operations on a value's parts: one operation replaces them if it is shorter.
    fn settle(&mut self, whole: &WholeOperation, mark: TextMark, out: &mut PatchText) -> Option<()> {
        if out.ops <= mark.ops + 1 {
            return Some(());
        }
        let mut operation = ParsedOperation::read(self.moves.text(&whole.text))?;
        for delayed in self.delayed.iter().rev() {
            delayed.clone().pass(&mut operation)?;
        }
        let mut text = String::new();
        operation.write(&mut text);
        let comma = usize::from(mark.ops > 0);
        if text.len() + comma < out.out.text.len() - mark.length {
            out.rewind(mark);
            out.write_operation(&operation);
        }
        Some(())
    }
}

impl<'t> DelayedHalf<'t> {
    fn operation(&self) -> ParsedOperation<'t> {
        ParsedOperation {
            op: if self.is_insert { PatchOp::Add } else { PatchOp::Remove },
            from: Vec::new(),
            path: self.spot.pointer(),
            value: self.is_insert.then(|| self.json.clone()),
        }
    }
}

/// Writes the operations on a moved element's contents.
fn write_contents(was: &str, is: &str, at: &StatePath<'_>, out: &mut PatchText) {
    if was == is {
        return;
    }
    match (read(was), read(is)) {
        (Some(mut was), Some(is)) => was.sync(&is, at, out),
        _ => out.set(at, &WrittenJson(is)),
    }
}

/// Reads a text as a value that is written with the same digits, whatever the member order.
fn read(text: &str) -> Option<Value> {
    let value: Value = serde_json::from_str(text).ok()?;
    let mut written = JsonOut::default();
    value.write(&mut written);
    let sorted = |text: &str| {
        let mut bytes = text.as_bytes().to_vec();
        bytes.sort_unstable();
        bytes
    };
    let is_exact = written.text == text || sorted(&written.text) == sorted(text);
    is_exact.then_some(value)
}

/// A text that is already JSON.
struct WrittenJson<'a>(&'a str);

impl WriteJson for WrittenJson<'_> {
    fn json(&self, out: &mut JsonOut) {
        out.raw(self.0);
    }

    fn least(&self) -> usize {
        self.0.len()
    }
}
