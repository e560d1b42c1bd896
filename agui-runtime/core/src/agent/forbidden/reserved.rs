//! Forbidden operations: events that only the driver sends.

use super::forbidden;
use crate::emit::Emit;

forbidden! {
    "events are not sent by hand",
    "there is no way to send a bare event",
    "say what is meant: `run.message()`, `run.step(..)`, `run.call(..)`, `run.custom(..)`, `run.state()`";
    impl [] Emit {
        fn emit(event);
        fn send(event);
        fn event(event);
        fn send_event(event);
        fn put(event);
    }
}

forbidden! {
    "RUN_STARTED is sent once, before the agent is called",
    "the run has started",
    "leave it out: the driver has sent it with the ids of the input";
    impl [] Emit {
        fn start();
        fn started();
    }
}

forbidden! {
    "RUN_STARTED is sent once, before the agent is called",
    "the run has started",
    "leave it out: the driver has sent it with the ids of the input";
    impl [] Emit {
        fn run_started(thread_id, run_id);
    }
}

forbidden! {
    "RUN_ERROR is the last event of a run",
    "the run would continue after this line",
    "return it: `return Err(Stop::error(..))`, or `?` on any error";
    impl [] Emit {
        fn error(why);
        fn fail(why);
        fn run_error(why);
    }
}

forbidden! {
    "RUN_FINISHED with an interrupt is the last event of a run",
    "the run would continue after this line",
    "return it: `return Err(Stop::interrupt(..))`; the next run finds the answer in its input";
    impl [] Emit {
        fn interrupt(with);
    }
}

forbidden! {
    "RUN_FINISHED with outcome cancelled is the last event of a run",
    "the run would continue after this line",
    "return it: `return Err(Stop::cancelled())`";
    impl [] Emit {
        fn cancel();
        fn cancelled();
    }
}

forbidden! {
    "RUN_FINISHED is the last event of a run, and a helper does not end the run",
    "the run would continue after this line",
    "return the value to the agent, which ends the run with `Ok(value)`";
    impl [] Emit {
        fn finish(value);
        fn run_finished(value);
    }
}
