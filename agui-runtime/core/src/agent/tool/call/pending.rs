//! Pending frontend calls.

use std::fmt;

use crate::agent::tool::Tool;
use crate::emit::{CallRef, EncryptedEntity, EncryptedTarget};
use crate::protocol::ToolCallId;

/// A pending frontend call: the user interface must send the result.
///
/// A pending call cannot send a result, because a frontend tool's result never comes in the calling run. End the run with
/// [`Stop::await_frontend`](crate::Stop::await_frontend); the next run reads the result with
/// [`Input::frontend_result`](crate::Input::frontend_result).
///
/// ```
/// use agui_runtime::prelude::*;
///
/// /// Asks the person whether that is all.
/// #[tool(frontend)]
/// async fn checkout(total: u32) -> bool;
///
/// /// Sells things.
/// #[agent(tools = [checkout])]
/// async fn clerk(run: &mut Run<Clerk>, input: Input<Clerk>) -> Result<(), Stop> {
///     let ask = run.call(checkout { total: 180 }).await?;
///     assert_eq!(ask.arguments().total, 180);
///     Err(Stop::await_frontend(ask))
/// }
/// ```
#[must_use = "end the run with `return Err(Stop::await_frontend([call]))` and let the client answer"]
pub struct PendingCall<T: Tool> {
    id: ToolCallId,
    arguments: T,
}

impl<T: Tool> PendingCall<T> {
    pub(in crate::agent::tool) fn new(id: ToolCallId, arguments: T) -> Self {
        Self { id, arguments }
    }

    /// Returns the call id on the wire.
    pub fn id(&self) -> &ToolCallId {
        &self.id
    }

    /// Returns the call's receipt, for writes that name the call after it was moved.
    pub fn receipt(&self) -> CallRef {
        CallRef::new(self.id.clone())
    }

    /// Returns the call's arguments.
    pub fn arguments(&self) -> &T {
        &self.arguments
    }
}

impl<T: Tool> EncryptedEntity for PendingCall<T> {
    fn entity(&self) -> Option<EncryptedTarget> {
        Some(EncryptedTarget::call(self.id()))
    }
}

impl<T: Tool> fmt::Debug for PendingCall<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PendingCall").field("tool", &T::NAME).field("id", &self.id).finish_non_exhaustive()
    }
}

/// Pending frontend calls: the argument for [`Stop::await_frontend`](crate::Stop::await_frontend).
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a call the user interface must answer",
    label = "not a pending call",
    note = "pass the call of a frontend tool that `run.call(..)` returned: one call, an array of calls, or a tuple of calls"
)]
pub trait PendingCalls {
    #[doc(hidden)]
    fn into_ids(self) -> Vec<ToolCallId>;
}

impl<T: Tool> PendingCalls for PendingCall<T> {
    fn into_ids(self) -> Vec<ToolCallId> {
        vec![self.id]
    }
}

impl<C: PendingCalls, const N: usize> PendingCalls for [C; N] {
    fn into_ids(self) -> Vec<ToolCallId> {
        self.into_iter().flat_map(C::into_ids).collect()
    }
}

impl<C: PendingCalls> PendingCalls for Vec<C> {
    fn into_ids(self) -> Vec<ToolCallId> {
        self.into_iter().flat_map(C::into_ids).collect()
    }
}

macro_rules! tuples {
    ($($($call:ident)+;)*) => {$(
        #[allow(non_snake_case)]
        impl<$($call: PendingCalls),+> PendingCalls for ($($call,)+) {
            fn into_ids(self) -> Vec<ToolCallId> {
                let ($($call,)+) = self;
                [$($call.into_ids()),+].concat()
            }
        }
    )*};
}

tuples! {
    A;
    A B;
    A B C;
    A B C D;
}
