//! Forbidden operations on tool calls.

use super::forbidden;
use crate::agent::tool::{BackendSide, CallAtOnce, StartCall, StartNamedCall, Tool};
use crate::agent::{Agent, Call, OpenPhase, PendingCall, ReadyPhase};
use crate::emit::{Emit, WriteFuture};

forbidden! {
    "TOOL_CALL_ARGS before TOOL_CALL_START",
    "no call is open here",
    "open one: `let mut call = run.tool::<price>().await;`, or by name `run.open_call(name).await?`, then \
     `call.push(..).await`";
    impl [] Emit {
        fn args(id, delta);
        fn push_args(id, delta);
        fn tool_call_args(id, delta);
    }
}

forbidden! {
    "TOOL_CALL_ARGS before TOOL_CALL_START",
    "this call is not open: nothing is sent until it is awaited",
    "await it first: `let mut call = run.tool::<price>().await;`, then `call.push(..).await`";
    impl ['w, A: Agent, T: Tool] WriteFuture<'w, StartCall<'w, A, T>> {
        fn push(delta);
    }
}

forbidden! {
    "TOOL_CALL_END before TOOL_CALL_START",
    "this call is not open: nothing is sent until it is awaited",
    "await it first: `let call = run.tool::<price>().await;`, then `let call = call.end()?;`";
    impl ['w, A: Agent, T: Tool] WriteFuture<'w, StartCall<'w, A, T>> {
        fn end();
    }
}

forbidden! {
    "TOOL_CALL_ARGS before TOOL_CALL_START",
    "this call is not open: nothing is sent until it is awaited",
    "await it first: `let mut call = run.open_call(name).await?;`, then `call.push(..).await`";
    impl ['w, A: Agent, C] WriteFuture<'w, StartNamedCall<'w, A, C>> {
        fn push(delta);
    }
}

forbidden! {
    "TOOL_CALL_END before TOOL_CALL_START",
    "this call is not open: nothing is sent until it is awaited",
    "await it first: `let call = run.open_call(name).await?;`, then `let call = call.end()?;`";
    impl ['w, A: Agent, C] WriteFuture<'w, StartNamedCall<'w, A, C>> {
        fn end();
    }
}

forbidden! {
    "TOOL_CALL_END without TOOL_CALL_START",
    "calls are not ended by id",
    "a call ends itself: `let call = call.end()?;` on the call that `run.tool::<price>().await` returned";
    impl [] Emit {
        fn end_call(id);
        fn end_tool_call(id);
        fn tool_call_end(id);
    }
}

forbidden! {
    "TOOL_CALL_RESULT before TOOL_CALL_END",
    "the arguments of this call are still being streamed",
    "end them first: `let call = call.end()?;`, then `call.run().await` or `call.result(..).await?`";
    impl ['w, A: Agent, T: Tool] Call<'w, A, T, OpenPhase> {
        fn result(returned);
        fn fail(why);
        fn run() -> T::Returns;
    }
}

forbidden! {
    "an interrupt about a call before its TOOL_CALL_END",
    "the arguments of this call are still being streamed",
    "end them first: `let call = call.end()?;`, then `return Err(call.interrupt(..))`";
    impl ['w, A: Agent, T: Tool] Call<'w, A, T, OpenPhase> {
        fn interrupt(with) -> Stop;
        fn ask(payload) -> Stop;
        fn question(payload);
    }
}

forbidden! {
    "TOOL_CALL_RESULT before TOOL_CALL_START",
    "this call is not made: nothing is sent until it is awaited",
    "await it first: `let call = run.call(..).await?;`, then `call.run().await` or `call.result(..).await?`";
    impl ['w, A: Agent, T: Tool] WriteFuture<'w, CallAtOnce<'w, A, T>> {
        fn result(returned);
        fn fail(why);
        fn run() -> T::Returns;
    }
}

forbidden! {
    "TOOL_CALL_ARGS after TOOL_CALL_END",
    "the arguments of this call are complete",
    "push before `call.end()?`; a call made by `run.call(..)` has all of them";
    impl ['w, A: Agent, T: Tool<Side = BackendSide>] Call<'w, A, T, ReadyPhase> {
        fn push(delta);
    }
}

forbidden! {
    "TOOL_CALL_END twice",
    "the arguments of this call are complete",
    "leave it out: continue with `call.run().await` or `call.result(..).await?`";
    impl ['w, A: Agent, T: Tool<Side = BackendSide>] Call<'w, A, T, ReadyPhase> {
        fn end();
    }
}

forbidden! {
    "TOOL_CALL_ARGS after TOOL_CALL_END",
    "the arguments of this call are complete",
    "push before `call.end()?`; a call made by `run.call(..)` has all of them";
    impl [T: Tool] PendingCall<T> {
        fn push(delta);
    }
}

forbidden! {
    "TOOL_CALL_END twice",
    "the arguments of this call are complete",
    "leave it out: end the run and let the client answer, `return Err(Stop::await_frontend([call]))`";
    impl [T: Tool] PendingCall<T> {
        fn end();
    }
}

forbidden! {
    "a frontend tool has no TOOL_CALL_RESULT in the run that calls it",
    "the user interface answers this call",
    "end the run and let the client answer: `return Err(Stop::await_frontend([call]))`; the next run reads \
     `input.frontend_result::<confirm>()?`";
    impl [T: Tool] PendingCall<T> {
        fn result(returned);
        fn fail(why);
        fn run() -> T::Returns;
    }
}

forbidden! {
    "TOOL_CALL_RESULT without its call",
    "calls are not answered by id",
    "answer the call itself: `let call = run.call(price {{ .. }}).await?;`, then `call.run().await` or `call.result(..).await?`";
    impl [] Emit {
        fn result(id, content);
        fn tool_result(id, content);
        fn tool_call_result(id, content);
    }
}

forbidden! {
    "TOOL_CALL_START under an id that may be taken",
    "the run gives its calls their ids",
    "leave it out, and read the id with `call.id()`; an id from a model's provider goes into `.provider_id(..)`";
    impl ['w, A: Agent, T: Tool] WriteFuture<'w, StartCall<'w, A, T>> {
        fn id(id);
        fn with_id(id);
    }
}

forbidden! {
    "a frontend tool's call is never reported as an interrupt",
    "the user interface answers this call by itself",
    "end the run and let the client answer: `return Err(Stop::await_frontend([call]))`";
    impl [T: Tool] PendingCall<T> {
        fn interrupt(with) -> Stop;
        fn ask(payload) -> Stop;
        fn question(payload);
    }
}

forbidden! {
    "TOOL_CALL_START without its TOOL_CALL_END",
    "a call cannot be started by name and left open",
    "`run.tool::<price>().await` and `run.open_call(name).await?` open one that ends itself; `run.call(price {{ .. }}).await?` \
     makes a complete one";
    impl [] Emit {
        fn start_call(name);
        fn start_tool_call(name);
        fn tool_call_start(name);
    }
}
