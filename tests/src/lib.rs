//! Shared parts of the cross-crate tests.

pub mod cut_proxy;
pub mod cut_server;
pub mod folder;
pub mod gated;
pub mod http;
pub mod identified;
pub mod intake;
pub mod judge;
pub mod log;
pub mod model_server;
pub mod outside;
pub mod recorded_metrics;
pub mod report;
pub mod tls;
pub mod verdict;
pub mod wire;

#[cfg(feature = "optional")]
pub mod joined;
#[cfg(feature = "optional")]
pub mod schema_forms;
#[cfg(feature = "optional")]
pub mod simulation;
#[cfg(feature = "optional")]
pub mod stored;
#[cfg(feature = "optional")]
pub mod thread_conformance;
#[cfg(feature = "optional")]
pub mod webhooks;

pub use agui_programs::need;

/// True with `AGUI_EXHAUSTIVE`, as in CI: searches that are sampled otherwise are whole.
#[must_use]
pub fn is_exhaustive() -> bool {
    std::env::var_os("AGUI_EXHAUSTIVE").is_some()
}

/// The examples of the packages' own READMEs.
#[cfg(doctest)]
mod readmes {
    #[doc = include_str!("../../agui-runtime/README.md")]
    struct Runtime;

    #[doc = include_str!("../../agui-macros/README.md")]
    struct Macros;
}
