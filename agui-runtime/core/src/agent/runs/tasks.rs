//! Run parts on other threads.

use std::fmt;
use std::future::Future;
use std::panic::AssertUnwindSafe;

use futures_channel::oneshot;
use futures_util::future::{AbortHandle, Abortable};
use futures_util::stream::FuturesUnordered;
use futures_util::{FutureExt, StreamExt};

use crate::agent::Stop;
use crate::emit::{Emit, SpanGuard};
use crate::kernel::SpanSlot;

impl Emit {
    /// Opens a scope for tasks: run parts that an executor or a separate thread polls.
    ///
    /// A run part that only waits needs no task: `join!`, `try_join!` and `FuturesUnordered` run any number of futures at once,
    /// and the compiler knows that all end before the run does. A task cannot borrow the run, so the runtime enforces the rule for
    /// tasks: writes after [`RunTasks`] is dropped are discarded.
    ///
    /// ```
    /// # use agui_runtime::{Emit, Stop};
    /// # async fn example(run: &Emit) -> Result<(), Stop> {
    /// let mut tasks = run.tasks();
    /// for city in ["Bonn", "Ulm"] {
    ///     let task = tasks.task(async move |emit: Emit| {
    ///         emit.say(format!("Looking at {city}.")).await;
    ///         Ok(())
    ///     });
    ///     tokio::spawn(task);
    /// }
    /// tasks.join().await?;
    /// # Ok(())
    /// # }
    /// ```
    pub fn tasks(&self) -> RunTasks<'_> {
        let slot = self.act(|kernel, author| kernel.open_scope(author, None));
        RunTasks { aborts: Vec::new(), ends: FuturesUnordered::new(), scope: SpanGuard::new(self, slot) }
    }
}

/// A run's tasks; see [`Emit::tasks`].
///
/// ```
/// # use agui_runtime::{Emit, Stop};
/// # async fn example(run: &Emit) -> Result<(), Stop> {
/// let mut tasks = run.tasks();
/// tokio::spawn(tasks.task(async |emit: Emit| {
///     emit.say("Looking outside.").await;
///     Ok(())
/// }));
/// tasks.join().await?;
/// # Ok(())
/// # }
/// ```
///
/// Borrows the run, so the run cannot finish before the tasks are joined or dropped. Dropping this aborts the tasks: each is
/// dropped when its executor next polls, and writes until then are discarded. Open spans are closed.
///
/// ```compile_fail,E0502
/// # use agui_runtime::{Agent, FinishedRun, Run};
/// # async fn example<A: Agent>(run: &mut Run<A>) -> FinishedRun<'_, u32> {
/// let tasks = run.tasks();
/// let done = run.finish(1);
/// drop(tasks);
/// done
/// # }
/// ```
#[must_use = "tasks are aborted when this is dropped: `tasks.join().await?` waits for them"]
pub struct RunTasks<'w> {
    aborts: Vec<AbortHandle>,
    ends: FuturesUnordered<oneshot::Receiver<Result<(), Stop>>>,
    scope: SpanGuard<'w>,
}

impl RunTasks<'_> {
    /// Creates a future for a run part that borrows nothing, for an executor that you choose, on any thread. Polling the future
    /// runs the task.
    ///
    /// The task writes through its [`Emit`], as the author that opened the tasks, and waits for queue space as the run itself
    /// does. The task's open spans are closed when the task ends. [`join`](Self::join) returns a caught panic.
    ///
    /// ```
    /// # use agui_runtime::{Emit, Stop};
    /// # async fn example(run: &Emit) -> Result<(), Stop> {
    /// let mut tasks = run.tasks();
    /// let task = tasks.task(async move |emit: Emit| {
    ///     let mut text = emit.message().await;
    ///     text.push("From afar.").await;
    ///     Ok(())
    /// });
    /// let executor = tokio::runtime::Builder::new_current_thread().build()?;
    /// std::thread::spawn(move || executor.block_on(task));
    /// tasks.join().await
    /// # }
    /// ```
    pub fn task<F, R>(&mut self, part: F) -> impl Future<Output = ()> + Send + 'static + use<F, R>
    where
        F: FnOnce(Emit) -> R + Send + 'static,
        R: Future<Output = Result<(), Stop>> + Send + 'static,
    {
        let place = TaskScope::inside(self.scope.emit(), self.scope.slot());
        let (ended, end) = oneshot::channel();
        let (abort, registration) = AbortHandle::new_pair();
        self.ends.push(end);
        self.aborts.push(abort);
        let task = async move {
            let result = AssertUnwindSafe(run_part(part, place)).catch_unwind().await;
            // The receiver is gone if the tasks were dropped; then the result is not needed.
            drop(ended.send(result.unwrap_or_else(|panic| Err(Stop::from_panic(panic)))));
        };
        Abortable::new(task, registration).map(drop)
    }

    /// Runs a run part as a task on the current tokio runtime; see [`task`](Self::task).
    ///
    /// Without a runtime the task cannot run: then [`join`](Self::join) fails with code `no_runtime`.
    #[cfg(feature = "server")]
    pub fn spawn<F, R>(&mut self, part: F)
    where
        F: FnOnce(Emit) -> R + Send + 'static,
        R: Future<Output = Result<(), Stop>> + Send + 'static,
    {
        match tokio::runtime::Handle::try_current() {
            // The task reports its end by its own channel, and its own handle aborts it.
            Ok(runtime) => drop(runtime.spawn(self.task(part))),
            Err(error) => {
                let (ended, end) = oneshot::channel();
                self.ends.push(end);
                let stop = Stop::error("there is no tokio runtime for the tasks of the run");
                drop(ended.send(Err(stop.with_code("no_runtime").with_source(error))));
            }
        }
    }

    /// Waits until all tasks have ended.
    ///
    /// # Errors
    /// The first [`Stop`] that a task returns. A panic gives code `panic`, and a task dropped before its end gives code
    /// `task_dropped`. The remaining tasks are then aborted.
    pub async fn join(mut self) -> Result<(), Stop> {
        while let Some(end) = self.ends.next().await {
            end.unwrap_or_else(|_| {
                Err(Stop::error("a task was dropped before it ended").with_code("task_dropped"))
            })?;
        }
        Ok(())
    }
}

impl Drop for RunTasks<'_> {
    fn drop(&mut self) {
        for task in &self.aborts {
            task.abort();
        }
    }
}

impl fmt::Debug for RunTasks<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tasks").field("running", &self.ends.len()).finish_non_exhaustive()
    }
}

async fn run_part<F, R>(part: F, place: TaskScope) -> Result<(), Stop>
where
    F: FnOnce(Emit) -> R,
    R: Future<Output = Result<(), Stop>>,
{
    part(place.0.share()).await
}

/// One task's scope: dropping closes the task's open spans, and later writes are discarded.
struct TaskScope(Emit);

impl TaskScope {
    fn inside(emit: &Emit, tasks: SpanSlot) -> Self {
        Self(emit.for_author(emit.hub().act(|kernel| kernel.open_scope(tasks, None))))
    }
}

impl Drop for TaskScope {
    fn drop(&mut self) {
        self.0.act(|kernel, place| kernel.close(place, None));
    }
}
