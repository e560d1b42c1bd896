//! The page that shows the events of agents.

use std::io::{self, Write as _};
use std::net::Ipv4Addr;

use agui_inspector::{Agent, Agents};
use agui_runtime::Server;
use tokio::net::TcpListener;

use crate::arguments::Inspect;
use crate::connect::{self, CliError};
use crate::went::Went;

/// Serves the page until Ctrl-C.
pub async fn serve(options: &Inspect) -> Result<Went, CliError> {
    let names = options.connection.header.iter().filter_map(|header| header.split_once(':'));
    let names: Vec<_> = names.map(|(name, _)| name.trim().to_owned()).collect();
    let agents = options.urls.iter().map(|url| {
        let agent = Agent::new(url, connect::agent(url, &options.connection)?);
        Ok(agent.headers(names.clone()))
    });
    let agents = agents.collect::<Result<Vec<_>, CliError>>()?;
    // On a loopback address the server answers only to names of this machine, and only to its own page.
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, options.port)).await.map_err(in_use)?;
    let address = listener.local_addr().map_err(in_use)?;
    writeln!(io::stdout(), "Inspector on http://{address}")?;
    let left = async {
        // Without signals only the end of the process ends the page.
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
    };
    let server = Server::new().routes(agui_inspector::routes(Agents::new(agents)));
    server.serve_on(listener, left).await.map_err(CliError::Page)?;
    Ok(Went::Well)
}

fn in_use(error: io::Error) -> CliError {
    CliError::Page(agui_runtime::Error::Io(error))
}
