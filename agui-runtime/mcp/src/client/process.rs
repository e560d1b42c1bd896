//! A server process: standard input and output, and shutdown.

use std::convert::Infallible;
use std::io;
use std::process::Stdio;
use std::time::Duration;

use process_wrap::tokio::{ChildWrapper, CommandWrap};
use rmcp::RoleClient;
use rmcp::model::{ClientJsonRpcMessage, ServerJsonRpcMessage};
use rmcp::transport::Transport;
use tokio::process::{ChildStdin, ChildStdout, Command};
use tokio::sync::mpsc;

use super::begin::McpServerRoute;
use super::lines::LineTransport;
use crate::error::BoxError;

/// Time that a process has to exit by itself, and again after SIGTERM.
const END: Duration = Duration::from_secs(3);

/// The signal that asks a process to exit.
#[cfg(unix)]
const SIGTERM: i32 = 15;

/// A program that can be started again.
pub(super) struct McpServerProgram {
    server: String,
    command: CommandWrap,
    /// Closes when the previous process has exited: two servers may not run side by side.
    before: Option<mpsc::Receiver<Infallible>>,
}

/// Sends nothing; dropped when the process has exited.
type ProcessEndSender = mpsc::Sender<Infallible>;

/// The program was not started.
#[derive(Debug, thiserror::Error)]
#[error(transparent)]
struct StartError(io::Error);

/// A running server process.
pub(super) struct McpServerProcess {
    child: Option<Box<dyn ChildWrapper>>,
    lines: LineTransport<ChildStdout, ChildStdin>,
    ended: ProcessEndSender,
}

impl McpServerProgram {
    pub(super) fn new(server: &str, mut command: Command) -> Self {
        // This also runs if the runtime ends before the transport.
        command.kill_on_drop(true).stdin(Stdio::piped()).stdout(Stdio::piped());
        Self { server: server.to_owned(), command: CommandWrap::from(command), before: None }
    }

    fn start(&mut self, ended: ProcessEndSender) -> io::Result<McpServerProcess> {
        let mut child = self.command.spawn()?;
        let pipe = |name| io::Error::other(format!("the process has no standard {name}"));
        let write = child.stdin().take().ok_or_else(|| pipe("input"))?;
        let read = child.stdout().take().ok_or_else(|| pipe("output"))?;
        let lines = LineTransport::new(&self.server, read, write).nudging();
        Ok(McpServerProcess { child: Some(child), lines, ended })
    }
}

impl McpServerRoute for McpServerProgram {
    type Transport = McpServerProcess;

    async fn open(&mut self) -> Result<McpServerProcess, BoxError> {
        if let Some(mut before) = self.before.take() {
            drop(tokio::time::timeout(END, before.recv()).await);
        }
        let (ended, before) = mpsc::channel(1);
        self.before = Some(before);
        Ok(self.start(ended).map_err(StartError)?)
    }

    fn may_help(&self, error: &BoxError) -> bool {
        // A program that cannot be started has no second generation.
        !error.is::<StartError>()
    }
}

impl Transport<RoleClient> for McpServerProcess {
    type Error = io::Error;

    fn send(
        &mut self,
        message: ClientJsonRpcMessage,
    ) -> impl Future<Output = Result<(), io::Error>> + Send + 'static {
        self.lines.send(message)
    }

    async fn receive(&mut self) -> Option<ServerJsonRpcMessage> {
        self.lines.receive().await
    }

    /// Shuts the process down as MCP says (section "Shutdown"): close standard input, then SIGTERM, then kill.
    async fn close(&mut self) -> Result<(), io::Error> {
        // A pipe that the server has closed needs no end.
        drop(self.lines.close().await);
        let Some(child) = &mut self.child else { return Ok(()) };
        if !has_ended(child.as_mut()).await? {
            #[cfg(unix)]
            if child.signal(SIGTERM).is_ok() && has_ended(child.as_mut()).await? {
                self.child = None;
                return Ok(());
            }
            Box::into_pin(child.kill()).await?;
        }
        self.child = None;
        Ok(())
    }
}

async fn has_ended(child: &mut dyn ChildWrapper) -> io::Result<bool> {
    match tokio::time::timeout(END, child.wait()).await {
        Ok(ended) => ended.map(|_| true),
        Err(_) => Ok(false),
    }
}

impl Drop for McpServerProcess {
    fn drop(&mut self) {
        let (Some(mut child), Ok(runtime)) = (self.child.take(), tokio::runtime::Handle::try_current())
        else {
            return;
        };
        let ended = self.ended.clone();
        runtime.spawn(async move {
            drop(Box::into_pin(child.kill()).await);
            drop(ended);
        });
    }
}
