//! A program with a dialogue over its pipes.

use std::{
    io::{BufReader, BufWriter, Read as _, Write},
    process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, Stdio},
    thread,
};

/// A running program; dropping it, in a failing test too, kills it.
pub(super) struct Talk {
    what: String,
    child: Child,
    complaints: Option<thread::JoinHandle<String>>,
}

impl Talk {
    /// Starts `command`, and returns its input and output.
    pub(super) fn start(mut command: Command) -> (Self, BufWriter<ChildStdin>, BufReader<ChildStdout>) {
        let what = format!("{command:?}");
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap_or_else(|cause| panic!("{what}: {cause}"));
        let (stdin, stdout, stderr) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let (Some(stdin), Some(stdout), Some(stderr)) = (stdin, stdout, stderr) else {
            panic!("{what}: not all of its pipes are there");
        };
        let complaints = Some(thread::spawn(move || read(stderr)));
        (Self { what, child, complaints }, BufWriter::new(stdin), BufReader::new(stdout))
    }

    /// Fails the test with the standard error of the program.
    pub(super) fn fail(&mut self, cause: &dyn std::fmt::Display) -> ! {
        drop(self.child.kill());
        let complaints = self.complaints.take().and_then(|reader| reader.join().ok()).unwrap_or_default();
        panic!("{}: {cause}\n{complaints}", self.what)
    }

    /// Waits until it ends after the end of its input, and fails the test unless it ends well.
    pub(super) fn end(mut self, input: impl Write) {
        drop(input);
        match self.child.wait() {
            Ok(status) if status.success() => {}
            Ok(status) => self.fail(&status),
            Err(cause) => self.fail(&cause),
        }
    }
}

impl Drop for Talk {
    fn drop(&mut self) {
        // It has ended by itself, unless a test is failing.
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

fn read(mut stderr: ChildStderr) -> String {
    let mut bytes = Vec::new();
    drop(stderr.read_to_end(&mut bytes));
    String::from_utf8_lossy(&bytes).into_owned()
}
