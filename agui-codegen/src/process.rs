//! A child process that ends with its handle.

use std::process::Child;

/// A process that is killed and reaped when the handle is dropped.
pub(crate) struct ScopedProcess(pub(crate) Child);

impl Drop for ScopedProcess {
    fn drop(&mut self) {
        // The process may have ended alone, and may have been reaped already.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use std::io::Read as _;
    use std::process::{ChildStdout, Command, Stdio};
    use std::time::{Duration, Instant};

    use super::*;

    fn sleeper() -> (ScopedProcess, ChildStdout) {
        let child = Command::new("sleep").arg("600").stdout(Stdio::piped()).spawn();
        let mut process = ScopedProcess(child.unwrap());
        let output = process.0.stdout.take().unwrap();
        (process, output)
    }

    /// The child's pipe end is open as long as the child lives.
    #[test]
    fn a_process_ends_with_its_handle() {
        let begin = Instant::now();
        let (process, mut output) = sleeper();
        drop(process);
        assert_eq!(output.read_to_end(&mut Vec::new()).unwrap(), 0);
        // The panic drops the process.
        let (process, mut output) = sleeper();
        let panicked = std::thread::spawn(move || {
            let _process = process;
            std::panic::resume_unwind(Box::new(()));
        });
        assert!(panicked.join().is_err());
        assert_eq!(output.read_to_end(&mut Vec::new()).unwrap(), 0);
        assert!(begin.elapsed() < Duration::from_secs(60));
    }
}
