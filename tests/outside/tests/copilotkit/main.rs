//! Agents behind CopilotKit, which still ships a client from before 1.0: every route of the tour, and every example.
//!
//! | module | what it looks at |
//! |---|---|
//! | `compact` | `compactEvents` of both official clients, which CopilotKit's runtime calls at the end of each run and does not guard |
//! | `runtime` | CopilotKit's own runtime: its process lives, every run ends, every thread can be loaded again |
//! | `page` | CopilotKit's page in Chromium: what is on screen in the end |
#![allow(clippy::panic, clippy::unwrap_used, clippy::indexing_slicing, reason = "tests")]

mod compact;
mod page;
mod places;
mod runtime;
