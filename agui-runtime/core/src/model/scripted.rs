//! A model with prepared replies.

use std::collections::VecDeque;
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::{fmt, fs, io};

use futures_util::{StreamExt, stream};

use super::cassette::{CassetteLine, difference, parts};
use super::chat_model::{ChatModel, ModelStream};
use super::delta::{CallDelta, ReplyDelta};
use super::error::ModelError;
use super::output_spec::OutputSpec;
use super::prompt::{Prompt, ToolSpec};
use super::reply::Reply;
use crate::agent::tool::FINAL_RESULT;

/// A model with prepared replies: for tests, examples, and programs without a key.
///
/// [`new`](Self::new) gives one reply after the other; [`from_fn`](Self::from_fn) chooses by the prompt, and so serves any number
/// of runs. [`prompts`](Self::prompts) returns the received prompts.
///
/// ```
/// use agui_runtime::model::{Model, Reply, ScriptedModel};
/// use agui_runtime::prelude::*;
/// use agui_runtime::testing;
///
/// /// Looks up what an ingredient costs, in cents.
/// #[tool]
/// async fn price(name: String) -> u32 {
///     180
/// }
///
/// /// Tells prices.
/// #[agent(tools = [price])]
/// async fn clerk(run: &mut Run<Clerk>, input: Input<Clerk>, model: &Model) -> Result<(), Stop> {
///     run.chat(model).await
/// }
///
/// let script = [
///     Reply::call("price", price { name: "rice".to_owned() }), // the model calls the tool,
///     Reply::text("Rice is 1.80."),                            // and speaks when it has the result
/// ];
/// # let events = futures::executor::block_on(async {
/// let events = testing::run(Clerk::new(ScriptedModel::new(script).into()), testing::input("Rice?")).await;
/// # events });
/// assert_eq!(testing::texts(&events), ["Rice is 1.80."]);
/// ```
pub struct ScriptedModel {
    answer: Box<ReplyFn>,
    asked: Mutex<ScriptRequests>,
    kept: usize,
    piece: usize,
    native_output: bool,
}

/// The requests so far.
#[derive(Default)]
struct ScriptRequests {
    number: usize,
    /// The latest prompts.
    prompts: VecDeque<Prompt>,
}

type ReplyFn = dyn Fn(&Prompt, usize) -> Reply + Send + Sync;

impl ScriptedModel {
    /// Returns a model that gives one reply for each request. Later requests fail with [`ModelError::OutOfScript`].
    #[must_use]
    pub fn new(replies: impl Into<Vec<Reply>>) -> Self {
        let replies = replies.into();
        Self::answering(move |_, number| {
            let missing = || Reply::failure(move || ModelError::OutOfScript { number });
            replies.get(number - 1).cloned().unwrap_or_else(missing)
        })
    }

    /// Returns a model that chooses its reply by the prompt.
    ///
    /// ```
    /// use agui_runtime::model::{Reply, ScriptedModel};
    ///
    /// let model = ScriptedModel::from_fn(|prompt| match prompt.last_results() {
    ///     [answer, ..] => Reply::text(match answer.value::<u32>() {
    ///         Ok(cents) => format!("It is {cents}."),
    ///         Err(_) => answer.error().unwrap_or_default(),
    ///     }),
    ///     [] => Reply::call("price", serde_json::json!({ "name": "rice" })),
    /// });
    /// # drop(model);
    /// ```
    #[must_use]
    pub fn from_fn(answer: impl Fn(&Prompt) -> Reply + Send + Sync + 'static) -> Self {
        Self::answering(move |prompt, _| answer(prompt))
    }

    /// Returns a model that replays a cassette, one reply for each request. A prompt that differs from the recorded one fails with
    /// [`ModelError::OtherPrompt`], which names the first difference. [`ModelRecorder`](super::ModelRecorder) makes cassettes.
    ///
    /// # Errors
    /// The file system's error, or the kind `InvalidData` with the line number, if the file is not a cassette.
    pub fn cassette(path: impl AsRef<Path>) -> io::Result<Self> {
        let text = fs::read_to_string(path)?;
        let mut lines: Vec<CassetteLine> = Vec::new();
        for (line, number) in text.lines().zip(1_usize..).filter(|(line, _)| !line.trim().is_empty()) {
            let wrong = |error| {
                io::Error::new(
                    io::ErrorKind::InvalidData,
                    format!("line {number} is not a line of a cassette: {error}"),
                )
            };
            lines.push(serde_json::from_str(line).map_err(wrong)?);
        }
        let native_output = lines.iter().any(CassetteLine::has_native_output);
        let model = Self::answering(move |prompt, number| {
            let Some(line) = lines.get(number - 1) else {
                return Reply::failure(move || ModelError::OutOfScript { number });
            };
            if let Some(difference) = difference(&line.prompt, &parts(prompt)) {
                return Reply::failure(move || ModelError::OtherPrompt {
                    number,
                    difference: difference.clone(),
                });
            }
            let reply = Reply::deltas(line.deltas.clone());
            match line.failure.clone() {
                Some(failure) => reply.fails(move || failure.to_error()),
                None => reply,
            }
        });
        Ok(Self { native_output, ..model })
    }

    fn answering(answer: impl Fn(&Prompt, usize) -> Reply + Send + Sync + 'static) -> Self {
        let asked = Mutex::default();
        Self { answer: Box::new(answer), asked, kept: 64, piece: usize::MAX, native_output: false }
    }

    /// Takes outputs as providers with structured output do: [`Reply::output`] is then the reply's text, not a call. A cassette
    /// knows by itself which form was recorded.
    ///
    /// ```
    /// use agui_runtime::model::{Reply, ScriptedModel};
    ///
    /// let model = ScriptedModel::new([Reply::output(7)]).native_output();
    /// # drop(model);
    /// ```
    #[must_use]
    pub fn native_output(mut self) -> Self {
        self.native_output = true;
        self
    }

    /// Sets the piece length, in characters, for streamed texts and arguments. By default each is one piece. 0 counts as 1.
    #[must_use]
    pub fn pieces(mut self, characters: usize) -> Self {
        self.piece = characters.max(1);
        self
    }

    /// Sets the number of prompts kept for [`prompts`](Self::prompts). The default is 64, so memory is bounded in a program that
    /// runs on a script forever.
    #[must_use]
    pub fn keep_prompts(mut self, prompts: usize) -> Self {
        self.kept = prompts;
        self
    }

    /// Returns the received prompts, oldest first: the last 64, or as many as [`keep_prompts`](Self::keep_prompts) allows.
    #[must_use]
    pub fn prompts(&self) -> Vec<Prompt> {
        self.asked().prompts.iter().cloned().collect()
    }

    fn asked(&self) -> MutexGuard<'_, ScriptRequests> {
        // A prompt is pushed whole, so a panic elsewhere leaves none in parts.
        self.asked.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl ChatModel for ScriptedModel {
    fn provider(&self) -> &str {
        "scripted"
    }

    fn name(&self) -> &str {
        "script"
    }

    fn takes_output(&self, _: &OutputSpec, _: &[ToolSpec]) -> bool {
        self.native_output
    }

    fn respond<'a>(&'a self, prompt: &'a Prompt) -> ModelStream<'a> {
        let number = {
            let mut asked = self.asked();
            asked.number += 1;
            if self.kept > 0 {
                let kept = asked.prompts.len().saturating_sub(self.kept - 1);
                asked.prompts.drain(..kept);
                asked.prompts.push_back(prompt.clone());
            }
            asked.number
        };
        let Reply { deltas, failure } = (self.answer)(prompt, number);
        let is_native = prompt.output.is_some();
        let deltas = deltas.into_iter().map(|delta| if is_native { native(delta) } else { delta });
        let pieces = deltas.flat_map(|delta| split(delta, self.piece)).map(Ok);
        let last = failure.map(|failure| Err(failure()));
        stream::iter(pieces.chain(last).collect::<Vec<_>>()).boxed()
    }
}

impl fmt::Debug for ScriptedModel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ScriptedModel").field("asked", &self.asked().number).finish_non_exhaustive()
    }
}

/// Returns an output's call as the text that a provider with structured output sends.
fn native(delta: ReplyDelta) -> ReplyDelta {
    match delta {
        ReplyDelta::Call(call) if call.tool.as_deref() == Some(FINAL_RESULT) => {
            ReplyDelta::Text(call.arguments)
        }
        other => other,
    }
}

/// Splits a delta into pieces with this many characters.
fn split(delta: ReplyDelta, length: usize) -> Vec<ReplyDelta> {
    match delta {
        ReplyDelta::Text(text) => chunks(&text, length).map(ReplyDelta::Text).collect(),
        ReplyDelta::Reasoning(text) => chunks(&text, length).map(ReplyDelta::Reasoning).collect(),
        ReplyDelta::Call(call) if !call.arguments.is_empty() => {
            let index = call.index;
            let mut pieces = chunks(&call.arguments, length);
            let first = pieces.next().unwrap_or_default();
            let first = ReplyDelta::Call(CallDelta { arguments: first, ..call.clone() });
            let rest = pieces.map(|piece| ReplyDelta::Call(CallDelta::new(index).with_arguments(piece)));
            std::iter::once(first).chain(rest).collect()
        }
        other => vec![other],
    }
}

fn chunks(text: &str, length: usize) -> impl Iterator<Item = String> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let end = rest.char_indices().nth(length).map_or(rest.len(), |(at, _)| at);
        let (piece, later) = rest.split_at(end);
        rest = later;
        (!piece.is_empty()).then(|| piece.to_owned())
    })
}
