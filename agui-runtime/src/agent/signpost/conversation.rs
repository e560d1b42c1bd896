//! Signposts about activities, the restated conversation and authors.

use super::signpost;
use crate::agent::{Agent, Delegate};
use crate::emit::{Emit, StartActivity, WriteFuture};

signpost! {
    "ACTIVITY_DELTA before its ACTIVITY_SNAPSHOT",
    "the client shows no such activity",
    "show it first: `let mut plan = run.activity(plan).await?;`, then `plan.update(..).await?`";
    impl [] Emit {
        fn activity_delta(id, operations);
        fn update_activity(id, content);
    }
}

signpost! {
    "ACTIVITY_SNAPSHOT under an id that may be taken",
    "activities are not shown by id",
    "`let mut plan = run.activity(plan).await?;` shows it and gives it an id; `plan.update(..).await?` changes it";
    impl [] Emit {
        fn activity_snapshot(id, content);
        fn show_activity(id, content);
    }
}

signpost! {
    "ACTIVITY_DELTA before its ACTIVITY_SNAPSHOT",
    "this activity is not shown: nothing is sent until it is awaited",
    "await it first: `let mut plan = run.activity(plan).await?;`, then `plan.update(..).await?`";
    impl ['w, T] WriteFuture<'w, StartActivity<T>> {
        fn update(|T|);
    }
}

signpost! {
    "MESSAGES_SNAPSHOT while a message or a call may be open",
    "a helper does not know what its callers have open",
    "take `run: &mut Run<A>`, which nothing open allows: `run.messages_snapshot(messages).await`";
    impl [] Emit {
        fn messages_snapshot(messages);
    }
}

signpost! {
    "SUBAGENT_STARTED without its SUBAGENT_FINISHED",
    "subagents are not announced and left",
    "run the other agent: `run.delegate(name, agent, messages).await` announces it and says how it ended";
    impl [] Emit {
        fn start_subagent(name);
        fn subagent_started(name);
    }
}

signpost! {
    "SUBAGENT_FINISHED without SUBAGENT_STARTED",
    "subagents do not end by id",
    "run the other agent: `run.delegate(name, agent, messages).await` announces it and says how it ended";
    impl [] Emit {
        fn finish_subagent(id);
        fn end_subagent(id);
        fn subagent_finished(id);
    }
}

signpost! {
    "SUBAGENT_FINISHED has the outcome that the agent's function returned",
    "an outcome is not chosen beside it",
    "leave it out: `Ok(value)` is `success`, `Err(Stop::interrupt(..))` is `suspended` with the ids of its questions";
    impl ['w, C: Agent] Delegate<'w, C> {
        fn outcome(outcome);
        fn result(result);
        fn interrupts(ids);
        fn interrupt_ids(ids);
    }
}

signpost! {
    "SUBAGENT_ERROR without SUBAGENT_STARTED",
    "subagents do not fail by id",
    "run the other agent: `run.delegate(name, agent, messages).await` says so when it returns an error";
    impl [] Emit {
        fn subagent_error(id, message);
        fn fail_subagent(id, message);
    }
}

signpost! {
    "`subagentRunId` names the speaker, which is the subagent of the handle",
    "the author of this is known",
    "leave it out; what another agent says it says itself: `run.delegate(name, agent, messages).await`";
    impl ['w, O] WriteFuture<'w, O> {
        fn subagent(id);
        fn subagent_run_id(id);
    }
}
