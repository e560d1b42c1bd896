//! The acts of a program with a guard.

use agui_runtime::{OpenToolCall, Run, Stop};

use super::children::Receipt;
use super::menu::Arguments;
use super::parts::{foreign, question, task};
use super::play::{Held, Notes, Table};
use super::player::Player;
use super::program::Op;

impl Player {
    pub(super) async fn deed<'w>(
        &self,
        run: &'w Run<Self>,
        op: Op,
        table: &mut Table<'w>,
        notes: &mut Notes,
    ) -> Result<(), Stop> {
        let (Op::Push(at)
        | Op::PushNonsense(at)
        | Op::End(at)
        | Op::Run(at)
        | Op::Fail(at)
        | Op::Ask(at)
        | Op::EncryptOpen(at)
        | Op::Feed(_, at)
        | Op::Task(_, at)
        | Op::LeaveTask(_, at)
        | Op::Join(at)
        | Op::Dispatch(at)) = op
        else {
            panic!("{op:?} is done without a guard")
        };
        let Some(held) = table[at].take() else { panic!("{op:?} has no guard") };
        table[at] = match (op, held) {
            (Op::Push(_), Held::Message(mut text)) => {
                text.push("word").await;
                Some(Held::Message(text))
            }
            (Op::Push(_), Held::Activity(mut plan)) => {
                plan.update(|plan| plan.at += 1).await?;
                Some(Held::Activity(plan))
            }
            (Op::Push(_), Held::Backend(mut call, known)) => {
                call.push(if known == Arguments::Nothing { r#"{"what":"it"}"# } else { " " }).await;
                Some(Held::Backend(call, known.push()))
            }
            (Op::Push(_), Held::Frontend(mut call, known)) => {
                call.push(if known == Arguments::Nothing { r#"{"total":1}"# } else { " " }).await;
                Some(Held::Frontend(call, known.push()))
            }
            (Op::Push(_), Held::Named(mut call, known)) => {
                let whole = if call.tool() == "look_up" { r#"{"what":"it"}"# } else { r#"{"total":1}"# };
                call.push(if known == Arguments::Nothing { whole } else { " " }).await;
                Some(Held::Named(call, known.push()))
            }
            (Op::PushNonsense(_), Held::Named(mut call, _)) => {
                call.push("}{").await;
                Some(Held::Named(call, Arguments::Nonsense))
            }
            (Op::End(_), Held::Named(call, known)) => {
                let ready = call.end().ok();
                assert_eq!(ready.is_some(), known == Arguments::Whole);
                ready.map(Held::Ready)
            }
            (Op::Dispatch(_), Held::Ready(call)) => {
                notes.pending.extend(run.dispatch(vec![call]).await.pending);
                None
            }
            (Op::PushNonsense(_), Held::Backend(mut call, _)) => {
                call.push("}{").await;
                Some(Held::Backend(call, Arguments::Nonsense))
            }
            (Op::PushNonsense(_), Held::Frontend(mut call, _)) => {
                call.push("}{").await;
                Some(Held::Frontend(call, Arguments::Nonsense))
            }
            (Op::End(_), Held::Message(text)) => {
                notes.receipt = Some(Receipt::Message(text.end()));
                None
            }
            (Op::End(_), Held::Step(step)) => {
                step.finish();
                None
            }
            (Op::End(_), Held::Reasoning(think)) => {
                think.end();
                None
            }
            (Op::End(_), Held::Backend(call, known)) => {
                let called = call.end().ok();
                assert_eq!(called.is_some(), known == Arguments::Whole);
                called.map(Held::Called)
            }
            (Op::End(_), Held::Frontend(call, known)) => {
                let pending = call.end().ok();
                assert_eq!(pending.is_some(), known == Arguments::Whole);
                if let Some(pending) = pending {
                    notes.receipt = Some(Receipt::Call(pending.receipt()));
                    notes.pending.push(pending.into());
                }
                None
            }
            (Op::Run(_), Held::Called(call)) => {
                assert_eq!(call.run().await, 2);
                None
            }
            (Op::Fail(_), Held::Called(call)) => {
                call.fail("no rice").await;
                None
            }
            (Op::Ask(_), Held::Called(call)) => {
                drop(call.interrupt(question()));
                None
            }
            (Op::EncryptOpen(_), Held::Message(text)) => {
                run.encrypted(&text, "secret").await;
                Some(Held::Message(text))
            }
            (Op::EncryptOpen(_), Held::Called(call)) => {
                run.encrypted(&call, "secret").await;
                Some(Held::Called(call))
            }
            (Op::Feed(event, _), Held::Dynamic(mut forwarding)) => {
                drop(forwarding.feed(foreign(event)).await);
                Some(Held::Dynamic(forwarding))
            }
            (Op::Task(body, _), Held::Tasks(mut tasks)) => {
                tasks.task(move |emit| task(emit, body)).await;
                Some(Held::Tasks(tasks))
            }
            (Op::LeaveTask(body, _), Held::Tasks(mut tasks)) => {
                let stray = Box::pin(tasks.task(move |emit| task(emit, body)));
                self.strays.lock().unwrap().push(stray);
                self.poll_leftover_tasks().await;
                Some(Held::Tasks(tasks))
            }
            (Op::Join(_), Held::Tasks(tasks)) => {
                // A task may end with any result.
                drop(tasks.join().await);
                None
            }
            _ => panic!("{op:?} is not done with that guard"),
        };
        Ok(())
    }
}
