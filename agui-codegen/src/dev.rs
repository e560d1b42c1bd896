//! `agui-codegen dev`: builds and runs an agent and all that belongs to it, again after each change, until a signal ends it.
//!
//! One thread builds, generates and watches; the main thread waits for the signal. Every process is in a group of its own,
//! which [`ProcessGroups`] ends with all that the process has started.

mod agent;
mod build;
mod error;
mod inspector;
mod page;
mod port;
mod process_groups;
mod screen;
mod session;

use std::sync::mpsc;
use std::thread;
use std::time::Duration;

pub(crate) use error::DevError;
use process_groups::ProcessGroups;
use session::DevSession;

use crate::arguments::DevArguments;

/// The time that runs in progress have to end, after a change or a signal.
const GRACE: Duration = Duration::from_secs(1);

/// The reason why the command ends.
enum DevEnd {
    Signal,
    Failure(DevError),
}

/// Runs until Ctrl-C or SIGTERM; a second signal ends the processes without their grace period.
pub(crate) fn dev(options: &DevArguments, say: &mut dyn FnMut(&str)) -> Result<bool, DevError> {
    let groups = ProcessGroups::default();
    let mut session = DevSession::prepare(options, groups.clone())?;
    let (sender, ends) = mpsc::channel();
    let signals = sender.clone();
    // The receiver is gone only when the command has ended.
    ctrlc::set_handler(move || drop(signals.send(DevEnd::Signal))).map_err(DevError::Signals)?;
    thread::spawn(move || {
        let Err(error) = session.run();
        // After a signal, the main thread does not read this error: the ended processes are the cause.
        let _ = sender.send(DevEnd::Failure(error));
        // The processes live as long as the session, and the main thread ends them in order.
        thread::sleep(GRACE * 10);
    });
    // The handler keeps a sender.
    let end = ends.recv().unwrap_or(DevEnd::Signal);
    groups.end_all(GRACE, || matches!(ends.try_recv(), Ok(DevEnd::Signal)));
    match end {
        DevEnd::Failure(error) => Err(error),
        DevEnd::Signal => {
            say("\nended\n");
            Ok(true)
        }
    }
}
