//! A program whose tool and whose agent fail, for tests of what the terminal shows. With the argument `router` it serves by axum
//! itself, with `own` it has a subscriber of its own, and with `late` it installs that one after an `.await`.

use std::io::{self, Write as _};
use std::time::Duration;

use agui_runtime::prelude::*;
use agui_runtime::{Error, Server};
use tokio::net::TcpListener;

/// The till does not open.
#[derive(Debug, thiserror::Error)]
#[error("the till does not open")]
struct TillError(#[source] io::Error);

/// Opens the till.
#[tool]
async fn open_till() -> Result<u32, TillError> {
    Err(TillError(io::Error::other("key 4711\nis \u{1b}[31mlost")))
}

/// Works in a shop, badly.
#[agent(tools = [open_till])]
async fn clerk(run: &mut Run<Clerk>, input: Input<Clerk>) -> Result<(), Stop> {
    if input.user_text().as_deref() == Some("close") {
        return Err(TillError(io::Error::other("the door jams")).into());
    }
    drop(run.call(open_till {}).await?.run().await);
    Ok(())
}

/// Serves by axum, as a program does that has pages and routes of its own.
async fn serve_by_axum(server: Server) -> io::Result<()> {
    let app = server.router().map_err(io::Error::other)?;
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    writeln!(io::stdout(), "listening on http://{}", listener.local_addr()?)?;
    axum::serve(listener, app).await
}

/// Installs a subscriber as programs do; a second one would be a panic.
fn log_as(name: &'static str) {
    let format = tracing_subscriber::fmt::format().without_time().with_ansi(false).compact();
    tracing_subscriber::fmt().event_format(format).with_writer(io::stderr).init();
    tracing::info!("the log of the program: {name}");
}

#[agui_runtime::main]
async fn main() -> Result<(), Error> {
    let server = Server::new().agent("/", Clerk::new());
    match std::env::args().nth(1).as_deref() {
        Some("router") => return serve_by_axum(server).await.map_err(Error::Io),
        Some("own") => log_as("own"),
        Some("late") => {
            tokio::time::sleep(Duration::from_millis(20)).await;
            log_as("late");
        }
        _ => {}
    }
    server.serve().await
}
