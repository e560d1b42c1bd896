//! Forbidden operations on reasoning and its messages.

use super::forbidden;
use crate::emit::{Emit, Reasoning, StartReasoning, StartReasoningMessage, WriteFuture};

forbidden! {
    "REASONING_MESSAGE_CONTENT before REASONING_MESSAGE_START",
    "a span has no text of its own, and no message is open here",
    "open one: `let mut thought = think.message().await;`, then `thought.push(..).await`";
    impl ['w] Reasoning<'w> {
        fn push(text);
        fn content(text);
        fn say(text);
    }
}

forbidden! {
    "REASONING_MESSAGE_CONTENT before REASONING_MESSAGE_START",
    "this message is not open: nothing is sent until it is awaited",
    "await it first: `let mut thought = think.message().await;`, then `thought.push(..).await`";
    impl ['w] WriteFuture<'w, StartReasoningMessage> {
        fn push(text);
    }
}

forbidden! {
    "a reasoning message has the role `reasoning` and no other",
    "it has its role",
    "leave it out; text for the user is a text message, `run.message()`";
    impl ['w] WriteFuture<'w, StartReasoningMessage> {
        fn role(role);
    }
}

forbidden! {
    "REASONING_MESSAGE_START before REASONING_START",
    "this span is not open: nothing is sent until it is awaited",
    "await it first: `let think = run.reasoning().await;`, then `think.message().await`";
    impl ['w] WriteFuture<'w, StartReasoning> {
        fn message();
    }
}

forbidden! {
    "REASONING_END before REASONING_START",
    "this span is not open: nothing is sent until it is awaited",
    "await it first: `let think = run.reasoning().await;`, then `think.end()`, or drop it";
    impl ['w] WriteFuture<'w, StartReasoning> {
        fn end();
    }
}

forbidden! {
    "REASONING_MESSAGE_END before REASONING_MESSAGE_START",
    "this message is not open: nothing is sent until it is awaited",
    "await it first: `let mut thought = think.message().await;`, then `thought.end()`, or drop it";
    impl ['w] WriteFuture<'w, StartReasoningMessage> {
        fn end();
    }
}

forbidden! {
    "REASONING_START without its REASONING_END",
    "a span cannot be opened by id and left open",
    "`let think = run.reasoning().await;` opens one that ends itself; `run.think(..).await` is a whole one";
    impl [] Emit {
        fn start_reasoning(id);
        fn reasoning_start(id);
    }
}

forbidden! {
    "REASONING_END without REASONING_START",
    "no span is open here",
    "a span ends itself: `think.end()` on the span that `run.reasoning().await` returned, or drop it";
    impl [] Emit {
        fn end_reasoning();
        fn reasoning_end();
    }
}

forbidden! {
    "REASONING_MESSAGE_CONTENT before REASONING_MESSAGE_START",
    "no reasoning message is open here",
    "open one: `let think = run.reasoning().await;`, `let mut thought = think.message().await;`, then \
     `thought.push(..).await`";
    impl [] Emit {
        fn reasoning_message(text);
        fn push_reasoning(text);
    }
}

forbidden! {
    "REASONING_MESSAGE_CONTENT before REASONING_MESSAGE_START",
    "reasoning messages are not written by id",
    "open one: `let think = run.reasoning().await;`, `let mut thought = think.message().await;`, then \
     `thought.push(..).await`";
    impl [] Emit {
        fn reasoning_message_content(id, delta);
    }
}

forbidden! {
    "REASONING_MESSAGE_START without its REASONING_MESSAGE_END",
    "a reasoning message cannot be opened by id and left open",
    "open one: `let think = run.reasoning().await;`, `let mut thought = think.message().await;`; it ends itself";
    impl [] Emit {
        fn reasoning_message_start(id);
    }
}

forbidden! {
    "REASONING_MESSAGE_END without REASONING_MESSAGE_START",
    "reasoning messages are not ended by id",
    "a message ends itself: `thought.end()` on the message that `think.message().await` returned, or drop it";
    impl [] Emit {
        fn reasoning_message_end(id);
    }
}
