//! What a client does with a stream, stage by stage (AG-UI 1.0, section "Model and conventions").
//!
//! Each stage is a small state machine: one thing in, what it becomes out, nothing else. None knows the others, none waits, none looks
//! at a clock, so that the same stream always ends the same way.
//!
//! | stage | takes | gives | refuses |
//! |---|---|---|---|
//! | [`compat`] | JSON of any version's shape | JSON of 1.0's shape, and what it had to change | nothing |
//! | [`enforce`] | JSON of 1.0's shape | a typed event without what 1.0 does not know, or none, and what it left out | malformed values |
//! | [`chunks`] | a typed event | the events it stands for | a chunk that begins nothing and goes on with nothing |

pub mod chunks;
pub mod compact;
pub mod compat;
pub mod differences;
pub mod enforce;
pub mod patch;
pub mod pipeline;
pub mod reduce;
