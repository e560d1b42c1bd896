//! Events that are never forwarded, in any order.

use super::DynamicError;
use crate::kernel::RunKernel;
use crate::protocol::{Event, ForwardedForm};

pub(super) fn check(kernel: &mut RunKernel, event: &Event) -> Result<(), DynamicError> {
    let event_type = event.event_type();
    match event_type.forwarded() {
        ForwardedForm::OwnRun => Err(DynamicError::RunEvent { event_type }),
        ForwardedForm::OwnConversation => Err(DynamicError::MessagesSnapshot),
        ForwardedForm::State if !kernel.lend_state() => Err(DynamicError::TypedState { event_type }),
        ForwardedForm::State
        | ForwardedForm::Unchanged
        | ForwardedForm::Translated
        | ForwardedForm::Expanded => Ok(()),
    }
}
