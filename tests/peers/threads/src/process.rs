//! The servers as processes of their own, whose time and memory can be counted.

use std::process::Stdio;
use std::time::Duration;

use agui_programs::Processes;
use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, BufReader};
use tokio::net::TcpListener;
use tokio::process::{Child, ChildStdin, Command};

/// Anything that ends the measurement.
pub type Fault = Box<dyn std::error::Error + Send + Sync>;

/// A server in a process of its own, which ends with the value.
pub struct ServerProcess {
    pub port: u16,
    processes: Processes,
    // The process ends with its input.
    _input: Option<ChildStdin>,
    _child: Child,
}

impl ServerProcess {
    /// Starts a server of this program: `store` is a store of ours, or `xadd`.
    pub async fn ours(store: &str, place: &str) -> Result<Self, Fault> {
        let mut command = Command::new(std::env::current_exe()?);
        command.args(["serve", store, place]);
        Self::start(command).await
    }

    /// Starts a server that prints its port, or its address, and ends with its input or the value.
    pub async fn start(mut command: Command) -> Result<Self, Fault> {
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).kill_on_drop(true);
        let mut child = command.spawn()?;
        let input = child.stdin.take();
        let output = child.stdout.take().ok_or("a server without output")?;
        let mut line = String::new();
        BufReader::new(output).read_line(&mut line).await?;
        let said = line.trim().rsplit(':').next().unwrap_or_default();
        let port = said.parse().map_err(|_| format!("a server said `{line}` in place of its port"))?;
        let processes = Processes::of(child.id().ok_or("a server has ended")?);
        Ok(Self { port, processes, _input: input, _child: child })
    }

    pub fn processor_time(&self) -> Duration {
        self.processes.processor_time()
    }

    pub fn anonymous_bytes(&self) -> u64 {
        self.processes.anonymous_bytes()
    }
}

/// Serves in this process, until its input ends.
pub async fn serve(store: &str, place: &str) -> Result<(), Fault> {
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    println!("{}", listener.local_addr()?.port());
    let serving = async {
        match store {
            "xadd" => crate::xadd::serve(place, listener).await,
            store => crate::ours::serve(store, place, listener).await,
        }
    };
    let mut end = Vec::new();
    tokio::select! {
        served = serving => served,
        _ = async { tokio::io::stdin().read_to_end(&mut end).await } => Ok(()),
    }
}
