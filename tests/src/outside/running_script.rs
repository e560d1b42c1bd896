//! A script that answers each line of its input with one line, running for all the tests of a program: it takes
//! Node longer to load the official packages than to judge a stream.

use std::{
    collections::BTreeMap,
    io::{BufRead as _, BufReader, Read as _, Write as _},
    process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, Stdio},
    sync::{Arc, Mutex, PoisonError, mpsc},
    thread,
    time::Duration,
};

const LIMIT: Duration = Duration::from_secs(300);

/// A script that waits for its next line. It ends when this program ends, because its input ends.
struct RunningScript {
    child: Child,
    input: ChildStdin,
    answers: mpsc::Receiver<String>,
    errors: thread::JoinHandle<String>,
}

/// Gives `lines` to the script of `command`, which is started on first use, and returns one answer for each. A script
/// that ends early or is silent for five minutes fails the test, with everything that it printed as an error. Scripts of other
/// commands work meanwhile.
pub(super) fn ask(command: Command, lines: &[String]) -> Vec<String> {
    static RUNNING: Mutex<BTreeMap<String, Arc<Mutex<Option<RunningScript>>>>> = Mutex::new(BTreeMap::new());

    let what = format!("{command:?}");
    let place = {
        let mut running = RUNNING.lock().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(running.entry(what.clone()).or_default())
    };
    let mut running = place.lock().unwrap_or_else(PoisonError::into_inner);
    // Not in its place while it works: after a failure, the next test starts it anew.
    let mut script = running.take().unwrap_or_else(|| RunningScript::start(command, &what));
    match script.ask(lines) {
        Some(answers) => {
            *running = Some(script);
            answers
        }
        None => panic!("{what} gave no answer; it printed:\n{}", script.end()),
    }
}

impl RunningScript {
    fn start(mut command: Command, what: &str) -> Self {
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap_or_else(|cause| panic!("{what}: {cause}"));
        match (child.stdin.take(), child.stdout.take(), child.stderr.take()) {
            (Some(input), Some(output), Some(errors)) => {
                Self { child, input, answers: lines_of(output), errors: text_of(errors) }
            }
            _ => panic!("{what} has no pipes"),
        }
    }

    fn ask(&mut self, lines: &[String]) -> Option<Vec<String>> {
        let Self { child, input, answers, .. } = self;
        thread::scope(|scope| {
            // The script answers while it reads: neither side may wait for the other with full pipes.
            scope.spawn(move || {
                for line in lines {
                    // An error means that the script has ended, and its answers with it.
                    if writeln!(input, "{line}").is_err() {
                        return;
                    }
                }
                drop(input.flush());
            });
            let answers = lines.iter().map(|_| answers.recv_timeout(LIMIT).ok()).collect::<Option<Vec<_>>>();
            if answers.is_none() {
                // Otherwise the writer could wait for a script that reads no more.
                drop(child.kill());
            }
            answers
        })
    }

    fn end(mut self) -> String {
        drop(self.child.kill());
        drop(self.child.wait());
        self.errors.join().unwrap_or_default()
    }
}

fn lines_of(output: ChildStdout) -> mpsc::Receiver<String> {
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || {
        for line in BufReader::new(output).lines() {
            let Ok(line) = line else { return };
            if sender.send(line).is_err() {
                return;
            }
        }
    });
    receiver
}

fn text_of(mut errors: ChildStderr) -> thread::JoinHandle<String> {
    thread::spawn(move || {
        let mut bytes = Vec::new();
        drop(errors.read_to_end(&mut bytes));
        String::from_utf8_lossy(&bytes).into_owned()
    })
}
