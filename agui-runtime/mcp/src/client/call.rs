//! Calls of a server's tools, with the input that a server needs from the user.

use std::pin::pin;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use futures_util::future::{Either, select};
use rmcp::model::{CallToolRequestParams, CallToolResult, ElicitResult, InputRequiredResult, InputResponses};
use rmcp::service::ServiceError;
use serde_json::Value;

use super::content::{self, McpToolError};
use super::input::held::{self, PATIENCE, declined};
use super::input::{self, InputCall, InputQuestions, MOST_ROUNDS, ResumedInput};
use super::reports::CallReports;
use super::running::{CallResponse, McpCalls, MidCallMessage, RunningCall};
use super::watched::CALL;
use super::{CallObserver, McpClient};
use crate::McpError;
use agui_runtime_core::__leaf::{DynToolEnd, DynToolRun, ToolInterrupt, write_date};
use agui_runtime_core::protocol::{Content, ContentPart, TextPart};

/// The number of times that a server may ask for the same call again without a question.
const MOST_REPEATS: u32 = 10;

/// Pause before such a call; doubled each time, up to the longest.
const PAUSE: Duration = Duration::from_millis(25);
const LONGEST_PAUSE: Duration = Duration::from_millis(500);

/// The metadata key by which a request asks for log messages.
const LOG_LEVEL: &str = "io.modelcontextprotocol/logLevel";

/// A call that a server answered, or whose server needs the user.
enum CallProgress {
    Ended(CallToolResult),
    Interrupted(Box<ToolInterrupt>),
}

/// The parts of a call's request.
struct CallRequest {
    tool: String,
    arguments: Value,
}

impl McpClient {
    /// Calls a server tool for a model.
    pub(super) async fn call(
        &self,
        tool: String,
        arguments: Value,
        run: DynToolRun,
        watch: Option<&CallObserver>,
    ) -> Result<DynToolEnd, McpToolError> {
        let DynToolRun { resume, call: id, emit, .. } = run;
        let resumed = match resume {
            None => None,
            Some(resume) => Some(ResumedInput::from_resume(&resume).ok_or_else(|| self.lost_input())?),
        };
        let request = CallRequest { tool, arguments };
        let mut notes = Vec::new();
        let call = self.proceed(&request, resumed.as_ref())?;
        let reports = Arc::clone(&call.reports);
        let followed = {
            let following = pin!(self.follow(&request, call, resumed.as_ref(), &mut notes));
            match select(following, pin!(reports.forward(&emit, &id))).await {
                Either::Left((followed, _)) => followed,
                Either::Right((never, _)) => match never {},
            }
        };
        reports.flush(&emit, &id).await;
        let result = match followed? {
            CallProgress::Interrupted(interrupt) => return Ok(DynToolEnd::Interrupt(interrupt)),
            CallProgress::Ended(result) => result,
        };
        if let Some(watch) = watch {
            watch(&request.arguments, &result).await;
        }
        Ok(DynToolEnd::Content(with_notes(content::of_result(result)?, &notes)))
    }

    /// Calls a server tool for a caller who cannot ask the user (MCP, section "Calling Tools").
    pub(crate) async fn call_raw(&self, tool: String, arguments: Value) -> Result<CallToolResult, McpError> {
        let mut call = self.start(&CallRequest { tool, arguments }, Arc::default(), None, None);
        let responding = async {
            loop {
                tokio::select! {
                    response = &mut call.result => return response,
                    Some(message) = call.messages.recv() => {
                        if let MidCallMessage::Request { params, respond } = message {
                            // A server that has left needs no response.
                            drop(respond.send(declined(&self.connection.server, *params, "an app made the call").0));
                        }
                    }
                }
            }
        };
        match self.within(responding).await? {
            CallResponse::Complete(result) => Ok(*result),
            CallResponse::InputRequired(_) | CallResponse::Addresses(_) => {
                Err(self.malformed("a request for input of the user"))
            }
            CallResponse::Task => Err(self.malformed("a task in place of a result")),
        }
    }

    /// Makes a call, or continues a call whose server needed the user.
    fn proceed(
        &self,
        request: &CallRequest,
        resumed: Option<&ResumedInput>,
    ) -> Result<RunningCall, McpToolError> {
        let start = |responses, state| {
            let reports = Arc::new(CallReports::new(self.shows_logs, self.chat));
            self.start(request, reports, responses, state)
        };
        Ok(match resumed {
            None => start(None, None),
            Some(ResumedInput { call: InputCall::Again(state), responses, .. }) => {
                start(Some(responses.clone()), state.clone())
            }
            Some(ResumedInput { call: InputCall::Anew, is_refused: true, .. }) => {
                return Err(McpToolError::Failed("the user did not open the address".to_owned()));
            }
            Some(ResumedInput { call: InputCall::Anew, .. }) => start(None, None),
            Some(ResumedInput { call: InputCall::Held(number), responses, .. }) => {
                let response = responses.values().next().cloned().unwrap_or_default();
                let response = serde_json::from_value::<ElicitResult>(response).ok();
                let call =
                    response.and_then(|response| held::resume(&self.connection.server, number, response));
                call.ok_or_else(|| self.lost_input())?
            }
        })
    }

    /// Follows a running call to its end, or to the next question.
    async fn follow(
        &self,
        request: &CallRequest,
        mut call: RunningCall,
        before: Option<&ResumedInput>,
        notes: &mut Vec<String>,
    ) -> Result<CallProgress, McpError> {
        let asks = |why: String| McpError::Asks { server: self.server(), what: why };
        let (mut repeats, mut rounds) = (0, before.map_or(0, |before| before.rounds));
        // One time limit for each request, whatever the server sends meanwhile.
        let mut limit = pin!(tokio::time::sleep(self.timeout));
        loop {
            let next = tokio::select! {
                biased;
                () = &mut limit => {
                    return Err(McpError::Timeout { server: self.server(), timeout: self.timeout });
                }
                Some(message) = call.messages.recv() => Err(message),
                response = &mut call.result => Ok(response?),
            };
            match next {
                Err(MidCallMessage::Declined(sentence)) => add_note(notes, sentence),
                Err(MidCallMessage::Request { params, respond }) => {
                    rounds += 1;
                    if rounds > MOST_ROUNDS {
                        return Err(asks(input::too_many_rounds()));
                    }
                    let number = McpCalls::number();
                    let raised = input::question((*params).clone()).and_then(|questions| {
                        let call = InputCall::Held(number.clone());
                        input::interrupt(&self.connection.server, &questions, call, before)
                    });
                    let (reason, respond) = match raised {
                        Err(why) => (format!("the server {why}"), respond),
                        Ok(mut interrupt) => match held::hold(&self.connection.server, number, call, respond)
                        {
                            Ok(()) => {
                                interrupt.expires_at =
                                    SystemTime::now().checked_add(PATIENCE).and_then(write_date);
                                return Ok(CallProgress::Interrupted(Box::new(interrupt)));
                            }
                            Err(back) => {
                                let (back, respond) = *back;
                                call = back;
                                ("too many calls wait for their users".to_owned(), respond)
                            }
                        },
                    };
                    let (response, sentence) = declined(&self.connection.server, *params, &reason);
                    drop(respond.send(response));
                    add_note(notes, sentence);
                }
                Ok(CallResponse::Addresses(questions)) => {
                    return self.interrupted(&questions, InputCall::Anew, before).map_err(asks);
                }
                Ok(CallResponse::Complete(result)) => {
                    // A message may have come just before the result.
                    while let Ok(MidCallMessage::Declined(sentence)) = call.messages.try_recv() {
                        add_note(notes, sentence);
                    }
                    return Ok(CallProgress::Ended(*result));
                }
                Ok(CallResponse::InputRequired(required)) => {
                    let InputRequiredResult { input_requests, request_state, .. } = required;
                    let questions = input::questions(input_requests.unwrap_or_default()).map_err(asks)?;
                    if !questions.is_empty() {
                        let again = InputCall::Again(request_state);
                        return self.interrupted(&questions, again, before).map_err(asks);
                    }
                    repeats += 1;
                    if repeats > MOST_REPEATS {
                        return Err(asks("asks for the same call again and again".to_owned()));
                    }
                    tokio::time::sleep(PAUSE.saturating_mul(1 << repeats).min(LONGEST_PAUSE)).await;
                    call = self.start(request, Arc::clone(&call.reports), None, request_state);
                    limit.set(tokio::time::sleep(self.timeout));
                }
                Ok(CallResponse::Task) => {
                    return Err(self.malformed("a task in place of a result"));
                }
            }
        }
    }

    fn interrupted(
        &self,
        questions: &InputQuestions,
        call: InputCall,
        before: Option<&ResumedInput>,
    ) -> Result<CallProgress, String> {
        let interrupt = input::interrupt(&self.connection.server, questions, call, before)?;
        Ok(CallProgress::Interrupted(Box::new(interrupt)))
    }

    /// Sends a call's request (MCP, section "Calling Tools"), with the wish for log messages (MCP 2026-07-28, section "Logging").
    fn start(
        &self,
        request: &CallRequest,
        reports: Arc<CallReports>,
        responses: Option<InputResponses>,
        state: Option<String>,
    ) -> RunningCall {
        let mut params = CallToolRequestParams::new(request.tool.clone());
        if let Value::Object(arguments) = &request.arguments {
            params = params.with_arguments(arguments.clone());
        }
        params.input_responses = responses;
        params.request_state = state;
        let mut meta = serde_json::Map::new();
        if reports.shows_logs() && self.is_newer() {
            meta.insert(LOG_LEVEL.to_owned(), "info".into());
        }
        let client = self.clone();
        self.connection.notifications.calls.begin(reports, |number| {
            meta.insert(CALL.to_owned(), number.into());
            params.meta = Some(meta.into());
            Box::pin(async move {
                let error = match client.connection.peer.call_tool_once(params).await {
                    Ok(response) => return Ok(response.into()),
                    Err(error) => error,
                };
                let addresses = match &error {
                    ServiceError::McpError(error) => input::addresses(error),
                    _ => None,
                };
                addresses.map(CallResponse::Addresses).ok_or_else(|| client.error(error))
            })
        })
    }

    /// The error for a call that cannot be continued.
    fn lost_input(&self) -> McpError {
        let what = "needed input in the middle of a call, and the call has ended: it may or may not have had an effect";
        McpError::Asks { server: self.server(), what: what.to_owned() }
    }
}

/// Adds a sentence for the model, unless the sentence is there. Each other sentence is about one of a few questions.
fn add_note(notes: &mut Vec<String>, sentence: String) {
    if !notes.contains(&sentence) {
        notes.push(sentence);
    }
}

/// Adds sentences for the model to a result.
fn with_notes(content: Content, notes: &[String]) -> Content {
    if notes.is_empty() {
        return content;
    }
    let notes = notes.join("\n");
    match content {
        Content::Text(text) => Content::Text(format!("{text}\n{notes}")),
        Content::Parts(mut parts) => {
            parts.push(ContentPart::from(TextPart::new(notes)));
            Content::Parts(parts)
        }
    }
}
