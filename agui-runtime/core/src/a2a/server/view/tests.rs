//! Every event that the table shows has code.

use super::*;
use crate::protocol::sample_events;

#[test]
fn every_shown_event_has_code() {
    let mut view = TaskView::new(&TaskId::begun_by("thread", "message"));
    for event in sample_events() {
        view.shown.take(&event, view.pipeline.reducer());
    }
    assert!(!view.updates().is_empty());
}
