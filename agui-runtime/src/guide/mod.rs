//! The guide: one page for each task, from the need to code that runs.
//!
//! A user interface POSTs a [`RunAgentInput`](crate::protocol::RunAgentInput), and the agent answers with
//! [`Event`](crate::protocol::Event)s. One such answer is a run. A question to the user ends a run; the answer starts
//! the next one.
//!
#![doc = include_str!("run.svg")]
//!
//! | page | to |
//! |---|---|
//! | [`first_agent`] | write an agent, test it, serve it |
//! | [`tools`] | let a model, or your code, call functions; let the page do something |
//! | [`approvals`] | ask the user before a tool runs, or anything else |
//! | [`state`] | share a document with the page, in both directions |
//! | [`models`] | choose a model, bound it, get a typed result |
//! | [`subagents`] | let agents call each other |
//! | [`threads`] | keep conversations on the server |
//! | [`testing`] | test tools, agents and whole conversations |
//! | [`react`], [`without_a_framework`], [`python`] | write the client, with generated types |
//! | [`security`] | know which parts of an input are proven, and who may call |
//! | [`limits`] | bound clients, models and tools; know where this crate ends |
//! | [`deploying`] | run it in production |
//! | [`from_sse`], [`from_ag_ui`] | move from handwritten server-sent events, or from crate `ag-ui` |
//! | [`beyond_ag_ui`] | know which parts are AG-UI 1.0, and which are of this crate |
//!
//! The pages lead to the reference, which is beside the items: each macro, trait and function has its own
//! documentation. The search of this page finds both, also offline. Each Rust block of the guide is compiled and run by
//! `cargo test --features optional --doc`; a block in another language is a part of a file in the repository, which other
//! tests check.
//!
//! To see all pages, build them with all features: `cargo doc --no-deps -p agui-runtime --all-features --open`.

/// A page: a module without items, whose text needs the named features. A picture is a file that defines a link, written
/// by `tests/node/picture.mjs`.
macro_rules! page {
    ($page:ident, $text:literal $(with $picture:literal)? $(, $feature:literal)*) => {
        #[cfg_attr(all($(feature = $feature),*), doc = include_str!($text))]
        #[cfg_attr(
            not(all($(feature = $feature),*)),
            doc = concat!("This page needs the features", $(" `", $feature, "`"),*, " of this crate.")
        )]
        $(#[doc = ""] #[doc = include_str!($picture)])?
        pub mod $page {}
    };
}

page!(first_agent, "first_agent.md" with "inspector.txt", "server");
page!(tools, "tools.md", "client", "model");
page!(approvals, "approvals.md", "client", "model");
page!(state, "state.md" with "cook.txt");
page!(models, "models.md", "model", "providers", "server");
page!(subagents, "subagents.md", "model");
page!(threads, "threads.md", "server");
page!(testing, "testing.md", "client", "model");
page!(react, "react.md" with "tasks_dark.txt");
page!(without_a_framework, "without_a_framework.md" with "tasks.txt", "server");
page!(python, "python.md", "client");
page!(limits, "limits.md", "model", "server");
page!(from_sse, "from_sse.md", "model", "server");
page!(from_ag_ui, "from_ag_ui.md", "server");
page!(beyond_ag_ui, "beyond_ag_ui.md", "model", "server");

#[cfg_attr(feature = "server", doc = include_str!("deploying.md"))]
#[cfg_attr(feature = "server", doc = "")]
#[cfg_attr(feature = "server", doc = include_str!("../docs/deploying.md"))]
#[cfg_attr(not(feature = "server"), doc = "This page needs the feature `server` of this crate.")]
pub mod deploying {}

pub use agui_runtime_core::guide::security;
