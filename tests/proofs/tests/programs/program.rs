//! Programs as data: a few calls, then an ending.

use agui_runtime::Policy;

/// One call of a program. The numbers are the places of the guards it holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Op {
    // Opens a guard.
    Message(usize),
    Step(usize),
    Backend(usize),
    Frontend(usize),
    CallBackend(usize),
    ResumeCall(usize),
    Reasoning(usize),
    Thought {
        of: usize,
        at: usize,
    },
    Activity(usize),
    Dynamic(Policy, usize),
    /// Forwards chunks as chunks.
    Passing(Policy, usize),
    Tasks(usize),
    /// By a tool's name, as a model does.
    Named(Name, usize),
    // Uses a guard.
    Push(usize),
    PushNonsense(usize),
    End(usize),
    Drop(usize),
    Forget(usize),
    Run(usize),
    Fail(usize),
    /// Leaves it to an interrupt that is then not returned.
    Ask(usize),
    EncryptOpen(usize),
    Feed(Foreign, usize),
    Task(TaskBody, usize),
    /// A task that begins, and is polled from now on before every call and after the run.
    LeaveTask(TaskBody, usize),
    Join(usize),
    Dispatch(usize),
    // Needs no guard.
    Say,
    Think,
    Custom,
    Raw,
    CallFrontend,
    Encrypted,
    StateSnapshot,
    StateUpdate,
    Restate,
    Delegate(Child),
    DelegateTwo,
    /// Begins a delegation and drops it at its first wait.
    DelegateAndDrop,
    /// By a name that no tool has.
    NamedNothing,
    /// Runs every ready call, side by side.
    DispatchAll,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Name {
    LookUp,
    Confirm,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Foreign {
    TextStart,
    TextContent,
    TextEnd,
    TextChunk,
    /// Continues the current item of any kind.
    MoreText,
    CallChunk,
    ThoughtChunk,
    SubagentChunk,
    CallStart,
    CallEnd,
    Result,
    StepStarted,
    SubagentStarted,
}

impl Foreign {
    pub(crate) const ALL: [Self; 13] = [
        Self::TextStart,
        Self::TextContent,
        Self::TextEnd,
        Self::TextChunk,
        Self::MoreText,
        Self::CallChunk,
        Self::ThoughtChunk,
        Self::SubagentChunk,
        Self::CallStart,
        Self::CallEnd,
        Self::Result,
        Self::StepStarted,
        Self::SubagentStarted,
    ];
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TaskBody {
    Says,
    Leaks,
    Fails,
    Panics,
}

/// The operation of a delegated agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Child {
    Says,
    /// A step, and a leaked message.
    Leaks,
    /// A call the user interface must answer.
    Awaits,
    /// A frontend call whose arguments stop in the middle.
    CutsOff,
    Fails,
    /// A question about a call of its own.
    Asks,
    Cancelled,
    /// Reasoning around another agent, which leaks.
    Nests,
    /// An encrypted value of the delegating agent's last message, and a call that names it as its parent.
    UsesReceipt,
    Restates,
    /// Sends a message and passes the receipt to the delegating agent.
    HandsMessage,
    HandsThought,
    /// Calls the user interface, and passes on the receipt of that call.
    HandsCall,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ending {
    Ok,
    Error,
    Panic,
    Await,
    Interrupt,
    Cancelled,
    /// Panics in a delegated agent, with a message open.
    PanicInChild,
}

impl Ending {
    pub(crate) const ALL: [Self; 7] = [
        Self::Ok,
        Self::Error,
        Self::Panic,
        Self::Await,
        Self::Interrupt,
        Self::Cancelled,
        Self::PanicInChild,
    ];
}

/// The sets of calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Alphabet {
    /// Text, steps, tools on both sides, reasoning, encrypted values, subagents.
    Core,
    /// All of them.
    Whole,
    /// Calls by name, calls that interact with them, and receipts from children.
    ByName,
    /// Streams of others, their chunks expanded or passed as they are, and calls that interact with them.
    Forwarding,
}

impl Alphabet {
    /// Returns true if this call is in the set. The menu leaves out calls that only the first two lack.
    pub(crate) fn has(self, op: Op) -> bool {
        let meets = matches!(
            op,
            Op::Say
                | Op::Message(_)
                | Op::Push(_)
                | Op::End(_)
                | Op::Drop(_)
                | Op::Forget(_)
                | Op::CallFrontend
                | Op::Restate
                | Op::Delegate(Child::Says | Child::Leaks)
        );
        match self {
            Self::Core | Self::Whole => true,
            Self::ByName => {
                let hands = Op::Delegate(Child::HandsMessage);
                meets
                    || matches!(op, Op::Named(..) | Op::NamedNothing | Op::PushNonsense(_))
                    || matches!(op, Op::Dispatch(_) | Op::DispatchAll | Op::Encrypted)
                    || op == hands
                    || op == Op::Delegate(Child::UsesReceipt)
            }
            Self::Forwarding => {
                meets || matches!(op, Op::Dynamic(..) | Op::Passing(..) | Op::Feed(..) | Op::StateSnapshot)
            }
        }
    }
}

/// The greatest number of guards at a time.
pub(crate) const PLACES: usize = 3;
