//! The place where the showcase's pages look for the data of a question.

use agui_runtime::protocol::Interrupt;

/// Repeats the payload of a typed question as `metadata.reason`, where these pages read it. Generated clients read it
/// from its own member.
pub fn with_reason(mut question: Interrupt) -> Interrupt {
    let metadata = question.metadata.get_or_insert_default();
    if let Some(payload) = metadata.get("agui-rust/payload").cloned() {
        metadata.insert("reason".to_owned(), payload);
    }
    question
}
