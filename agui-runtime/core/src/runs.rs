//! The surroundings of a run: its request, its parts, and its end.
//!
//! [`Run`](crate::Run), [`RunOptions`](crate::RunOptions), [`start`](crate::start) and [`Stop`](crate::Stop) are at the root of the crate.
//!
//! | to | see |
//! |---|---|
//! | require values of the request | [`FromRequestValues`], [`MissingRequestValue`] |
//! | take an agent in any form | [`SharedAgent`], [`IntoDynAgent`] |
//! | read what the client forwards, by its type | [`PropsOf`], [`ForwardedError`] |
//! | delegate a piece of a run to another agent | [`CallHandle`], [`NoState`], [`HoldsState`] |
//! | run a part of a run on another thread | [`RunTasks`] |
//! | end a run with an error of your own | [`IntoStop`] |
//! | answer requests in a host that has neither axum nor tower | [`start_bytes`], [`ByteStream`], [`InvalidInput`] |

#[doc(hidden)]
pub use crate::agent::ForwardedData;
pub use crate::agent::{
    ByteStream, CallHandle, ForwardedError, FromRequestValues, IntoDynAgent, IntoStop, InvalidInput,
    MissingRequestValue, NoState, PropsOf, RunTasks, SharedAgent, start_bytes,
};
pub use crate::emit::HoldsState;
