//! The servers as processes of their own, whose time and memory can be counted.

use std::process::Stdio;
use std::time::{Duration, Instant};

use agui_programs::Processes;
use tokio::io::{AsyncBufReadExt as _, BufReader};
use tokio::net::TcpListener;
use tokio::process::{Child, Command};

use crate::servers;
use crate::shape::Shape;

/// Anything that ends the measurement.
pub type Fault = Box<dyn std::error::Error + Send + Sync>;

/// A server in a process of its own, which ends with the value.
pub struct ServerProcess {
    pub port: u16,
    /// The time when the process was started.
    pub started: Instant,
    processes: Processes,
    _child: Child,
}

impl ServerProcess {
    pub async fn start(server: &str, shape: Shape) -> Result<Self, Fault> {
        let mut command = Command::new(std::env::current_exe()?);
        command.args(["serve", server, &shape.deltas.to_string(), &shape.pace.as_millis().to_string()]);
        let started = Instant::now();
        let mut child = command.stdin(Stdio::null()).stdout(Stdio::piped()).kill_on_drop(true).spawn()?;
        let output = child.stdout.take().ok_or("a server without output")?;
        let mut line = String::new();
        BufReader::new(output).read_line(&mut line).await?;
        let port = line.trim().parse().map_err(|_| format!("{server} said `{line}` in place of its port"))?;
        let processes = Processes::of(child.id().ok_or("a server has ended")?);
        Ok(Self { port, started, processes, _child: child })
    }

    pub fn processor_time(&self) -> Duration {
        self.processes.processor_time()
    }

    /// The anonymous memory: of an open stream, it is all that grows.
    pub fn anonymous_bytes(&self) -> u64 {
        self.processes.anonymous_bytes()
    }

    pub fn resident_bytes(&self) -> u64 {
        self.processes.resident_bytes()
    }
}

/// Serves in this process, on one thread.
#[allow(clippy::print_stdout, reason = "the port is the answer of this process to the one that started it")]
pub async fn serve(server: &str, deltas: &str, pace: &str) -> Result<(), Fault> {
    let shape = Shape::new(deltas.parse()?, Duration::from_millis(pace.parse()?));
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    println!("{}", listener.local_addr()?.port());
    servers::serve(server, shape, listener).await
}
