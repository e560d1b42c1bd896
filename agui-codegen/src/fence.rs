//! A process for each tool: what makes the types panics at some schemas, and takes for ever or all memory at others.

use std::io::{Read as _, Write as _};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use agui_codegen::frontend::{self, Options, Refusal, Translation};
use agui_runtime::protocol::Tool;
use serde::{Deserialize, Serialize};

use crate::job::JobError;
use crate::process::Process;

/// The command that is the inside of the fence.
const INSIDE: &str = "translate-tool";

/// How often the process is looked at.
const TICK: Duration = Duration::from_millis(5);

/// How much memory it may hold. Looked at where the system tells, which is Linux; elsewhere time alone ends it.
const MOST_MEMORY: u64 = 1 << 30;

/// What the process is asked.
#[derive(Serialize, Deserialize)]
struct Question {
    tool: Tool,
    root: String,
    options: Options,
}

/// Inside: answers one question.
pub(crate) fn inside(say: &mut dyn FnMut(&str)) -> Result<bool, JobError> {
    let here = || PathBuf::from("standard input");
    let mut text = String::new();
    let read = std::io::stdin().read_to_string(&mut text);
    read.map_err(|source| JobError::Output { path: here(), source })?;
    let answer = match serde_json::from_str::<Question>(&text) {
        Ok(question) => {
            // What it says of a panic is the answer's.
            std::panic::set_hook(Box::new(|_| {}));
            let made = std::panic::catch_unwind(|| {
                frontend::translate(&question.tool, &question.root, question.options)
            });
            made.unwrap_or_else(|panic| {
                let said = panic.downcast_ref::<String>().cloned();
                let said = said.or_else(|| panic.downcast_ref::<&str>().map(|&said| said.to_owned()));
                Err(refusal(format!("typify panics: {}", said.unwrap_or_default())))
            })
        }
        Err(error) => Err(refusal(format!("the question is none: {error}"))),
    };
    let text = serde_json::to_string(&answer)
        .map_err(|error| JobError::Output { path: here(), source: error.into() })?;
    // typify prints what it does not know before it panics.
    say(&format!("\n{text}\n"));
    Ok(true)
}

/// Outside: asks a process of its own, and ends it after `limit`.
pub(crate) fn translate(
    tool: &Tool,
    root: &str,
    options: Options,
    limit: Duration,
) -> Result<Translation, Refusal> {
    let question = Question { tool: tool.clone(), root: root.to_owned(), options };
    let question =
        serde_json::to_string(&question).map_err(|error| refusal(format!("cannot be asked: {error}")))?;
    let cannot = |error: std::io::Error| refusal(format!("no process can be started for it: {error}"));
    let child = Command::new(std::env::current_exe().map_err(cannot)?)
        .arg(INSIDE)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn();
    let mut process = Process(child.map_err(cannot)?);
    let (asked, answer) = (process.0.stdin.take(), process.0.stdout.take());
    // Each has a thread, so that neither side waits for the other.
    let asking = thread::spawn(move || asked.map(|mut pipe| pipe.write_all(question.as_bytes())));
    let answering = thread::spawn(move || {
        let mut text = String::new();
        answer.map(|mut pipe| pipe.read_to_string(&mut text)).transpose().map(|_| text)
    });
    let ended = wait(process, limit);
    // A process that ended early did not read everything; what it answers tells why.
    drop(asking.join());
    let answer = answering.join();
    let status = ended?;
    let text = match answer {
        Ok(Ok(text)) if status.success() => text,
        _ => return Err(refusal(format!("typify ended with {status}"))),
    };
    let text = text.lines().next_back().unwrap_or_default();
    serde_json::from_str::<Result<Translation, Refusal>>(text)
        .map_err(|error| refusal(format!("the process answered {text:?}: {error}")))?
}

/// How it ends; with it, whatever keeps it from ending by itself.
fn wait(mut process: Process, limit: Duration) -> Result<std::process::ExitStatus, Refusal> {
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

/// How much memory a process holds, where the system tells.
fn memory(process: u32) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kibibytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kibibytes * 1024)
}

fn refusal(reason: String) -> Refusal {
    Refusal { reason }
}
