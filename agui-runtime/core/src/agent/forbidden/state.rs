//! Forbidden operations on the shared state.

use super::forbidden;
use crate::agent::{Agent, Run, StateBaseline};
use crate::emit::Emit;
use crate::state::State;

forbidden! {
    "STATE_DELTA without a baseline",
    "no baseline was chosen: the document that the client's copy starts from",
    "say it first: `let state = run.state().adopt_or_snapshot(&input).await?;`, then `state.update(..).await?`";
    impl ['r, S: State] StateBaseline<'r, S> {
        fn update(|S|);
        fn read(|S|);
    }
}

forbidden! {
    "STATE_DELTA without a baseline",
    "no baseline was chosen: the document that the client's copy starts from",
    "say it first: `let state = run.state().adopt_or_snapshot(&input).await?;`, then `state.update(..).await?`";
    impl [A: Agent] Run<A> {
        fn update(|A::State|);
        fn update_state(|A::State|);
    }
}

forbidden! {
    "STATE_DELTA without a baseline",
    "a helper does not know the document that the client's copy starts from",
    "take the handle, `state: &StateHandle<S>`, which `run.state().adopt_or_snapshot(&input).await?` gives: \
     `state.update(..).await?`";
    impl [] Emit {
        fn update(edit);
        fn update_state(edit);
    }
}

forbidden! {
    "STATE_DELTA without a baseline",
    "patches are not written by hand",
    "change the state, and the delta is generated: `run.state().adopt_or_snapshot(&input).await?.update(..).await?`";
    impl [] Emit {
        fn state_delta(operations);
        fn patch(operations);
    }
}

forbidden! {
    "STATE_SNAPSHOT of a value that may not be the agent's state",
    "the run does not know whether this is the agent's state",
    "`run.state().snapshot(&state).await?` takes the type in `#[agent(state = ..)]`";
    impl [] Emit {
        fn snapshot(state);
        fn state_snapshot(state);
        fn set_state(state);
    }
}
