//! Programs as data: a few calls, then an ending.

use agui_runtime::Policy;

/// One call of a program. The numbers are the places of the guards it holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Op {
    // What opens a guard.
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
    /// By the name a model would say.
    Named(Name, usize),
    // What is done with one.
    Push(usize),
    PushNonsense(usize),
    End(usize),
    Drop(usize),
    Forget(usize),
    Run(usize),
    Fail(usize),
    /// Leaves it to an interrupt, which is then not returned.
    Ask(usize),
    EncryptOpen(usize),
    Feed(Foreign, usize),
    Task(TaskBody, usize),
    /// A task that is begun, and polled from now on before every call and after the run.
    LeaveTask(TaskBody, usize),
    Join(usize),
    Dispatch(usize),
    // What needs no guard.
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
    /// Begins a delegation and drops it where it first waits.
    DelegateAndDrop,
    /// By the name of no tool.
    NamedNothing,
    /// Every call that is ready, side by side.
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
    /// Of the item that is going on, whichever that is.
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

/// What another agent does that is delegated to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Child {
    Says,
    /// A step, and a message that is forgotten.
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
    /// An encrypted value of the last message of who delegates, and a call that names it as its parent.
    UsesReceipt,
    Restates,
    /// Says something and hands the receipt to who delegates.
    HandsMessage,
    HandsThought,
    /// Asks the user interface, and hands on the receipt of that call.
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
    /// In an agent that is delegated to, with a message open.
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

/// Which calls there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Alphabet {
    /// Text, steps, tools on both sides, reasoning, encrypted values, subagents.
    Core,
    /// All of them.
    Whole,
    /// Calls by name, what they meet, and receipts that children hand on.
    ByName,
    /// Streams of others, their chunks expanded or passed as they come, and what they meet.
    Forwarding,
}

impl Alphabet {
    /// Whether this call is one of its own. What only the first two leave out, the menu does.
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

/// How many guards are held at once.
pub(crate) const PLACES: usize = 3;
