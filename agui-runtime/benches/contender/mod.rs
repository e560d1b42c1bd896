//! Other ways to describe a change of a state, in the same process.

use std::hint::black_box;

use agui_runtime::__private::engine::{JsonOut, PatchText, raw};
use agui_runtime::State;
use agui_runtime::state::{Shadow, StateChange};
use serde_json::Value;
use treediff::tools::Recorder;

/// Two values, and the contenders' data between two turns.
pub struct Match<T: State> {
    old: T,
    /// Equal to `now`, but apart from it in memory.
    twin: T,
    now: T,
    sent: T,
    copy: T,
    patch: PatchText,
    shadow: Shadow<T>,
    kept: Value,
    changed: Vec<Value>,
    buffer: Vec<u8>,
    out: JsonOut,
}

/// The timed work. `prepare` is not timed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Contender {
    /// The engine: compare, write operations, bring the copy up to date.
    Sync,
    /// The same with its budget: a snapshot where operations would be long.
    Shadow,
    /// Derived `==` over two equal states.
    Equal,
    /// serde_json writing the values of the operations alone.
    Changed,
    /// `json_patch::diff` with `to_value` of both sides, and the text of the patch.
    JsonPatch,
    /// The same with the old `Value` kept.
    JsonPatchKept,
    /// treediff with `to_value` of both sides; gives no patch.
    Treediff,
    /// A clone, and the engine.
    Diffed,
    /// A clone alone, which is dropped again.
    Copy,
    /// A clone into existing memory.
    CopyInPlace,
    /// serde_json writing the whole state.
    Snapshot,
    /// The engine writing the whole state.
    Write,
}

impl Contender {
    pub const ALL: [Self; 12] = [
        Self::Sync,
        Self::Shadow,
        Self::Equal,
        Self::Changed,
        Self::JsonPatch,
        Self::JsonPatchKept,
        Self::Treediff,
        Self::Diffed,
        Self::Copy,
        Self::CopyInPlace,
        Self::Snapshot,
        Self::Write,
    ];

    /// True for contenders that take hundreds of microseconds, and need fewer repetitions.
    pub fn is_slow(self) -> bool {
        matches!(
            self,
            Self::JsonPatch
                | Self::JsonPatchKept
                | Self::Treediff
                | Self::Diffed
                | Self::Copy
                | Self::CopyInPlace
                | Self::Snapshot
        )
    }
}

impl<T: State + PartialEq> Match<T> {
    pub fn new(old: T, edit: fn(&mut T)) -> Self {
        // One after the other in fresh memory, so that no contender has a better layout.
        let mut now = old.clone();
        edit(&mut now);
        let [mut sent, twin, copy] = [old.clone(), now.clone(), now.clone()];
        let mut patch = PatchText::default();
        raw::sync(&mut sent, &now, &mut patch).unwrap();
        let text = format!("{}]", String::from_utf8_lossy(raw::open_text(&patch)));
        let ops: Vec<Value> = serde_json::from_str(&text).unwrap();
        let changed = ops.into_iter().filter_map(|mut op| op.get_mut("value").map(Value::take)).collect();
        raw::sync(&mut sent, &old, &mut patch).unwrap();
        let (shadow, _) = Shadow::start(&old).unwrap();
        let kept = serde_json::to_value(&old).unwrap();
        let (buffer, out) = (Vec::new(), JsonOut::default());
        Self { old, twin, now, sent, copy, patch, shadow, kept, changed, buffer, out }
    }

    /// Operations and bytes of the engine's patch, without its budget.
    pub fn size(&mut self) -> (usize, usize) {
        raw::sync(&mut self.sent, &self.now, &mut self.patch).unwrap();
        let size = (raw::count(&self.patch), raw::open_text(&self.patch).len() + 1);
        raw::sync(&mut self.sent, &self.old, &mut self.patch).unwrap();
        size
    }

    /// The number of bytes by which the shadow's output exceeds serde_json's text of the whole.
    pub fn past_snapshot(&mut self) -> usize {
        let snapshot = serde_json::to_vec(&self.now).unwrap().len();
        let sent = self.run(Contender::Shadow);
        self.prepare(Contender::Shadow);
        sent.saturating_sub(snapshot)
    }

    /// Undoes the contender's change.
    pub fn prepare(&mut self, contender: Contender) {
        match contender {
            Contender::Sync => raw::sync(&mut self.sent, &self.old, &mut self.patch).unwrap(),
            Contender::Shadow => drop(black_box(self.shadow.flush(&self.old).map(|_| ()))),
            Contender::CopyInPlace => self.copy.clone_from(&self.old),
            _ => {}
        }
    }

    /// One turn; returns a number so that nothing is optimized away.
    pub fn run(&mut self, contender: Contender) -> usize {
        match contender {
            Contender::Sync => {
                raw::sync(&mut self.sent, black_box(&self.now), &mut self.patch).unwrap();
                raw::open_text(&self.patch).len()
            }
            Contender::Shadow => match self.shadow.flush(black_box(&self.now)).unwrap() {
                StateChange::Nothing => 0,
                StateChange::Delta(text) | StateChange::Snapshot(text) => text.len(),
            },
            Contender::Equal => usize::from(black_box(&self.twin) == black_box(&self.now)),
            Contender::Changed => {
                self.buffer.clear();
                for value in black_box(&self.changed) {
                    serde_json::to_writer(&mut self.buffer, value).unwrap();
                }
                self.buffer.len()
            }
            Contender::JsonPatch => {
                let old = serde_json::to_value(black_box(&self.old)).unwrap();
                let now = serde_json::to_value(black_box(&self.now)).unwrap();
                self.write_diff(&old, &now)
            }
            Contender::JsonPatchKept => {
                let now = serde_json::to_value(black_box(&self.now)).unwrap();
                let kept = std::mem::take(&mut self.kept);
                let length = self.write_diff(&kept, &now);
                self.kept = kept;
                length
            }
            Contender::Treediff => {
                let old = serde_json::to_value(black_box(&self.old)).unwrap();
                let now = serde_json::to_value(black_box(&self.now)).unwrap();
                let mut recorder = Recorder::default();
                treediff::diff(&old, &now, &mut recorder);
                recorder.calls.len()
            }
            Contender::Diffed => {
                let mut copy = black_box(&self.old).clone();
                raw::sync(&mut copy, &self.now, &mut self.patch).unwrap();
                raw::open_text(&self.patch).len()
            }
            Contender::Copy => {
                drop(black_box(black_box(&self.now).clone()));
                0
            }
            Contender::CopyInPlace => {
                self.copy.clone_from(black_box(&self.now));
                0
            }
            Contender::Snapshot => {
                self.buffer.clear();
                serde_json::to_writer(&mut self.buffer, black_box(&self.now)).unwrap();
                self.buffer.len()
            }
            Contender::Write => raw::write(black_box(&self.now), &mut self.out).unwrap().len(),
        }
    }

    fn write_diff(&mut self, old: &Value, now: &Value) -> usize {
        self.buffer.clear();
        serde_json::to_writer(&mut self.buffer, &json_patch::diff(old, now)).unwrap();
        self.buffer.len()
    }
}
