//! Our server, with one of the stores or without.

use agui_runtime::http::ThreadOptions;
use agui_runtime::prelude::*;
use agui_runtime::thread::{Memory, Postgres, Redis, Sqlite};
use agui_runtime::{Limits, Server};
use tokio::net::TcpListener;
use tokio::time::Instant;

use crate::load::Load;
use crate::process::Fault;

/// Says the tokens that its user asks for.
#[agent]
async fn counter(run: &mut Run<Counter>, input: Input<Counter>) -> Result<(), Stop> {
    let asked = input.user_text().unwrap_or_default();
    let load: Load = serde_json::from_str(&asked).map_err(|error| Stop::error(error.to_string()))?;
    let begun = Instant::now();
    let mut text = run.message().await;
    for number in 0..load.tokens {
        load.due(begun, number).await;
        text.push(Load::token(number)).await;
    }
    load.hold().await;
    text.end();
    Ok(())
}

/// Serves the agent. `place` is the file or the address of the store.
pub async fn serve(store: &str, place: &str, listener: TcpListener) -> Result<(), Fault> {
    let many = 100_000;
    let limits = Limits::default().connections(many).runs(many).runs_per_client(many);
    let server = Server::new().limits(limits).thread_options(ThreadOptions::default().keep_records(1_000));
    let server = match store {
        "none" => server,
        "memory" => server.threads(Memory::new()),
        "sqlite" => server.threads(Sqlite::open(place)?),
        "postgres" => server.threads(Postgres::connect(place).await?),
        "redis" => server.threads(Redis::connect(place).await?),
        other => return Err(format!("no store `{other}`").into()),
    };
    let server = server.agent("/", Counter::new()).copilotkit(crate::copilotkit::BASE);
    Ok(server.serve_on(listener, std::future::pending()).await?)
}
