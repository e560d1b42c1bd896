//! Standard input, read while other tasks run.

use std::io::{self, BufRead as _, IsTerminal as _};
use std::thread;

use tokio::sync::mpsc;

use crate::aside;

/// The lines of standard input, read on demand.
pub struct Lines {
    lines: mpsc::Receiver<String>,
    is_terminal: bool,
    /// True if the user can enter another line after a failure.
    goes_on: bool,
}

impl Lines {
    /// Reads from standard input.
    pub fn start() -> Self {
        let (sender, lines) = mpsc::channel(1);
        // Reading blocks, and a thread that blocks in it cannot be stopped: it ends with the program.
        thread::spawn(move || {
            for line in io::stdin().lock().lines() {
                let Ok(line) = line else { return };
                if sender.blocking_send(line).is_err() {
                    return;
                }
            }
        });
        Self { lines, is_terminal: io::stdin().is_terminal(), goes_on: true }
    }

    /// Lines that are given beforehand.
    pub fn given(given: &[String]) -> Self {
        let (sender, lines) = mpsc::channel(given.len().max(1));
        for line in given {
            // There is room for each.
            let _ = sender.try_send(line.clone());
        }
        Self { lines, is_terminal: false, goes_on: false }
    }

    /// True if a user types the lines.
    pub fn is_typed(&self) -> bool {
        self.is_terminal
    }

    /// True if the conversation continues when the agent cannot be reached: lines that were given beforehand build on
    /// each other.
    pub fn go_on(&self) -> bool {
        self.goes_on
    }

    /// Returns the next line; `None` if there are no more, or if the user wants to leave.
    pub async fn next(&mut self, prompt: &str) -> Option<String> {
        if self.is_terminal {
            aside::prompt(prompt);
        }
        tokio::select! {
            line = self.lines.recv() => line,
            _ = tokio::signal::ctrl_c() => None,
        }
    }
}
