//! Forbidden operations on text messages and steps.

use super::forbidden;
use crate::emit::{Emit, StartStep, StartText, WriteFuture};

forbidden! {
    "TEXT_MESSAGE_CONTENT before TEXT_MESSAGE_START",
    "no message is open here",
    "open one: `let mut text = run.message().await;`, then `text.push(..).await`";
    impl [] Emit {
        fn push(text);
        fn push_str(text);
        fn content(text);
        fn delta(text);
        fn write(text);
    }
}

forbidden! {
    "TEXT_MESSAGE_CONTENT before TEXT_MESSAGE_START",
    "this message is not open: nothing is sent until it is awaited",
    "await it first: `let mut text = run.message().await;`, then `text.push(..).await`";
    impl ['w] WriteFuture<'w, StartText> {
        fn push(text);
    }
}

forbidden! {
    "TEXT_MESSAGE_END before TEXT_MESSAGE_START",
    "this message is not open: nothing is sent until it is awaited",
    "await it first: `let mut text = run.message().await;`, then `text.end()`, or drop it";
    impl ['w] WriteFuture<'w, StartText> {
        fn end();
    }
}

forbidden! {
    "TEXT_MESSAGE_CONTENT before TEXT_MESSAGE_START",
    "messages are not written by id",
    "open one: `let mut text = run.message().await;`, then `text.push(..).await`";
    impl [] Emit {
        fn text_message_content(id, delta);
    }
}

forbidden! {
    "TEXT_MESSAGE_END without TEXT_MESSAGE_START",
    "messages are not ended by id",
    "a message ends itself: `text.end()` on the message that `run.message().await` returned, or drop it";
    impl [] Emit {
        fn text_message_end(id);
    }
}

forbidden! {
    "TEXT_MESSAGE_END without TEXT_MESSAGE_START",
    "no message is open here",
    "a message ends itself: `text.end()` on the message that `run.message().await` returned, or drop it";
    impl [] Emit {
        fn end_message();
        fn end();
    }
}

forbidden! {
    "TEXT_MESSAGE_START without its TEXT_MESSAGE_END",
    "a message cannot be opened and left open",
    "`let mut text = run.message().await;` opens it, gives it an id and ends it; `run.say(..).await` does all three";
    impl [] Emit {
        fn start_message(id);
        fn text_message_start(id);
    }
}

forbidden! {
    "STEP_FINISHED for a step that was not started here",
    "steps are not finished by name",
    "a step finishes itself: `let step = run.step(\"plan\").await;`, then `step.finish()`, or drop it";
    impl [] Emit {
        fn finish_step(name);
        fn end_step(name);
        fn step_finished(name);
    }
}

forbidden! {
    "STEP_STARTED without its STEP_FINISHED",
    "a step cannot be started by name and left open",
    "`let step = run.step(\"plan\").await;` starts one that finishes itself";
    impl [] Emit {
        fn start_step(name);
        fn step_started(name);
    }
}

forbidden! {
    "STEP_FINISHED before STEP_STARTED",
    "this step is not open: nothing is sent until it is awaited",
    "await it first: `let step = run.step(\"plan\").await;`, then `step.finish()`";
    impl ['w] WriteFuture<'w, StartStep> {
        fn finish();
    }
}

forbidden! {
    "TEXT_MESSAGE_START under an id that may be taken",
    "the run gives its messages their ids",
    "leave it out, and ask the message: `text.id()`";
    impl ['w] WriteFuture<'w, StartText> {
        fn id(id);
        fn with_id(id);
    }
}

forbidden! {
    "chunks are not sent by a run: it knows where a message starts and ends",
    "no message is open here",
    "open one: `let mut text = run.message().await;`, then `text.push(..).await`";
    impl [] Emit {
        fn chunk(text);
        fn text_chunk(text);
    }
}
