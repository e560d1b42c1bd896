//! Drafts of AG-UI, which are not part of 1.0 (feature `drafts`).
//!
//! They follow the pages under `docs/drafts` of the AG-UI repository, which have no version and no JSON Schema. **They change with these
//! pages, in any release of this crate.**
//!
//! | draft | here |
//! |---|---|
//! | Generative User Interfaces: the page generates a form from a description | [`generate_user_interface`], [`UserInterface`], [`UserInterfaceError`] |
//! | Meta Events: reactions, notes and tags beside the runs | [`MetaEvent`] |

mod meta_event;
mod user_interface;

pub use meta_event::MetaEvent;
pub use user_interface::{UserInterface, UserInterfaceError, generate_user_interface};
