//! Forbidden operations on activities, the restated conversation and authors.

use super::forbidden;
use crate::agent::{Agent, Delegate};
use crate::emit::{Emit, StartActivity, WriteFuture};

forbidden! {
    "ACTIVITY_DELTA before its ACTIVITY_SNAPSHOT",
    "the client shows no such activity",
    "show it first: `let mut plan = run.activity(plan).await?;`, then `plan.update(..).await?`";
    impl [] Emit {
        fn activity_delta(id, operations);
        fn update_activity(id, content);
    }
}

forbidden! {
    "ACTIVITY_SNAPSHOT under an id that may be taken",
    "activities are not shown by id",
    "`let mut plan = run.activity(plan).await?;` shows it and gives it an id; `plan.update(..).await?` changes it";
    impl [] Emit {
        fn activity_snapshot(id, content);
        fn show_activity(id, content);
    }
}

forbidden! {
    "ACTIVITY_DELTA before its ACTIVITY_SNAPSHOT",
    "this activity is not shown: nothing is sent until it is awaited",
    "await it first: `let mut plan = run.activity(plan).await?;`, then `plan.update(..).await?`";
    impl ['w, T] WriteFuture<'w, StartActivity<T>> {
        fn update(|T|);
    }
}

forbidden! {
    "MESSAGES_SNAPSHOT while a message or a call may be open",
    "a helper does not know the messages and calls that its callers have open",
    "take `run: &mut Run<A>`, which nothing open allows: `run.messages_snapshot(messages).await`";
    impl [] Emit {
        fn messages_snapshot(messages);
    }
}

forbidden! {
    "SUBAGENT_STARTED without its SUBAGENT_FINISHED",
    "a subagent cannot be announced and left open",
    "run the other agent: `run.delegate(name, agent, messages).await` announces it and sends its end";
    impl [] Emit {
        fn start_subagent(name);
        fn subagent_started(name);
    }
}

forbidden! {
    "SUBAGENT_FINISHED without SUBAGENT_STARTED",
    "subagents do not end by id",
    "run the other agent: `run.delegate(name, agent, messages).await` announces it and sends its end";
    impl [] Emit {
        fn finish_subagent(id);
        fn end_subagent(id);
        fn subagent_finished(id);
    }
}

forbidden! {
    "SUBAGENT_FINISHED has the outcome that the agent's function returned",
    "it cannot be chosen separately",
    "leave it out: `Ok(value)` is `success`, `Err(Stop::interrupt(..))` is `suspended` with the ids of its questions";
    impl ['w, C: Agent] Delegate<'w, C> {
        fn outcome(outcome);
        fn result(result);
        fn interrupts(ids);
        fn interrupt_ids(ids);
    }
}

forbidden! {
    "SUBAGENT_ERROR without SUBAGENT_STARTED",
    "subagents do not fail by id",
    "run the other agent: `run.delegate(name, agent, messages).await` sends this event when the agent fails";
    impl [] Emit {
        fn subagent_error(id, message);
        fn fail_subagent(id, message);
    }
}

forbidden! {
    "`subagentRunId` is the id of the handle's subagent",
    "the handle has its subagent",
    "leave it out; another agent sends its own events: `run.delegate(name, agent, messages).await`";
    impl ['w, O] WriteFuture<'w, O> {
        fn subagent(id);
        fn subagent_run_id(id);
    }
}
