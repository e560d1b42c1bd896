//! A model that records another model's replies.

use std::fs::File;
use std::io::{self, Write as _};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use futures_util::{StreamExt, stream};

use super::cassette::{CassetteLine, RecordedError, parts};
use super::chat_model::{ChatModel, Model, ModelStream};
use super::delta::ReplyDelta;
use super::error::ModelError;
use super::output_spec::OutputSpec;
use super::prompt::{Prompt, ToolSpec};
use super::schema::{SchemaDialect, UnsupportedSchema};

/// A model that records another model's replies in a file, a cassette, which
/// [`ScriptedModel::cassette`](super::ScriptedModel::cassette) replays: a real conversation becomes a test that needs no key.
///
/// The file has one JSON line for each request: prompt parts as digests, deltas, and the failure, if there was one. A cassette
/// contains the model's replies, and the first characters in each prompt part.
///
/// ```
/// use agui_runtime::model::{Model, ModelRecorder, Reply, ScriptedModel};
/// use agui_runtime::prelude::*;
/// use agui_runtime::testing;
///
/// /// Talks with you.
/// #[agent]
/// async fn chatty(run: &mut Run<Chatty>, input: Input<Chatty>, model: &Model) -> Result<(), Stop> {
///     run.chat(model).await
/// }
///
/// # futures::executor::block_on(async {
/// # let path = std::env::temp_dir().join(format!("agui-cassette-{}.jsonl", std::process::id()));
/// let real = ScriptedModel::new([Reply::text("Hello!")]); // or `Model::from_env()?`
/// testing::run(Chatty::new(ModelRecorder::new(real, &path)?.into()), testing::input("Hi")).await;
///
/// let events = testing::run(Chatty::new(ScriptedModel::cassette(&path)?.into()), testing::input("Hi")).await;
/// assert_eq!(testing::texts(&events), ["Hello!"]);
/// # std::fs::remove_file(path)?;
/// # Ok::<(), std::io::Error>(())
/// # }).unwrap();
/// ```
#[derive(Debug)]
pub struct ModelRecorder {
    model: Model,
    file: Arc<Mutex<File>>,
}

impl ModelRecorder {
    /// Returns a model that replies as `model` does, and records into the file, which is truncated first.
    /// [`ScriptedModel::cassette`](super::ScriptedModel::cassette) replays the file.
    ///
    /// # Errors
    /// The file system's error, if the file cannot be written.
    pub fn new(model: impl Into<Model>, path: impl AsRef<Path>) -> io::Result<Self> {
        Ok(Self { model: model.into(), file: Arc::new(Mutex::new(File::create(path)?)) })
    }
}

impl ChatModel for ModelRecorder {
    fn provider(&self) -> &str {
        self.model.provider()
    }

    fn name(&self) -> &str {
        self.model.name()
    }

    fn dialect(&self) -> SchemaDialect {
        self.model.dialect()
    }

    fn check_tool(&self, tool: &ToolSpec) -> Result<(), UnsupportedSchema> {
        self.model.check_tool(tool)
    }

    fn takes_output(&self, output: &OutputSpec, tools: &[ToolSpec]) -> bool {
        self.model.takes_output(output, tools)
    }

    fn respond<'a>(&'a self, prompt: &'a Prompt) -> ModelStream<'a> {
        let line = CassetteLine { prompt: parts(prompt), deltas: Vec::new(), failure: None };
        let recording = ReplyRecording { line: Some(line), file: Arc::clone(&self.file) };
        let state = (self.model.respond(prompt), recording);
        stream::unfold(state, |(mut answer, mut recording)| async move {
            let next = answer.next().await;
            let next = match next {
                Some(next) => recording.add(next),
                None => Err(recording.write().err()?),
            };
            Some((next, (answer, recording)))
        })
        .boxed()
    }
}

/// The reply so far, written at its end, or at drop if the agent stops reading.
struct ReplyRecording {
    line: Option<CassetteLine>,
    file: Arc<Mutex<File>>,
}

impl ReplyRecording {
    fn add(&mut self, next: Result<ReplyDelta, ModelError>) -> Result<ReplyDelta, ModelError> {
        let Some(line) = &mut self.line else { return next };
        match &next {
            Ok(delta) => line.deltas.push(delta.clone()),
            Err(error) => line.failure = Some(RecordedError::from_error(error)),
        }
        // The loop reads no further.
        if matches!(next, Ok(ReplyDelta::End(_)) | Err(_)) {
            self.write()?;
        }
        next
    }

    fn write(&mut self) -> Result<(), ModelError> {
        let Some(line) = self.line.take() else { return Ok(()) };
        let mut text =
            serde_json::to_string(&line).map_err(|error| ModelError::Cassette(error.to_string()))?;
        text.push('\n');
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        file.write_all(text.as_bytes()).map_err(|error| ModelError::Cassette(error.to_string()))
    }
}

impl Drop for ReplyRecording {
    fn drop(&mut self) {
        if let Err(error) = self.write() {
            tracing::error!(%error, "an answer was not recorded");
        }
    }
}
