//! The metrics of a server, as a recorder sees them.

use std::collections::BTreeMap;

use metrics_util::debugging::{DebugValue, DebuggingRecorder, Snapshotter};

/// The totals of all metrics since the beginning of a test.
pub struct RecordedMetrics {
    snapshotter: Snapshotter,
    totals: BTreeMap<String, i64>,
}

impl RecordedMetrics {
    /// Reads what a recorder gets.
    #[must_use]
    pub fn of(recorder: &DebuggingRecorder) -> Self {
        Self { snapshotter: recorder.snapshotter(), totals: BTreeMap::new() }
    }

    /// Returns every counter and gauge by its name with its labels, as `name{label}`.
    pub fn now(&mut self) -> &BTreeMap<String, i64> {
        for (key, _, _, value) in self.snapshotter.snapshot().into_vec() {
            let labels: Vec<_> = key.key().labels().map(|label| label.value().to_owned()).collect();
            let name = match labels.as_slice() {
                [] => key.key().name().to_owned(),
                labels => format!("{}{{{}}}", key.key().name(), labels.join(",")),
            };
            // A snapshot takes all of them back to zero, gauges too.
            let change = match value {
                DebugValue::Counter(count) => i64::try_from(count).unwrap_or(i64::MAX),
                DebugValue::Gauge(level) => level.into_inner() as i64,
                // `tests/telemetry` reads them.
                DebugValue::Histogram(_) => continue,
            };
            *self.totals.entry(name).or_default() += change;
        }
        &self.totals
    }
}
