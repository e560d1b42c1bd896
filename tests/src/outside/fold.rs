//! The official client as judge of many streams, thousands a second.

use std::{
    io::{self, BufRead as _, Write},
    thread,
};

use serde::Deserialize;
use serde_json::{Value, json};

use super::{Node, numbered::Numbered, talk::Talk};

/// A client's result for a stream.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Folded {
    /// The reason of a refusal, a code of `tests/oracle/codes.mjs`.
    pub code: Option<String>,
    /// The place of the refused event, from 0.
    pub at: Option<usize>,
    /// The number of events that reached the application.
    pub delivered: usize,
    /// The messages at the end.
    pub messages: Value,
    /// The state at the end.
    pub state: Value,
    /// The ends of its runs, as hooks see them.
    pub finished: Vec<Value>,
    /// The open questions.
    pub pending_interrupts: Value,
}

/// A stream to be judged, event by event as JSON, and the data before it.
#[derive(Debug, Clone, PartialEq)]
pub struct Stream {
    /// The conversation before the stream.
    pub messages: Value,
    /// The state before the stream.
    pub state: Value,
    /// The events.
    pub events: Vec<Value>,
}

impl Node {
    /// Sends each stream through enforcement, chunk expansion, the ordering verifier and the reducer of `@ag-ui/client`
    /// 1.0.0, one event after the other, and returns the results in the same order.
    #[must_use]
    pub fn fold_many(&self, streams: &[Stream]) -> Vec<Folded> {
        let (mut talk, mut stdin, stdout) = Talk::start(self.command("../oracle/fold.mjs"));
        let answers = thread::spawn(move || -> io::Result<Vec<Folded>> {
            stdout.lines().map(|line| Ok(serde_json::from_str(&line?)?)).collect()
        });
        if let Err(cause) = send(&mut stdin, streams) {
            talk.fail(&cause);
        }
        talk.end(stdin);
        let answers = match answers.join() {
            Ok(Ok(answers)) => answers,
            Ok(Err(cause)) => panic!("the answers cannot be read: {cause}"),
            Err(cause) => std::panic::resume_unwind(cause),
        };
        assert_eq!(answers.len(), streams.len(), "one answer per stream");
        answers
    }
}

/// Writes every distinct event once, and streams as lists of their numbers.
fn send(stdin: &mut impl Write, streams: &[Stream]) -> io::Result<()> {
    let mut numbered = Numbered::default();
    for stream in streams {
        let mut trace = Vec::new();
        for event in &stream.events {
            let json = event.to_string();
            let number = numbered.tell(stdin, json)?;
            trace.push(number);
        }
        let job = json!({ "trace": trace, "messages": stream.messages, "state": stream.state });
        writeln!(stdin, "{job}")?;
    }
    stdin.flush()
}
