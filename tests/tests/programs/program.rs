//! Well-typed programs as data: a few calls, then an ending.
//!
//! [`Held`] is what the compiler knows of a program at one place: which guards it holds, and what it has besides. A call is
//! on the menu where a Rust program could make it, and nowhere else.

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
    Tasks(usize),
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
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Foreign {
    TextStart,
    TextContent,
    TextEnd,
    TextChunk,
    CallStart,
    CallEnd,
    Result,
    StepStarted,
    SubagentStarted,
}

impl Foreign {
    const ALL: [Self; 9] = [
        Self::TextStart,
        Self::TextContent,
        Self::TextEnd,
        Self::TextChunk,
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
}

/// The type of a guard the program holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Guard {
    Message,
    Step,
    Backend(Arguments),
    Frontend(Arguments),
    Called,
    Reasoning,
    Thought { of: usize },
    Activity,
    Dynamic,
    Tasks { left: bool },
}

/// What a program knows of arguments it wrote: whether they can be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Arguments {
    Nothing,
    Whole,
    Nonsense,
}

impl Arguments {
    pub(crate) fn push(self) -> Self {
        if self == Self::Nothing { Self::Whole } else { self }
    }
}

/// How many guards are held at once.
pub(crate) const PLACES: usize = 3;

/// What a program has in hand after some calls.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Held {
    guards: [Option<Guard>; PLACES],
    receipt: bool,
    resumed: bool,
    /// A span whose guard was forgotten: some calls would wait for its end.
    leaked: bool,
}

impl Held {
    /// Every call the program could make now, with what it has in hand after it.
    pub(crate) fn menu(self, alphabet: Alphabet) -> Vec<(Op, Self)> {
        let mut menu = Vec::new();
        self.free_calls(alphabet, &mut menu);
        if let Some(at) = self.guards.iter().position(Option::is_none) {
            self.openings(alphabet, at, &mut menu);
        }
        for at in 0..PLACES {
            if let Some(guard) = self.guards[at] {
                self.deeds(alphabet, at, guard, &mut menu);
            }
        }
        menu
    }

    fn put(mut self, at: usize, guard: impl Into<Option<Guard>>) -> Self {
        self.guards[at] = guard.into();
        self
    }

    fn with_receipt(mut self) -> Self {
        self.receipt = true;
        self
    }

    fn with_leak(mut self) -> Self {
        self.leaked = true;
        self
    }

    fn holds_nothing(self) -> bool {
        self.guards.iter().all(Option::is_none)
    }

    fn free_calls(self, alphabet: Alphabet, menu: &mut Vec<(Op, Self)>) {
        menu.extend([
            (Op::Say, self.with_receipt()),
            (Op::Think, self.with_receipt()),
            (Op::CallFrontend, self.with_receipt()),
        ]);
        menu.extend([Child::Says, Child::Leaks, Child::Awaits].map(|child| (Op::Delegate(child), self)));
        if self.receipt {
            menu.push((Op::Encrypted, self));
        }
        if alphabet == Alphabet::Core {
            return;
        }
        menu.extend([Op::Custom, Op::Raw, Op::StateSnapshot, Op::StateUpdate].map(|op| (op, self)));
        menu.extend([Op::DelegateTwo, Op::DelegateAndDrop].map(|op| (op, self)));
        let children = [Child::CutsOff, Child::Fails, Child::Asks, Child::Cancelled, Child::Nests];
        menu.extend(children.map(|child| (Op::Delegate(child), self)));
        if self.receipt {
            menu.push((Op::Delegate(Child::UsesReceipt), self));
        }
        if self.holds_nothing() {
            // It borrows the run mutably, and what was forgotten is closed.
            menu.push((Op::Restate, Self { leaked: false, ..self }));
            if !self.leaked {
                menu.push((Op::Delegate(Child::Restates), self));
            }
        }
    }

    fn openings(self, alphabet: Alphabet, at: usize, menu: &mut Vec<(Op, Self)>) {
        menu.extend([
            (Op::Message(at), self.put(at, Guard::Message)),
            (Op::Step(at), self.put(at, Guard::Step)),
            (Op::Backend(at), self.put(at, Guard::Backend(Arguments::Nothing))),
            (Op::Frontend(at), self.put(at, Guard::Frontend(Arguments::Nothing))),
            (Op::CallBackend(at), self.put(at, Guard::Called)),
            (Op::Reasoning(at), self.put(at, Guard::Reasoning)),
        ]);
        for of in 0..PLACES {
            if self.guards[of] == Some(Guard::Reasoning) {
                menu.push((Op::Thought { of, at }, self.put(at, Guard::Thought { of })));
            }
        }
        if alphabet == Alphabet::Whole {
            menu.extend([
                (Op::Activity(at), self.put(at, Guard::Activity)),
                (Op::Dynamic(Policy::Strict, at), self.put(at, Guard::Dynamic)),
                (Op::Dynamic(Policy::Repair, at), self.put(at, Guard::Dynamic)),
                (Op::Tasks(at), self.put(at, Guard::Tasks { left: false })),
            ]);
            if !self.resumed {
                let resumed = Self { resumed: true, ..self };
                menu.push((Op::ResumeCall(at), resumed.put(at, Guard::Called)));
            }
        }
    }

    fn deeds(self, alphabet: Alphabet, at: usize, guard: Guard, menu: &mut Vec<(Op, Self)>) {
        let whole = alphabet == Alphabet::Whole;
        let gone = self.put(at, None);
        let borrowed = (0..PLACES).any(|other| self.guards[other] == Some(Guard::Thought { of: at }));
        if !borrowed {
            menu.push((Op::Drop(at), gone));
            menu.push((Op::Forget(at), gone.with_leak()));
        }
        match guard {
            Guard::Message | Guard::Thought { .. } => {
                menu.extend([(Op::Push(at), self), (Op::End(at), gone.with_receipt())]);
                if whole {
                    menu.push((Op::EncryptOpen(at), self));
                }
            }
            Guard::Reasoning if borrowed => {}
            Guard::Step | Guard::Reasoning => menu.push((Op::End(at), gone)),
            Guard::Backend(arguments) => {
                menu.push((Op::Push(at), self.put(at, Guard::Backend(arguments.push()))));
                menu.push((Op::PushNonsense(at), self.put(at, Guard::Backend(Arguments::Nonsense))));
                let called = (arguments == Arguments::Whole).then_some(Guard::Called);
                menu.push((Op::End(at), self.put(at, called)));
            }
            Guard::Frontend(arguments) => {
                menu.push((Op::Push(at), self.put(at, Guard::Frontend(arguments.push()))));
                menu.push((Op::PushNonsense(at), self.put(at, Guard::Frontend(Arguments::Nonsense))));
                let receipt = self.receipt || arguments == Arguments::Whole;
                menu.push((Op::End(at), Self { receipt, ..gone }));
            }
            Guard::Called => {
                menu.extend([(Op::Run(at), gone), (Op::Fail(at), gone)]);
                if whole {
                    menu.extend([(Op::Ask(at), gone), (Op::EncryptOpen(at), self)]);
                }
            }
            Guard::Activity => menu.push((Op::Push(at), self)),
            Guard::Dynamic => menu.extend(Foreign::ALL.map(|event| (Op::Feed(event, at), self))),
            Guard::Tasks { left } => {
                let bodies = [TaskBody::Says, TaskBody::Leaks, TaskBody::Fails, TaskBody::Panics];
                menu.extend(bodies.map(|body| (Op::Task(body, at), self)));
                let leaving = self.put(at, Guard::Tasks { left: true });
                menu.extend([TaskBody::Says, TaskBody::Leaks].map(|body| (Op::LeaveTask(body, at), leaving)));
                if !left {
                    menu.push((Op::Join(at), gone));
                }
            }
        }
    }
}
