//! The official client as judge of many short traces: verdicts only, tens of thousands a second.

use std::{
    io::{self, BufRead as _, Write},
    thread,
};

use agui_runtime::{order::OrderRule, protocol::Event};

use super::{Node, numbered::Numbered, talk::Talk};

/// The official client's refusal of a trace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refused {
    /// The place of the event in the trace, from 0.
    pub index: usize,
    /// The code of `tests/oracle/codes.mjs`; `S_NOT_AS_IT_IS` if enforcement changes or drops the event.
    pub code: String,
    /// The message of the client.
    pub text: String,
}

impl Refused {
    /// The same rule in our verifier, if it is one of order.
    #[must_use]
    pub fn rule(&self) -> Option<OrderRule> {
        OrderRule::from_code(&self.code)
    }
}

impl Node {
    /// Sends each trace through enforcement, chunk expansion and the ordering verifier of `@ag-ui/client` 1.0.0, and
    /// returns the verdicts in the same order. One process reads them all while `traces` makes them.
    ///
    /// Like the client, it requires no end: an open item at the end of a trace is not a fault.
    ///
    /// ```no_run
    /// use agui_runtime::protocol::{Event, RunFinishedEvent, RunStartedEvent};
    /// use agui_tests::{need, outside::Node};
    ///
    /// # fn all_are_taken() {
    /// let node = need!(Node::ready());
    /// let run: [Event; 2] = [RunStartedEvent::new("t", "r").into(), RunFinishedEvent::new("t", "r").into()];
    /// let verdicts = node.verify_many([&run[..], &run[..1], &run[1..]]);
    /// assert!(verdicts[0].is_ok() && verdicts[1].is_ok() && verdicts[2].is_err());
    /// # }
    /// ```
    #[must_use]
    pub fn verify_many<T: AsRef<[Event]>>(
        &self,
        traces: impl IntoIterator<Item = T>,
    ) -> Vec<Result<(), Refused>> {
        let (mut talk, mut stdin, stdout) = Talk::start(self.command("../oracle/many.mjs"));
        let verdicts = thread::spawn(move || -> io::Result<Vec<Result<(), Refused>>> {
            stdout.lines().map(|line| Ok(read(&line?))).collect()
        });
        let sent = match send(&mut stdin, traces) {
            Ok(sent) => sent,
            Err(cause) => talk.fail(&cause),
        };
        talk.end(stdin);
        let verdicts = match verdicts.join() {
            Ok(Ok(verdicts)) => verdicts,
            Ok(Err(cause)) => panic!("the verdicts cannot be read: {cause}"),
            Err(cause) => std::panic::resume_unwind(cause),
        };
        assert_eq!(verdicts.len(), sent, "one verdict per trace");
        verdicts
    }
}

/// Writes every distinct event once, and traces as lists of their numbers.
fn send<T: AsRef<[Event]>>(stdin: &mut impl Write, traces: impl IntoIterator<Item = T>) -> io::Result<usize> {
    let mut numbered = Numbered::default();
    let mut sent = 0;
    for trace in traces {
        let mut line = String::from("[");
        for event in trace.as_ref() {
            let json = serde_json::to_string(event)?;
            let number = numbered.tell(stdin, json)?;
            if line.len() > 1 {
                line.push(',');
            }
            line.push_str(&number.to_string());
        }
        writeln!(stdin, "{line}]")?;
        sent += 1;
    }
    stdin.flush()?;
    Ok(sent)
}

fn read(line: &str) -> Result<(), Refused> {
    if line.is_empty() {
        return Ok(());
    }
    match serde_json::from_str(line) {
        Ok((index, code, text)) => Err(Refused { index, code, text }),
        Err(cause) => panic!("{cause}: {line}"),
    }
}
