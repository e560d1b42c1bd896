//! AG-UI over HTTP in a handler of your own.
//!
//! [`Server`](crate::Server), [`Limits`](crate::Limits), [`router`](crate::router()) and [`serve`](crate::serve()) are at the root of
//! the crate.
//!
//! | to | see |
//! |---|---|
//! | read the input of a request | [`AgUiInput`], [`InputLimits`] |
//! | answer with the events of a run | [`AgUiReply`], [`AgUiResponse`] |
//! | answer a request that is refused | [`Rejection`] |
//! | send the ends of stored runs to a URL | [`Webhooks`] (feature `webhooks`) |
//! | see warnings and errors in the terminal | [`log_to_stderr`] |
//! | decide about stored threads: a second run, a client that leaves | [`ThreadOptions`], [`BusyThread`], [`ClientLeaves`] |
//! | write titles for stored threads | [`ThreadTitles`], [`FirstExchange`], `ModelTitles` (feature `model`) |

#[cfg(feature = "model")]
pub use crate::server::ModelTitles;
#[cfg(feature = "webhooks")]
pub use crate::server::Webhooks;
pub use crate::server::{
    AgUiInput, AgUiReply, AgUiResponse, BusyThread, ClientLeaves, FirstExchange, InputLimits, Rejection,
    ThreadOptions, ThreadTitles,
};
pub use crate::stderr_log::log_to_stderr;
