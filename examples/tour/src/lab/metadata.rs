//! `/lab/metadata`: the optional members of every event.

use agui_runtime::EventFields;
use agui_runtime::prelude::*;
use agui_runtime::protocol::{Metadata, NonNull, Timestamp};
use serde_json::json;

/// Sends one message, with much metadata.
#[agent]
pub async fn tagged(run: &mut Run<Tagged>, _: Input<Tagged>) -> Result<(), Stop> {
    let mut message = run
        .message()
        .name("Ada")
        .metadata(Metadata::from_iter([("lang".to_owned(), json!("en"))]))
        .timestamp(Timestamp::from_millis(1_700_000_000_000)?)
        .raw_event(NonNull::try_from(json!({ "x": 1 }))?)
        .await;
    message.push("tagged").await;
    let finish = Metadata::from_iter([("finish".to_owned(), json!("stop"))]);
    message.end_with(EventFields::new().with_metadata(finish)); // metadata that is known only at the end
    Ok(())
}
