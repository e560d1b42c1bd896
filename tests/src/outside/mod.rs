//! Outside programs: official clients, validators, compilers and a browser, run against our servers.
//!
//! A test asks for the program it needs, runs it, and reads a typed report:
//!
//! ```no_run
//! use agui_tests::need;
//! use agui_tests::outside::{Conversation, ExampleServer, Generation, Node, Turn};
//!
//! # fn the_cook_answers() {
//! let node = need!(Node::ready());
//! let server = ExampleServer::start("recipe");
//! for generation in Generation::ALL {
//!     let report = node.converse(&Conversation::new(server.url(), generation).then(Turn::say("risotto")));
//!     report.assert_clean();
//! }
//! # }
//! ```
//!
//! Packages come from the lock files in `tests/node` and `tests/python` and are installed on first use under
//! `<target>/outside/`. A missing program skips the test, visibly; with `CI` or `AGUI_REQUIRE_OUTSIDE` set it fails the
//! test. Any other failure is a failed test.
#![allow(
    clippy::panic,
    clippy::missing_panics_doc,
    reason = "test support: what goes wrong here fails the test"
)]

mod a2a;
mod a2ui;
mod assistant_ui;
mod browser;
mod bundle;
mod cargo_folder;
mod checkers;
mod client_programs;
mod conversation;
mod copilotkit;
mod example;
mod extensions;
mod fold;
mod generated;
mod many;
mod maturin;
mod mcp;
mod model_mock;
mod node;
mod numbered;
mod oracle;
mod pages;
mod patch;
mod python;
mod running_script;
mod talk;
mod types;
mod validator;

pub use a2a::{A2aReport, A2aSdk, A2aStep};
pub use a2ui::A2uiReact;
pub use agui_programs::{
    Finished, Missing, OwnServer, artefact, authority, cargo, finish, target_dir, tests_dir, without_package,
    workspace_dir,
};
pub use assistant_ui::AssistantUi;
pub use browser::{BrowserReport, Chromium, Trouble};
pub use cargo_folder::CargoFolder;
pub use checkers::Checkers;
pub use client_programs::ClientPrograms;
pub use conversation::{
    Compacted, Complaint, Conversation, ConversationReport, Generation, Turn, TurnReport,
};
pub use copilotkit::{CopilotKit, Reload, Spoken, Talk};
pub use example::{ExampleServer, StartFailure, built};
pub use extensions::Extensions;
pub use fold::{Folded, Stream};
pub use generated::{empty, generated, runner_of_readme, thread_list_adapter_of_readme, write_manifest};
pub use many::Refused;
pub use maturin::Maturin;
pub use mcp::{EverythingOverHttp, McpGeneration, McpPackages, McpPeer, McpReport};
pub use model_mock::{ModelMock, check_requests, strict_schemas};
pub use node::Node;
pub use pages::{Bundler, Pages};
pub use patch::{PatchVerdict, WrongPatch};
pub use python::Python;
pub use validator::{EventProblems, Finding, StreamReport, Verdict};
