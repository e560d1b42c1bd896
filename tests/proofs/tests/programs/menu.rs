//! The possible next calls of a program.
//!
//! [`Held`] is the compiler's knowledge of a program at one place: its guards, and its other values. A call is on the
//! menu exactly if a Rust program could make it there.

use agui_runtime::Policy;

use super::program::{Alphabet, Child, Foreign, Name, Op, PLACES, TaskBody};

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
    Named(Name, Arguments),
    Ready,
}

/// The program's knowledge of arguments it wrote: whether they can be read.
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

/// The values of a program after some calls.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Held {
    guards: [Option<Guard>; PLACES],
    receipt: bool,
    resumed: bool,
    /// A span whose guard was leaked: some calls would wait for its end.
    leaked: bool,
}

impl Held {
    /// Every possible next call of the program, with its values after it.
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
        menu.retain(|(op, _)| alphabet.has(*op));
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
        let handing = [Child::HandsMessage, Child::HandsThought, Child::HandsCall];
        menu.extend(handing.map(|child| (Op::Delegate(child), self.with_receipt())));
        menu.push((Op::NamedNothing, self));
        let ready = |guard: &Option<Guard>| *guard == Some(Guard::Ready);
        if self.guards.iter().filter(|guard| ready(guard)).count() > 1 {
            let guards = self.guards.map(|guard| guard.filter(|guard| *guard != Guard::Ready));
            menu.push((Op::DispatchAll, Self { guards, ..self }));
        }
        if self.receipt {
            menu.push((Op::Delegate(Child::UsesReceipt), self));
        }
        if self.holds_nothing() {
            // It borrows the run mutably, and closes leaked spans.
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
        if alphabet != Alphabet::Core {
            menu.extend([
                (Op::Activity(at), self.put(at, Guard::Activity)),
                (Op::Dynamic(Policy::Strict, at), self.put(at, Guard::Dynamic)),
                (Op::Dynamic(Policy::Repair, at), self.put(at, Guard::Dynamic)),
                (Op::Passing(Policy::Strict, at), self.put(at, Guard::Dynamic)),
                (Op::Passing(Policy::Repair, at), self.put(at, Guard::Dynamic)),
                (Op::Tasks(at), self.put(at, Guard::Tasks { left: false })),
            ]);
            let open = |name| self.put(at, Guard::Named(name, Arguments::Nothing));
            menu.extend([Name::LookUp, Name::Confirm].map(|name| (Op::Named(name, at), open(name))));
            if !self.resumed {
                let resumed = Self { resumed: true, ..self };
                menu.push((Op::ResumeCall(at), resumed.put(at, Guard::Called)));
            }
        }
    }

    fn deeds(self, alphabet: Alphabet, at: usize, guard: Guard, menu: &mut Vec<(Op, Self)>) {
        let whole = alphabet != Alphabet::Core;
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
            Guard::Named(name, arguments) => {
                let named = |arguments| self.put(at, Guard::Named(name, arguments));
                menu.push((Op::Push(at), named(arguments.push())));
                menu.push((Op::PushNonsense(at), named(Arguments::Nonsense)));
                let ready = (arguments == Arguments::Whole).then_some(Guard::Ready);
                menu.push((Op::End(at), self.put(at, ready)));
            }
            Guard::Ready => menu.push((Op::Dispatch(at), gone)),
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
