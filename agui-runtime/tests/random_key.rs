//! The warning about the random key that signs questions when there is no other. It has a process of its own, because it is
//! given once in each.

#![allow(missing_docs, clippy::unwrap_used, clippy::indexing_slicing, clippy::print_stdout, reason = "tests")]

use std::sync::{Arc, Mutex};

use agui_runtime::prelude::*;
use agui_runtime::protocol::RunAgentInput;
use agui_runtime::{InterruptKey, RunOptions, start};
use futures::StreamExt;
use futures::executor::block_on;
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Level, Metadata, Subscriber};

/// Asks.
#[agent]
async fn asking(_run: &mut Run<Asking>, _input: Input<Asking>) -> Result<(), Stop> {
    Err(Stop::interrupt(agui_runtime::protocol::Interrupt::new("sure", "confirmation")))
}

#[test]
fn the_first_question_with_a_random_key_gives_one_warning() {
    if std::env::var_os("AGUI_SECRET").is_some() {
        return println!("skipped: AGUI_SECRET is set");
    }
    let log = Log::default();
    let _heard = tracing::subscriber::set_default(log.clone());
    let ask = |options: RunOptions| {
        let input = RunAgentInput::new("t", "r", vec![]).with_protocol_version("1.0");
        drop(block_on(start(Arc::new(Asking::new()), input, options).collect::<Vec<_>>()));
        log.0.lock().unwrap().clone()
    };
    assert_eq!(ask(RunOptions::default().unsigned_interrupts(true)), [""; 0]);
    assert_eq!(ask(RunOptions::default().interrupt_key(InterruptKey::new([7; 32]).unwrap())), [""; 0]);
    let warned = ask(RunOptions::default());
    assert_eq!(warned.len(), 1, "{warned:?}");
    assert!(warned[0].contains("not after a restart; set AGUI_SECRET"), "{warned:?}");
    assert_eq!(ask(RunOptions::default()), warned, "the warning is given once");
}

/// The warnings.
#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<String>>>);

impl Visit for Log {
    fn record_debug(&mut self, field: &Field, value: &dyn std::fmt::Debug) {
        if field.name() == "message" {
            self.0.lock().unwrap().push(format!("{value:?}"));
        }
    }
}

impl Subscriber for Log {
    fn enabled(&self, metadata: &Metadata) -> bool {
        *metadata.level() <= Level::WARN
    }

    fn new_span(&self, _: &Attributes) -> Id {
        Id::from_u64(1)
    }

    fn record(&self, _: &Id, _: &Record) {}

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn event(&self, event: &Event) {
        event.record(&mut self.clone());
    }

    fn enter(&self, _: &Id) {}

    fn exit(&self, _: &Id) {}
}
