//! Running a program to its end, with input, a time limit, and everything it printed.

use std::{
    io::{Read, Write},
    process::{Command, ExitStatus, Stdio},
    thread,
    time::{Duration, Instant},
};

/// The result of a program.
#[derive(Debug)]
pub struct Finished {
    /// The program and its arguments, for messages.
    pub what: String,
    /// How it ended.
    pub status: ExitStatus,
    /// The standard output.
    pub stdout: String,
    /// The standard error.
    pub stderr: String,
}

impl Finished {
    /// Fails the test, with everything the program printed, unless it ended well.
    #[must_use]
    pub fn assert_success(self) -> Self {
        assert!(self.status.success(), "{self}");
        self
    }

    /// The program's standard output as one JSON value of type `T`; other output fails the test.
    #[must_use]
    pub fn json<T: serde::de::DeserializeOwned>(self) -> T {
        let finished = self.assert_success();
        serde_json::from_str(&finished.stdout)
            .unwrap_or_else(|cause| panic!("not the JSON we expect: {cause}\n{finished}"))
    }
}

impl std::fmt::Display for Finished {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "{} ended with {}\n--- stdout\n{}\n--- stderr\n{}",
            self.what, self.status, self.stdout, self.stderr
        )
    }
}

/// Runs `command` with `stdin` as its input. A program that does not start, or does not end within `limit` (it is
/// killed then), fails the test.
#[must_use]
pub fn finish(mut command: Command, stdin: &str, limit: Duration) -> Finished {
    let what = format!("{command:?}");
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap_or_else(|cause| panic!("{what}: {cause}"));

    // A program may end without reading its input: a broken pipe does not matter, its status does.
    let mut pipe = child.stdin.take();
    let input = stdin.to_owned();
    let writer = thread::spawn(move || pipe.as_mut().map(|pipe| pipe.write_all(input.as_bytes())));
    let stdout = read_all(child.stdout.take());
    let stderr = read_all(child.stderr.take());

    let end = Instant::now() + limit;
    let mut expired = false;
    let status = loop {
        match child.try_wait() {
            Ok(Some(status)) => break status,
            Ok(None) if expired => {}
            Ok(None) if Instant::now() > end => {
                expired = true;
                child.kill().unwrap_or_else(|cause| panic!("{what}: cannot be killed: {cause}"));
            }
            Ok(None) => {}
            Err(cause) => panic!("{what}: {cause}"),
        }
        thread::sleep(Duration::from_millis(5));
    };
    let finished = Finished { what, status, stdout: joined(stdout), stderr: joined(stderr) };
    drop(writer.join());
    assert!(!expired, "not ended within {limit:?}: {finished}");
    finished
}

fn read_all<R: Read + Send + 'static>(pipe: Option<R>) -> thread::JoinHandle<Vec<u8>> {
    thread::spawn(move || {
        let mut bytes = Vec::new();
        // The output before an error is still worth showing.
        drop(pipe.map(|mut pipe| pipe.read_to_end(&mut bytes)));
        bytes
    })
}

fn joined(reader: thread::JoinHandle<Vec<u8>>) -> String {
    String::from_utf8_lossy(&reader.join().unwrap_or_default()).into_owned()
}
