//! Every event that the table lets a legacy client read has code.
//!
//! Not beside the code, which proofs compile without the samples.

use super::Peer;
use super::peer::LostContent;
use crate::protocol::{LegacyForm, sample_events};

#[test]
fn every_rewritten_event_has_code() {
    for mut event in sample_events() {
        let event_type = event.event_type();
        let is_sent = Peer::Legacy.admit(&mut event, &mut LostContent::default());
        assert_eq!(is_sent, event_type.legacy() != LegacyForm::Dropped, "{event_type}");
    }
}
