//! Standard input, while other things happen.

use std::io::{self, BufRead as _, IsTerminal as _};
use std::thread;

use tokio::sync::mpsc;

use crate::aside;

/// The lines of standard input, one when it is asked for.
pub struct Lines {
    lines: mpsc::Receiver<String>,
    is_terminal: bool,
    /// Whether somebody may say something else when something went wrong.
    goes_on: bool,
}

impl Lines {
    /// From standard input.
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

    /// Lines that are at hand.
    pub fn given(given: &[String]) -> Self {
        let (sender, lines) = mpsc::channel(given.len().max(1));
        for line in given {
            // There is room for each.
            let _ = sender.try_send(line.clone());
        }
        Self { lines, is_terminal: false, goes_on: false }
    }

    /// Whether the conversation goes on when the agent could not be talked to: lines that were given beforehand build on each other.
    pub fn go_on(&self) -> bool {
        self.goes_on
    }

    /// The next line; `None` when there are no more, or when somebody who is there wants to leave.
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
