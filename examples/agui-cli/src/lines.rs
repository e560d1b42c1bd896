//! Standard input, read while other tasks run.

use std::io::{self, BufRead as _, IsTerminal as _};
use std::thread;

use rustyline::config::Behavior;
use rustyline::{Config, DefaultEditor};
use tokio::sync::mpsc;

use crate::aside;
use crate::harmless::Harmless;
use crate::interrupts::Interrupts;

/// The lines of standard input, read on demand.
pub struct Lines {
    lines: mpsc::Receiver<String>,
    /// The prompts of a terminal: a line is read after each of them, and not before.
    prompts: Option<mpsc::Sender<String>>,
    /// True if the user can enter another line after a failure.
    goes_on: bool,
}

impl Lines {
    /// Reads from standard input: on a terminal with an editor, which knows the lines before.
    pub fn start() -> Self {
        if io::stdin().is_terminal()
            && let Some(lines) = Self::edited()
        {
            return lines;
        }
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
        Self { lines, prompts: None, goes_on: true }
    }

    /// Lines that a user edits; `None` if the terminal has no editing.
    fn edited() -> Option<Self> {
        let config = Config::builder()
            .auto_add_history(true)
            // The terminal, also if the output goes to a file.
            .behavior(Behavior::PreferTerm)
            // A signal ends the line, and leaves the terminal as it was.
            .enable_signals(true)
            .build();
        let mut editor = DefaultEditor::with_config(config).ok()?;
        let (sender, lines) = mpsc::channel(1);
        let (prompts, mut asked) = mpsc::channel::<String>(1);
        thread::spawn(move || {
            while let Some(prompt) = asked.blocking_recv() {
                // Ctrl-C, Ctrl-D, or a terminal that is gone.
                let Ok(line) = editor.readline(&prompt) else { return };
                if sender.blocking_send(line).is_err() {
                    return;
                }
            }
        });
        Some(Self { lines, prompts: Some(prompts), goes_on: true })
    }

    /// Lines that are given beforehand.
    pub fn given(given: &[String]) -> Self {
        let (sender, lines) = mpsc::channel(given.len().max(1));
        for line in given {
            // There is room for each.
            let _ = sender.try_send(line.clone());
        }
        Self { lines, prompts: None, goes_on: false }
    }

    /// True if a user types the lines.
    pub fn is_typed(&self) -> bool {
        self.prompts.is_some()
    }

    /// True if the conversation continues when the agent cannot be reached: lines that were given beforehand build on
    /// each other.
    pub fn go_on(&self) -> bool {
        self.goes_on
    }

    /// Returns the next line; `None` if there are no more, or if the user wants to leave.
    pub async fn next(&mut self, prompt: &str, interrupts: &mut Interrupts) -> Option<String> {
        let Some(prompts) = &self.prompts else {
            return tokio::select! {
                line = self.lines.recv() => line,
                () = interrupts.next() => None,
            };
        };
        // Keys that were pressed before the prompt were about the run.
        interrupts.forget().await;
        aside::flush();
        prompts.send(Harmless(prompt).to_string()).await.ok()?;
        self.lines.recv().await
    }
}
