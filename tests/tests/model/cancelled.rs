//! A client that leaves: the answer of the model is dropped with the run, without another poll.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::task::{Context, Poll, Waker};

use agui_runtime::model::{ChatModel, Delta, Model, ModelStream, Prompt};
use agui_runtime::prelude::*;
use agui_runtime::protocol::Event;
use agui_runtime::{start, testing};
use futures::StreamExt as _;
use futures::stream;

/// Says a word, and then nothing more; counts the polls of its answer and the answers that are open.
#[derive(Default)]
struct Counts {
    polls: AtomicU32,
    open: AtomicU32,
}

struct Slow(Arc<Counts>);

struct Open(Arc<Counts>);

impl Drop for Open {
    fn drop(&mut self) {
        self.0.open.fetch_sub(1, Ordering::SeqCst);
    }
}

impl ChatModel for Slow {
    fn provider(&self) -> &str {
        "slow"
    }

    fn name(&self) -> &str {
        "slow"
    }

    fn respond<'a>(&'a self, _: &'a Prompt) -> ModelStream<'a> {
        self.0.open.fetch_add(1, Ordering::SeqCst);
        let open = Open(Arc::clone(&self.0));
        let silent = stream::poll_fn(move |_| {
            open.0.polls.fetch_add(1, Ordering::SeqCst);
            Poll::Pending
        });
        stream::iter([Ok(Delta::Text("Hm".to_owned()))]).chain(silent).boxed()
    }
}

/// Talks.
#[agent]
async fn talker(run: &mut Run<Talker>, _: Input<Talker>, model: &Model) -> Result<(), Stop> {
    run.chat(model).await
}

#[test]
fn a_client_that_leaves_drops_the_answer_at_once() {
    let counts = Arc::new(Counts::default());
    let agent = Arc::new(Talker::new(Slow(Arc::clone(&counts)).into()));
    let mut run = Box::pin(start(agent, testing::input("Hi"), testing::options()));
    let mut context = Context::from_waker(Waker::noop());
    let mut has_said = false;
    while let Poll::Ready(event) = run.poll_next_unpin(&mut context) {
        has_said |= matches!(event, Some(Event::TextMessageContent(_)));
    }
    let polls = counts.polls.load(Ordering::SeqCst);
    assert!(has_said && counts.open.load(Ordering::SeqCst) == 1 && polls > 0);
    drop(run);
    assert_eq!((counts.open.load(Ordering::SeqCst), counts.polls.load(Ordering::SeqCst)), (0, polls));
}
