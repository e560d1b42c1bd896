//! A client's side of a stream, stage by stage (AG-UI 1.0, section "Model and conventions").
//!
//! Each stage is a small state machine: one input, its outputs, nothing else. No stage knows another, waits, or reads a clock, so
//! the same stream always gives the same result.
//!
//! | stage | takes | gives | refuses |
//! |---|---|---|---|
//! | [`LegacyTranslator`] | JSON in any version's shape | JSON in the 1.0 shape, and a warning for each change | nothing |
//! | [`ShapeEnforcer`] | JSON in the 1.0 shape | a typed event or none, and a warning for each part left out | malformed values |
//! | [`FrameIntake`] | a frame's text | the same as both above, faster | text that is not JSON, malformed values |
//! | [`ChunkExpander`] | a typed event | the expanded events | a chunk that neither begins nor continues anything |
//! | [`OrderVerifier`](crate::order::OrderVerifier) | a typed event that is not a chunk | the same | an event that is out of order |
//! | [`Reducer`] | a typed event in order | messages, state, open interrupts, and their changes | nothing |
//! | [`ReceivePipeline`] | frames, or typed events | the results of all stages | whatever one stage refuses |
//!
//! [`compact`](compact::compact) shortens recorded streams, and [`differences`] lists the deliberate differences from the official
//! client.
//!
//! Without the feature `receive` there is only [`ChunkExpander`], which agents need to forward streams. `server`, `client` and `dialect`
//! bring the feature.

pub mod chunks;
#[cfg(feature = "receive")]
pub mod compact;
#[cfg(feature = "receive")]
pub mod compat;
#[doc = include_str!("../docs/differences.md")]
pub mod differences {}
#[cfg(feature = "receive")]
pub mod enforce;
#[cfg(feature = "receive")]
mod intake;
#[cfg(feature = "receive")]
pub mod pipeline;
#[cfg(feature = "receive")]
mod place;
#[cfg(feature = "receive")]
pub mod reduce;
#[cfg(feature = "receive")]
pub(crate) mod surrogate;
#[cfg(all(test, feature = "receive"))]
mod tests;
#[cfg(feature = "receive")]
mod warning;

pub use chunks::{ChunkError, ChunkExpander};
#[cfg(feature = "receive")]
pub use compat::{InvalidCeiling, LegacyTranslator, PeerCeiling};
#[cfg(feature = "receive")]
pub use enforce::{ExpectedShape, FoundKind, FrameFault, RejectCode, RejectedFrame, ShapeEnforcer};
#[cfg(feature = "receive")]
pub use intake::FrameIntake;
#[cfg(feature = "client")]
pub(crate) use intake::parse;
#[cfg(feature = "receive")]
pub use pipeline::{PipelineEnd, ReceiveError, ReceivePipeline};
#[cfg(feature = "receive")]
pub use reduce::{Reducer, ReducerChange, ReducerUpdate};
#[cfg(feature = "receive")]
pub use warning::{FrameWarning, WarningKind};
