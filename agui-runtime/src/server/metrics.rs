//! All metrics of a server, whose table is in the documentation of [`Server`](super::Server).

use metrics::{counter, gauge};

const CONNECTIONS: &str = "agui_connections_open";
const RUNS: &str = "agui_runs_open";
const BODY_BYTES: &str = "agui_body_bytes";
const REFUSED: &str = "agui_requests_refused_total";
const TIMEOUTS: &str = "agui_timeouts_total";
const EVICTED: &str = "agui_connections_evicted_total";
const ACCEPT_ERRORS: &str = "agui_accept_errors_total";

/// The time limit that was exceeded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Timeout {
    Header,
    Body,
    Idle,
    Write,
    Run,
    Shutdown,
}

impl Timeout {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Header => "header",
            Self::Body => "body",
            Self::Idle => "idle",
            Self::Write => "write",
            Self::Run => "run",
            Self::Shutdown => "shutdown",
        }
    }
}

pub(super) fn connection_opened() {
    gauge!(CONNECTIONS).increment(1);
}

pub(super) fn connection_closed() {
    gauge!(CONNECTIONS).decrement(1);
}

pub(super) fn run_started() {
    gauge!(RUNS).increment(1);
}

pub(super) fn run_ended() {
    gauge!(RUNS).decrement(1);
}

pub(super) fn body_grew(bytes: usize) {
    gauge!(BODY_BYTES).increment(bytes as f64);
}

pub(super) fn body_released(bytes: usize) {
    gauge!(BODY_BYTES).decrement(bytes as f64);
}

pub(super) fn refused(code: &str) {
    counter!(REFUSED, "code" => code.to_owned()).increment(1);
}

pub(super) fn timed_out(timeout: Timeout) {
    counter!(TIMEOUTS, "kind" => timeout.name()).increment(1);
}

pub(super) fn evicted() {
    counter!(EVICTED).increment(1);
}

pub(super) fn accept_failed() {
    counter!(ACCEPT_ERRORS).increment(1);
}
