//! Programs of other projects, for tests and benchmarks: finds them, installs their packages, starts their servers.
//!
//! Packages come from lock files in `tests/` and are installed on first use under `<target>/outside/`. A missing
//! program skips a test, visibly; with `CI` or `AGUI_REQUIRE_OUTSIDE` set it fails the test.
#![allow(
    clippy::panic,
    clippy::missing_panics_doc,
    reason = "test support: what goes wrong here fails the test"
)]

mod install;
mod missing;
mod node;
mod place;
mod postgres_server;
mod process;
mod processes;
mod program;
mod redis_server;
mod service;
mod tls;

pub use install::Installation;
pub use missing::Missing;
pub use node::installed;
pub use place::{artefact, cargo, outside_dir, target_dir, tests_dir, without_package, workspace_dir};
pub use process::{Finished, finish};
pub use processes::Processes;
pub use program::Program;
pub use service::OwnServer;
pub use tls::authority;
