//! The inspector beside the agent.

use std::fmt;
use std::net::SocketAddr;

use super::DevError;

/// The first port that is tried.
#[cfg(feature = "inspector")]
const PORT: u16 = 8765;

/// The inspector's page, or the reason why there is none.
pub(super) struct DevInspector {
    place: String,
}

impl fmt::Display for DevInspector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.place)
    }
}

#[cfg(not(feature = "inspector"))]
impl DevInspector {
    /// Says how to get the inspector.
    pub(super) fn start(_agent: SocketAddr, _paths: &[String]) -> Result<Self, DevError> {
        Ok(Self { place: "cargo install agui-codegen --features inspector".to_owned() })
    }
}

#[cfg(feature = "inspector")]
impl DevInspector {
    /// Serves the inspector for the agents at `paths`, from a thread of its own, on the first free port from [`PORT`] on.
    pub(super) fn start(agent: SocketAddr, paths: &[String]) -> Result<Self, DevError> {
        use agui_inspector::{Agent, Agents};
        use agui_runtime::Server;
        use agui_runtime::client::HttpAgent;

        use super::{port, screen};

        let failed = |error: &dyn fmt::Display| DevError::Inspector(error.to_string());
        let base = screen::url(agent);
        let agents = paths.iter().map(|path| {
            let url = format!("{}{path}", base.trim_end_matches('/'));
            Ok(Agent::new(&url, HttpAgent::new(&url).map_err(|error| failed(&error))?))
        });
        let agents = agents.collect::<Result<Vec<_>, DevError>>()?;
        let address = port::free(PORT)?;
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        let runtime = runtime.map_err(|error| failed(&error))?;
        let listener = runtime.block_on(tokio::net::TcpListener::bind(address));
        let listener = listener.map_err(|error| failed(&error))?;
        let server = Server::new().routes(agui_inspector::routes(Agents::new(agents)));
        std::thread::spawn(move || {
            let served = runtime.block_on(server.serve_on(listener, std::future::pending()));
            if let Err(error) = served {
                screen::line(&format!("the inspector ended: {error}"));
            }
        });
        Ok(Self { place: screen::url(address) })
    }
}
