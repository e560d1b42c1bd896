//! `/error_flow`: a run that fails behind the agent.
//!
//! The text of a [`Stop::error`] is for the user. Its source, which may name hosts and paths, is for the log alone.

use std::io;

use agui_runtime::prelude::*;

/// Fails to make a report.
#[agent]
pub async fn error_flow(_: &mut Run<ErrorFlow>, _: Input<ErrorFlow>) -> Result<(), Stop> {
    report().map_err(|cause| {
        Stop::error("The report could not be made.").with_code("REPORT_FAILED").with_source(cause)
    })
}

fn report() -> io::Result<()> {
    Err(io::Error::other("reports.internal:5432 refused the connection"))
}
