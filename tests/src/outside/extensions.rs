//! The official ordering verifier on every sequence over an alphabet.

use std::{
    io::{self, BufReader, BufWriter, Read as _, Write as _},
    process::{ChildStdin, ChildStdout},
};

use agui_runtime::protocol::Event;

use super::{Node, talk::Talk};

/// A running `@ag-ui/client` 1.0.0 that judges extensions of sequences over one alphabet.
pub struct Extensions {
    talk: Talk,
    stdin: BufWriter<ChildStdin>,
    stdout: BufReader<ChildStdout>,
    verdicts: Vec<String>,
}

/// The number that announces the text of a verdict.
const DEFINE: u16 = u16::MAX;

impl Node {
    /// Starts one, for an alphabet.
    #[must_use]
    pub fn extensions(&self, alphabet: &[Event]) -> Extensions {
        let (mut talk, mut stdin, stdout) = Talk::start(self.command("../oracle/extensions.mjs"));
        let sent =
            serde_json::to_string(alphabet).map_err(Into::into).and_then(|line| writeln!(stdin, "{line}"));
        if let Err(cause) = sent {
            talk.fail(&cause);
        }
        Extensions { talk, stdin, stdout, verdicts: vec![String::new()] }
    }
}

impl Extensions {
    /// Asks for every one-event extension of `root` (numbers of events of the alphabet, accepted as a sequence), and of
    /// each accepted one, and so on, up to `depth` more events. [`verdict`](Self::verdict) returns the verdicts: depth
    /// first, in the order of the alphabet.
    pub fn ask(&mut self, root: &[usize], depth: usize) {
        let asked = writeln!(self.stdin, "{}", serde_json::json!({ "root": root, "depth": depth }));
        if let Err(cause) = asked.and_then(|()| self.stdin.flush()) {
            self.talk.fail(&cause);
        }
    }

    /// The next verdict: empty for an accepted sequence, else a code and the names that the client gives with it,
    /// separated by `|`.
    pub fn verdict(&mut self) -> &str {
        match self.number() {
            Ok(number) => match self.verdicts.get(usize::from(number)) {
                Some(verdict) => verdict,
                None => self.talk.fail(&format!("verdict {number} was never introduced")),
            },
            Err(cause) => self.talk.fail(&cause),
        }
    }

    /// Every verdict so far that is a refusal.
    pub fn refusals(&self) -> impl Iterator<Item = &str> {
        self.verdicts.iter().skip(1).map(String::as_str)
    }

    /// Ends the questions.
    pub fn end(self) {
        self.talk.end(self.stdin);
    }

    fn number(&mut self) -> io::Result<u16> {
        loop {
            let number = self.word()?;
            if number != DEFINE {
                return Ok(number);
            }
            let mut text = vec![0; usize::from(self.word()?)];
            self.stdout.read_exact(&mut text)?;
            self.verdicts.push(String::from_utf8(text).map_err(io::Error::other)?);
        }
    }

    fn word(&mut self) -> io::Result<u16> {
        let mut bytes = [0; 2];
        self.stdout.read_exact(&mut bytes)?;
        Ok(u16::from_le_bytes(bytes))
    }
}
