//! The answers to interrupts, and their errors.
//!
//! The derive [`Interrupt`](derive@crate::Interrupt) and the [`InterruptKey`](crate::InterruptKey) are at the root of the crate.
//!
//! | to | see |
//! |---|---|
//! | read the answer of a person | [`ResumedInterrupt`] |
//! | name the answer to the question of a tool with approval | [`Approval`] |
//! | name the interrupts of an agent in a bound | [`InterruptOf`] |
//! | match the errors | [`InterruptError`], [`ResumedError`], [`ResumeCallError`], [`InterruptKeyError`] |

pub use crate::agent::{Approval, InterruptError, InterruptOf, ResumeCallError, ResumedInterrupt};
#[cfg(feature = "signed-interrupts")]
pub use crate::consent::InterruptKeyError;
pub use crate::consent::ResumedError;
