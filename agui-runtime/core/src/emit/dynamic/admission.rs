//! Events that are never forwarded, in any order.

use super::DynamicError;
use crate::kernel::RunKernel;
use crate::protocol::Event;

pub(super) fn check(kernel: &mut RunKernel, event: &Event) -> Result<(), DynamicError> {
    let event_type = event.event_type();
    match event {
        Event::RunStarted(_) | Event::RunFinished(_) | Event::RunError(_) => {
            Err(DynamicError::RunEvent { event_type })
        }
        Event::MessagesSnapshot(_) => Err(DynamicError::MessagesSnapshot),
        Event::StateSnapshot(_) | Event::StateDelta(_) if !kernel.lend_state() => {
            Err(DynamicError::TypedState { event_type })
        }
        _ => Ok(()),
    }
}
