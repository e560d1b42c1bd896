//! Every legal stream of a few events over text, tools and custom events is the output of some typed program.
//!
//! `AGUI_PROGRAM_EVENTS` sets the greatest number of events of a stream, 8 by default, RUN_STARTED and the last event
//! included.
//!
//! The streams are those that the verifier accepts from a producer, over these events: TEXT_MESSAGE_START, CONTENT,
//! END; TOOL_CALL_START, ARGS, END of a backend and of a frontend tool, TOOL_CALL_RESULT; CUSTOM; RUN_FINISHED with
//! each of its outcomes; RUN_ERROR. Ids are named in the order they appear, as the run itself names them, so a stream
//! stands for all that differ from it in ids alone. Texts do not matter for order; the pieces of arguments are such
//! that arguments read at any END.
//!
//! Streams that the verifier accepts, but typed guards do not write, on purpose:
//!
//! - a START with an id that was used before: ids are fresh;
//! - RUN_ERROR with a text or a backend call still open: what can be closed is closed first;
//! - a backend call without an answer, unless a question about it interrupts the run: providers refuse such a history;
//! - RUN_FINISHED without an outcome, or without `pendingToolCallIds` if calls are pending: clients that know them
//!   always get both.

mod copyist;
mod stream;

use std::num::NonZero;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Instant;

use agui_runtime::protocol::Event;
use agui_runtime::{start, testing};

use self::copyist::Copyist;
use self::stream::{Stream, input};
use super::{drive, number, say};

#[derive(Default)]
struct Count {
    legal: AtomicUsize,
    said: AtomicUsize,
}

#[test]
fn every_legal_stream_is_the_output_of_a_program() {
    let length = number("AGUI_PROGRAM_EVENTS", 8);
    let begun = Instant::now();
    let count = Count::default();
    // Divided at three events.
    let jobs = Mutex::new(Vec::new());
    beginnings(Stream::started(), length.min(3), &mut |stream| jobs.lock().unwrap().push(stream), &count);
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, NonZero::get) {
            scope.spawn(|| {
                loop {
                    let job = jobs.lock().unwrap().pop();
                    let Some(stream) = job else { break };
                    extend(&stream, length, &count);
                }
            });
        }
    });
    let [legal, said] = [&count.legal, &count.said].map(|of| of.load(Ordering::Relaxed));
    say(&format!(
        "programs: {said} of {legal} legal streams of up to {length} events are said by a program, {:.1?}",
        begun.elapsed(),
    ));
    assert_eq!(said, legal);
    assert!(legal > 100, "the search went nowhere");
}

/// Unfinished streams of that length; shorter finished ones are judged at once.
fn beginnings(stream: Stream, length: usize, found: &mut impl FnMut(Stream), count: &Count) {
    if stream.has_ended() {
        return judge(&stream, count);
    }
    if stream.events.len() == length {
        return found(stream);
    }
    for next in stream.alphabet().into_iter().filter_map(|letter| stream.then(letter)) {
        beginnings(next, length, found, count);
    }
}

fn extend(stream: &Stream, length: usize, count: &Count) {
    for letter in stream.alphabet() {
        let Some(next) = stream.then(letter) else { continue };
        if next.has_ended() {
            judge(&next, count);
        } else if next.events.len() + next.missing() <= length {
            extend(&next, length, count);
        }
    }
}

fn judge(stream: &Stream, count: &Count) {
    if stream.verifier.end().is_err() || stream.is_left_out() {
        return;
    }
    count.legal.fetch_add(1, Ordering::Relaxed);
    // Streams are compared with the ids that the copyist gives.
    let options = testing::options().unsigned_interrupts(true);
    let mut run = start(Arc::new(Copyist(stream.letters.clone())), input(), options);
    let said: Vec<Event> = std::iter::from_fn(|| drive::next(&mut run).unwrap()).collect();
    assert!(
        said == stream.events,
        "{:?}\n  asked for:\n{}\n  said:\n{}",
        stream.letters,
        testing::lines(&stream.events),
        testing::lines(&said)
    );
    count.said.fetch_add(1, Ordering::Relaxed);
}
