//! Translates each tool in a separate process with time and memory limits: for some schemas, the crate that generates
//! the types panics, or uses unlimited time or memory.

use std::io::{Read as _, Write as _};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use agui_codegen::frontend::{self, ToolTranslation, TranslationError, TranslationOptions};
use agui_runtime::protocol::Tool;
use serde::{Deserialize, Serialize};

use crate::process::ScopedProcess;

/// The command for the inner process.
const INSIDE: &str = "translate-tool";

/// The interval at which the process is checked.
const TICK: Duration = Duration::from_millis(5);

/// The process's memory limit. Only Linux reports a process's memory, so elsewhere only the time limit applies.
const MOST_MEMORY: u64 = 1 << 30;

/// A request to the process.
#[derive(Serialize, Deserialize)]
struct ProcessRequest {
    tool: Tool,
    root: String,
    options: TranslationOptions,
}

/// Runs in the inner process: handles one request.
pub(crate) fn inside(say: &mut dyn FnMut(&str)) -> std::io::Result<bool> {
    let mut text = String::new();
    std::io::stdin().read_to_string(&mut text)?;
    let translation = match serde_json::from_str::<ProcessRequest>(&text) {
        Ok(request) => {
            // The response reports a panic, so the hook prints nothing.
            std::panic::set_hook(Box::new(|_| {}));
            let made = std::panic::catch_unwind(|| {
                frontend::translate(&request.tool, &request.root, request.options)
            });
            made.unwrap_or_else(|panic| {
                let said = panic.downcast_ref::<String>().cloned();
                let said = said.or_else(|| panic.downcast_ref::<&str>().map(|&said| said.to_owned()));
                Err(refusal(format!("typify panics: {}", said.unwrap_or_default())))
            })
        }
        Err(error) => Err(refusal(format!("the request cannot be read: {error}"))),
    };
    let text = serde_json::to_string(&translation)?;
    // typify prints unsupported schemas before the panic.
    say(&format!("\n{text}\n"));
    Ok(true)
}

/// Runs in the outer process: sends a request to an inner process, and kills that process after `limit`.
pub(crate) fn translate(
    tool: &Tool,
    root: &str,
    options: TranslationOptions,
    limit: Duration,
) -> Result<ToolTranslation, TranslationError> {
    let request = ProcessRequest { tool: tool.clone(), root: root.to_owned(), options };
    let request =
        serde_json::to_string(&request).map_err(|error| refusal(format!("cannot be asked: {error}")))?;
    let cannot = |error: std::io::Error| refusal(format!("no process can be started for it: {error}"));
    let child = Command::new(std::env::current_exe().map_err(cannot)?)
        .arg(INSIDE)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn();
    let mut process = ScopedProcess(child.map_err(cannot)?);
    let (input, output) = (process.0.stdin.take(), process.0.stdout.take());
    // Each pipe has a thread, so that neither side blocks the other.
    let writer = thread::spawn(move || input.map(|mut pipe| pipe.write_all(request.as_bytes())));
    let reader = thread::spawn(move || {
        let mut text = String::new();
        output.map(|mut pipe| pipe.read_to_string(&mut text)).transpose().map(|_| text)
    });
    let ended = wait(process, limit);
    // A process that ended early did not read the whole request; the output gives the reason.
    drop(writer.join());
    let output = reader.join();
    let status = ended?;
    let text = match output {
        Ok(Ok(text)) if status.success() => text,
        _ => return Err(refusal(format!("typify ended with {status}"))),
    };
    let text = text.lines().next_back().unwrap_or_default();
    serde_json::from_str::<Result<ToolTranslation, TranslationError>>(text)
        .map_err(|error| refusal(format!("the process answered {text:?}: {error}")))?
}

/// Waits for the process; returns an error if the process had to be killed.
fn wait(mut process: ScopedProcess, limit: Duration) -> Result<std::process::ExitStatus, TranslationError> {
    let begin = Instant::now();
    loop {
        let lost = |error: std::io::Error| refusal(format!("its process is lost: {error}"));
        if let Some(status) = process.0.try_wait().map_err(lost)? {
            return Ok(status);
        }
        if begin.elapsed() >= limit {
            return Err(refusal(format!("typify was not done after {} s", limit.as_secs())));
        }
        if memory(process.0.id()).is_some_and(|bytes| bytes > MOST_MEMORY) {
            return Err(refusal(format!("typify took more than {} MiB of memory", MOST_MEMORY >> 20)));
        }
        thread::sleep(TICK);
    }
}

/// Returns a process's memory, where the system reports memory.
fn memory(process: u32) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kibibytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kibibytes * 1024)
}

fn refusal(reason: String) -> TranslationError {
    TranslationError { reason }
}
