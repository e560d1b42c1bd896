//! Processes that end with all that they have started: npm, for instance, leaves a development server behind.

use std::collections::BTreeMap;
use std::io;
use std::process::{ChildStderr, ChildStdout, Command, ExitStatus};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use process_wrap::std::{ChildWrapper, CommandWrap};

use super::DevError;

/// The interval at which a process is checked.
const TICK: Duration = Duration::from_millis(10);

/// The groups that run now.
#[derive(Clone, Default)]
pub(super) struct ProcessGroups(Arc<Mutex<RunningGroups>>);

#[derive(Default)]
struct RunningGroups {
    /// True if no process may start any more.
    is_ending: bool,
    next: u64,
    running: BTreeMap<u64, Box<dyn ChildWrapper>>,
}

/// A process and its descendants. They end when the value is dropped.
pub(super) struct ProcessGroup {
    groups: ProcessGroups,
    id: u64,
    program: String,
    ended: Option<ExitStatus>,
    pub(super) stdout: Option<ChildStdout>,
    pub(super) stderr: Option<ChildStderr>,
}

impl ProcessGroups {
    fn lock(&self) -> MutexGuard<'_, RunningGroups> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Starts a process.
    pub(super) fn spawn(&self, command: Command) -> Result<ProcessGroup, DevError> {
        let program = command.get_program().to_string_lossy().into_owned();
        let mut command = CommandWrap::from(command);
        #[cfg(unix)]
        command.wrap(process_wrap::std::ProcessGroup::leader());
        #[cfg(windows)]
        command.wrap(process_wrap::std::JobObject);
        let mut groups = self.lock();
        let child = match groups.is_ending {
            true => Err(io::Error::from(io::ErrorKind::Interrupted)),
            false => command.spawn(),
        };
        let mut child = child.map_err(|source| DevError::Start { program: program.clone(), source })?;
        let (stdout, stderr) = (child.stdout().take(), child.stderr().take());
        let id = groups.next;
        groups.next += 1;
        groups.running.insert(id, child);
        Ok(ProcessGroup { groups: self.clone(), id, program, ended: None, stdout, stderr })
    }

    /// Asks all processes to end, and kills those that have not ended after `grace`, or when `is_urgent`.
    pub(super) fn end_all(&self, grace: Duration, mut is_urgent: impl FnMut() -> bool) {
        let mut groups = self.lock();
        groups.is_ending = true;
        let running: Vec<_> = std::mem::take(&mut groups.running).into_values().collect();
        drop(groups);
        end(running, grace, &mut is_urgent);
    }
}

/// Ends processes: first by SIGTERM, after half of the time again, because a server then ends without its grace period.
fn end(mut running: Vec<Box<dyn ChildWrapper>>, grace: Duration, is_urgent: &mut dyn FnMut() -> bool) {
    let start = Instant::now();
    for round in 1..=2 {
        running.iter().for_each(|child| ask_to_end(child.as_ref()));
        let until = start + grace * round;
        while Instant::now() < until && !is_urgent() {
            // A process that cannot be waited for is gone.
            if running.iter_mut().all(|child| !matches!(child.try_wait(), Ok(None))) {
                break;
            }
            thread::sleep(TICK);
        }
    }
    for child in &mut running {
        // The group may be gone. Descendants of an ended process are not.
        let _ = child.start_kill();
        let _ = child.wait();
    }
}

/// Sends SIGTERM; on Windows, where there is none, nothing.
fn ask_to_end(child: &dyn ChildWrapper) {
    #[cfg(unix)]
    {
        const TERMINATE: i32 = 15;
        // The group may be gone.
        let _ = child.signal(TERMINATE);
    }
    #[cfg(not(unix))]
    let _ = child;
}

impl ProcessGroup {
    /// Returns the status of a process that has ended; `None` while it runs.
    pub(super) fn try_wait(&mut self) -> Result<Option<ExitStatus>, DevError> {
        if self.ended.is_none() {
            let lost = |source| DevError::Lost { program: self.program.clone(), source };
            let mut groups = self.groups.lock();
            let child = groups.running.get_mut(&self.id);
            let child = child.ok_or_else(|| lost(io::Error::from(io::ErrorKind::Interrupted)))?;
            self.ended = child.try_wait().map_err(lost)?;
        }
        Ok(self.ended)
    }

    /// Waits until the process has ended.
    pub(super) fn wait(&mut self) -> Result<ExitStatus, DevError> {
        loop {
            if let Some(status) = self.try_wait()? {
                return Ok(status);
            }
            thread::sleep(TICK);
        }
    }

    /// Asks the process to end, and kills it after `grace`.
    pub(super) fn end(self, grace: Duration) {
        let child = self.groups.lock().running.remove(&self.id);
        end(child.into_iter().collect(), grace, &mut || false);
    }
}

impl Drop for ProcessGroup {
    fn drop(&mut self) {
        let child = self.groups.lock().running.remove(&self.id);
        end(child.into_iter().collect(), Duration::ZERO, &mut || false);
    }
}

#[cfg(all(test, unix))]
mod tests {
    #![allow(clippy::unwrap_used)]

    use std::io::Read as _;
    use std::process::Stdio;

    use super::*;

    /// A shell that ignores SIGTERM, with a process of its own; both hold the pipe open.
    fn stubborn(groups: &ProcessGroups) -> (ProcessGroup, ChildStdout) {
        let mut command = Command::new("sh");
        command.args(["-c", "trap '' TERM; sleep 600 & wait; sleep 600"]).stdout(Stdio::piped());
        let mut group = groups.spawn(command).unwrap();
        let output = group.stdout.take().unwrap();
        (group, output)
    }

    fn is_closed(mut output: ChildStdout) -> bool {
        output.read_to_end(&mut Vec::new()).unwrap() == 0
    }

    #[test]
    fn descendants_end_with_their_process() {
        let groups = ProcessGroups::default();
        let start = Instant::now();
        let (mut group, output) = stubborn(&groups);
        assert!(group.try_wait().unwrap().is_none());
        group.end(Duration::from_millis(20));
        assert!(is_closed(output));
        let (group, output) = stubborn(&groups);
        drop(group);
        assert!(is_closed(output));
        let (mut group, output) = stubborn(&groups);
        groups.end_all(Duration::from_secs(600), || true);
        assert!(is_closed(output) && group.wait().is_err());
        assert!(matches!(groups.spawn(Command::new("true")), Err(DevError::Start { .. })));
        assert!(start.elapsed() < Duration::from_secs(60));
    }

    /// The process has ended before, and what it started has not.
    #[test]
    fn what_an_ended_process_left_behind_ends_too() {
        let groups = ProcessGroups::default();
        let mut command = Command::new("sh");
        command.args(["-c", "sleep 600 &"]).stdout(Stdio::piped());
        let mut group = groups.spawn(command).unwrap();
        let output = group.stdout.take().unwrap();
        assert!(group.wait().unwrap().success());
        drop(group);
        assert!(is_closed(output));
    }
}
