//! The interpreter: a program's calls become calls of the real API, its guards real guards.
//!
//! Guards that borrow the run lie in a table. A reasoning message borrows its reasoning, so while one is open both live
//! in a frame of their own, on top of the table; with three guards at most there is never a second such frame.

use std::future::poll_fn;
use std::mem::forget;
use std::pin::pin;
use std::sync::Arc;
use std::task::Poll;

use agui_runtime::protocol::{ToolCallId, UserMessage};

use agui_runtime::events::MessageRef;
use agui_runtime::runs::RunTasks;
use agui_runtime::tools::{FrontendCall, OpenPhase, ReadyPhase};
use agui_runtime::{
    ActivityHandle, Call, Dynamic, Input, Reasoning, ReasoningText, Run, Step, Stop, TextMessage,
};
use futures::{FutureExt, join};

use super::children::{Helper, Panicking, Receipt, confirm, look_up, panic, what};
use super::menu::Arguments;
use super::parts::question;
use super::player::{Doc, Happened, OLD_CALL, Plan, Player, PlayerOpenCall, PlayerReadyCall};
use super::program::{Child, Ending, Name, Op, PLACES};

pub(super) enum Held<'w> {
    Message(TextMessage<'w>),
    Step(Step<'w>),
    Backend(Call<'w, Player, look_up, OpenPhase>, Arguments),
    Frontend(Call<'w, Player, confirm, OpenPhase>, Arguments),
    Called(Call<'w, Player, look_up, ReadyPhase>),
    Reasoning(Reasoning<'w>),
    Activity(ActivityHandle<'w, Plan>),
    Dynamic(Dynamic<'w>),
    Tasks(RunTasks<'w>),
    Named(PlayerOpenCall<'w>, Arguments),
    Ready(PlayerReadyCall<'w>),
}

pub(super) type Table<'w> = [Option<Held<'w>>; PLACES];

/// The program's values that borrow nothing.
#[derive(Default)]
pub(super) struct Notes {
    at: usize,
    pub(super) receipt: Option<Receipt>,
    pub(super) pending: Vec<FrontendCall>,
}

impl Notes {
    fn message(&self) -> Option<&MessageRef> {
        self.receipt.as_ref().and_then(Receipt::message)
    }
}

impl Player {
    pub(crate) async fn play(&self, run: &mut Run<Self>, input: &Input<Self>) -> Result<(), Stop> {
        let mut notes = Notes::default();
        loop {
            self.borrowing(run, input, &mut notes).await?;
            if notes.at == self.ops.len() {
                return Ok(());
            }
            self.begin(notes.at);
            run.messages_snapshot([UserMessage::new("user", "Hi").into()]).await;
            notes.at += 1;
        }
    }

    fn next(&self, notes: &Notes) -> Option<Op> {
        self.ops.get(notes.at).copied()
    }

    /// Plays up to a call that borrows the run mutably.
    async fn borrowing(&self, run: &Run<Self>, input: &Input<Self>, notes: &mut Notes) -> Result<(), Stop> {
        let mut table: Table<'_> = [const { None }; PLACES];
        loop {
            match self.next(notes) {
                None => return self.end(run, &mut table, notes).await,
                Some(Op::Restate) => {
                    assert!(table.iter().all(Option::is_none), "the compiler would refuse it");
                    return Ok(());
                }
                Some(Op::Thought { of, .. }) => {
                    let Some(Held::Reasoning(think)) = table[of].take() else { panic!("no reasoning") };
                    self.thinking(run, input, &mut table, think, of, notes).await?;
                }
                Some(op) => {
                    self.begin(notes.at);
                    self.act(run, input, op, &mut table, notes).await?;
                    notes.at += 1;
                }
            }
        }
    }

    /// Plays while a message of the reasoning is open.
    async fn thinking<'w>(
        &self,
        run: &'w Run<Self>,
        input: &Input<Self>,
        table: &mut Table<'w>,
        think: Reasoning<'w>,
        place: usize,
        notes: &mut Notes,
    ) -> Result<(), Stop> {
        {
            let mut thoughts = [const { None::<ReasoningText<'_>> }; PLACES];
            while let Some(op) = self.next(notes) {
                self.begin(notes.at);
                match op {
                    Op::Thought { at, .. } => thoughts[at] = Some(think.message().await),
                    Op::Push(at) if thoughts[at].is_some() => match &mut thoughts[at] {
                        Some(thought) => thought.push("hm").await,
                        None => unreachable!(),
                    },
                    Op::End(at) if thoughts[at].is_some() => {
                        let ended = thoughts[at].take().map(ReasoningText::end);
                        notes.receipt = ended.map(Receipt::Thought);
                    }
                    Op::Drop(at) if thoughts[at].is_some() => thoughts[at] = None,
                    Op::Forget(at) if thoughts[at].is_some() => forget(thoughts[at].take()),
                    Op::EncryptOpen(at) if thoughts[at].is_some() => match &thoughts[at] {
                        Some(thought) => run.encrypted(thought, "secret").await,
                        None => unreachable!(),
                    },
                    op => self.act(run, input, op, table, notes).await?,
                }
                notes.at += 1;
                if thoughts.iter().all(Option::is_none) {
                    break;
                }
            }
            if thoughts.iter().any(Option::is_some) && self.ending != Ending::Ok {
                return self.end(run, table, notes).await;
            }
        }
        table[place] = Some(Held::Reasoning(think));
        Ok(())
    }

    async fn act<'w>(
        &self,
        run: &'w Run<Self>,
        input: &Input<Self>,
        op: Op,
        table: &mut Table<'w>,
        notes: &mut Notes,
    ) -> Result<(), Stop> {
        self.poll_leftover_tasks().await;
        match op {
            Op::Message(at) => table[at] = Some(Held::Message(run.message().await)),
            Op::Step(at) => table[at] = Some(Held::Step(run.step("s").await)),
            Op::Backend(at) => {
                let opening = run.tool::<look_up>();
                let call = match notes.message() {
                    Some(message) => opening.parent(message).await,
                    None => opening.await,
                };
                table[at] = Some(Held::Backend(call, Arguments::Nothing));
            }
            Op::Frontend(at) => {
                table[at] = Some(Held::Frontend(run.tool::<confirm>().await, Arguments::Nothing));
            }
            Op::CallBackend(at) => table[at] = Some(Held::Called(run.call(what()).await?)),
            Op::ResumeCall(at) => {
                let resumed = run.resume_call::<look_up>(input, &ToolCallId::from(OLD_CALL))?;
                table[at] = Some(Held::Called(resumed));
            }
            Op::Reasoning(at) => table[at] = Some(Held::Reasoning(run.reasoning().await)),
            Op::Activity(at) => table[at] = Some(Held::Activity(run.activity(Plan { at: 0 }).await?)),
            Op::Dynamic(policy, at) => table[at] = Some(Held::Dynamic(run.dynamic(policy))),
            Op::Passing(policy, at) => table[at] = Some(Held::Dynamic(run.dynamic(policy).pass_chunks())),
            Op::Named(name, at) => {
                let opening = run.open_call(match name {
                    Name::LookUp => "look_up",
                    Name::Confirm => "confirm",
                });
                let call = match notes.message() {
                    Some(message) => opening.parent(message).await?,
                    None => opening.await?,
                };
                table[at] = Some(Held::Named(call, Arguments::Nothing));
            }
            Op::NamedNothing => assert!(run.open_call("nothing").await.is_err()),
            Op::DispatchAll => {
                let ready = table.iter_mut().filter_map(|held| match held.take() {
                    Some(Held::Ready(call)) => Some(call),
                    other => {
                        *held = other;
                        None
                    }
                });
                let ready: Vec<_> = ready.collect();
                notes.pending.extend(run.dispatch(ready).await.pending);
            }
            Op::Tasks(at) => table[at] = Some(Held::Tasks(run.tasks())),
            Op::Say => notes.receipt = Some(Receipt::Message(run.say("said").await)),
            Op::Think => notes.receipt = Some(Receipt::Thought(run.think("thought").await)),
            Op::Custom => run.custom(Happened {}).await?,
            Op::Raw => run.raw("raw").await,
            Op::CallFrontend => {
                let call = run.call(confirm { total: 1 }).await?;
                notes.receipt = Some(Receipt::Call(call.receipt()));
                notes.pending.push(call.into());
            }
            Op::Encrypted => match &notes.receipt {
                Some(Receipt::Message(of)) => run.encrypted(of, "secret").await,
                Some(Receipt::Thought(of)) => run.encrypted(of, "secret").await,
                Some(Receipt::Call(of)) => run.encrypted(of, "secret").await,
                None => panic!("no receipt"),
            },
            Op::StateSnapshot => drop(run.state().snapshot(&Doc::from([("n".to_owned(), 7)])).await?),
            Op::StateUpdate => {
                let adopted = run.state().adopt(input)?;
                if let Some(state) = adopted {
                    state.update(|doc| *doc.entry("n".to_owned()).or_default() += 1).await?;
                }
            }
            Op::Delegate(child) => {
                let helper = Helper::given(child, notes.message().cloned());
                let delegate = run.delegate("child", &helper, []);
                let returned = match notes.message() {
                    Some(message) => delegate.parent(message).await,
                    None => delegate.await,
                };
                drop(returned);
                notes.receipt = helper.handed().or(notes.receipt.take());
            }
            Op::DelegateTwo => {
                let (says, leaks) = (Helper::new(Child::Says), Helper::new(Child::Leaks));
                let both = join!(run.delegate("one", &says, []), run.delegate("two", &leaks, []));
                drop(both);
            }
            Op::DelegateAndDrop => {
                // With room for one event it waits before it begins, and then before the child's first event.
                let leaks = Helper::new(Child::Leaks);
                let mut delegate = pin!(run.delegate("dropped", &leaks, []));
                let mut polls = 0;
                poll_fn(|cx| {
                    polls += 1;
                    match delegate.as_mut().poll(cx) {
                        Poll::Pending if polls < 2 => Poll::Pending,
                        _ => Poll::Ready(()),
                    }
                })
                .await;
            }
            Op::Drop(at) => table[at] = None,
            Op::Forget(at) => forget(table[at].take()),
            deed => self.deed(run, deed, table, notes).await?,
        }
        Ok(())
    }

    /// Polls each once, with the waker of the run.
    pub(super) async fn poll_leftover_tasks(&self) {
        poll_fn(|cx| {
            self.strays.lock().unwrap().retain_mut(|stray| stray.poll_unpin(cx).is_pending());
            Poll::Ready(())
        })
        .await;
    }

    /// Ends with all values still alive.
    async fn end(&self, run: &Run<Self>, table: &mut Table<'_>, notes: &mut Notes) -> Result<(), Stop> {
        self.begin(self.ops.len());
        match self.ending {
            Ending::Ok => Ok(()),
            Ending::Error => Err(Stop::error("no rice").with_code("RICE")),
            Ending::Panic => panic(),
            Ending::Await => Err(Stop::await_frontend(std::mem::take(&mut notes.pending))),
            Ending::Interrupt => {
                let called = table.iter_mut().find(|held| matches!(held, Some(Held::Called(_))));
                match called.and_then(Option::take) {
                    Some(Held::Called(call)) => Err(call.interrupt(question())),
                    _ => Err(Stop::interrupt(question())),
                }
            }
            Ending::Cancelled => Err(Stop::cancelled()),
            Ending::PanicInChild => run.delegate("child", Arc::new(Panicking), []).await,
        }
    }
}
