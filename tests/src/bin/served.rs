//! The smallest server with a plain `main`, for tests of a whole program. With the argument `delay` it also waits before
//! it closes its listener; with `router` it only makes its routes, like a program that has a server of its own.

use std::time::Duration;

use agui_runtime::manifest::AgentSource;
use agui_runtime::{Agent, Error, FinishedRun, Input, Limits, Run, Server, Stop};

struct Host;

impl Agent for Host {
    type State = ();
    type Request = ();
    type Output = ();

    async fn run<'r>(&self, run: &'r mut Run<Self>, input: Input<Self>) -> Result<FinishedRun<'r, ()>, Stop> {
        if input.user_text().as_deref() == Some("wait") {
            std::future::pending::<()>().await;
        }
        run.say("Welcome!").await;
        Ok(run.finish(()))
    }

    fn source() -> AgentSource {
        AgentSource {
            description: "Welcomes",
            version: "1.0.0",
            rust_path: std::any::type_name::<Self>(),
            ..AgentSource::new("host")
        }
    }
}

#[tokio::main]
async fn main() -> Result<(), Error> {
    let long = Duration::from_secs(600);
    let limits = Limits::default().shutdown_grace(long);
    let server = Server::new().agent("/", Host);
    match std::env::args().nth(1).as_deref() {
        None => server.limits(limits).serve().await,
        Some("delay") => server.limits(limits.shutdown_delay(long)).serve().await,
        Some(_) => server.router().map(|_| println!("routes made")),
    }
}
