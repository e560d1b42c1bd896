//! All rules that a stream can break, one row each.

use std::fmt;

use super::OrderStrictness;

/// Makes [`OrderRule`] from the table. A row: the rule, its code, the least strict level with the rule, and the error sentence.
macro_rules! rules {
    ($($(#[$doc:meta])* $Rule:ident $code:literal $Level:ident $sentence:literal;)*) => {
        /// A rule that a stream can break. Its [`code`](Self::code) never changes.
        ///
        /// ```
        /// use agui_runtime::order::OrderRule;
        ///
        /// assert_eq!(OrderRule::RunActive.code(), "V_RUN_ACTIVE");
        /// assert_eq!(OrderRule::from_code("V_RUN_ACTIVE"), Some(OrderRule::RunActive));
        /// ```
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum OrderRule {
            $(
                $(#[$doc])*
                #[doc = concat!("\n\nCode `", $code, "`.")]
                $Rule,
            )*
        }

        impl OrderRule {
            /// Every rule, sorted by level.
            pub const ALL: &'static [Self] = &[$(Self::$Rule,)*];

            /// Returns the name for programs: `V_…` for the official client's rules, `SPEC_…` and `PRODUCER_…` for the others.
            ///
            /// ```
            /// use agui_runtime::order::OrderRule;
            ///
            /// assert_eq!(OrderRule::FirstEvent.code(), "V_FIRST_EVENT");
            /// ```
            #[must_use]
            pub const fn code(self) -> &'static str {
                match self { $(Self::$Rule => $code,)* }
            }

            /// Returns the least strict level that includes the rule.
            #[must_use]
            pub const fn strictness(self) -> OrderStrictness {
                match self { $(Self::$Rule => OrderStrictness::$Level,)* }
            }

            /// Returns a sentence for people about a stream that breaks the rule.
            #[must_use]
            pub const fn sentence(self) -> &'static str {
                match self { $(Self::$Rule => $sentence,)* }
            }
        }
    };
}

rules! {
    /// A stream opens with a run, or with a run's failure.
    FirstEvent "V_FIRST_EVENT" Client "a stream opens with RUN_STARTED, or with RUN_ERROR if it cannot start";
    /// After a failed run only another run may start.
    AfterError "V_AFTER_ERROR" Client "the run has failed; only another RUN_STARTED may follow";
    /// After a finished run only another run may start, or this run may still fail.
    AfterFinished "V_AFTER_FINISHED" Client "the run has finished; only RUN_ERROR or another RUN_STARTED may follow";
    /// Runs in one stream do not overlap.
    RunActive "V_RUN_ACTIVE" Client "a run is still going on, and runs do not overlap";

    /// An open text message is not opened again.
    TextDuplicateStart "V_TEXT_DUPLICATE_START" Client "a text message of this id is already open";
    /// Text belongs to an open message.
    TextContentNotOpen "V_TEXT_CONTENT_NOT_OPEN" Client "text before the start or after the end of its message";
    /// Only an open message ends.
    TextEndNotOpen "V_TEXT_END_NOT_OPEN" Client "no text message of this id is open, so none can end";

    /// An open call is not opened again.
    ToolDuplicateStart "V_TOOL_DUPLICATE_START" Client "a tool call of this id is already open";
    /// Arguments belong to an open call.
    ToolArgsNotOpen "V_TOOL_ARGS_NOT_OPEN" Client "arguments before the start or after the end of their call";
    /// Only an open call ends.
    ToolEndNotOpen "V_TOOL_END_NOT_OPEN" Client "no tool call of this id is open, so none can end";
    /// A call has the same owner as the message that carries the call.
    ToolParentOwner "V_TOOL_PARENT_OWNER" Client "a call must have the owner of the message that carries it";
    /// A call made again stays with its first owner.
    ToolReopenOwner "V_TOOL_REOPEN_OWNER" Client "the call already has an owner, and the message that carries it has a different one";

    /// An owner's open steps have different names.
    StepDuplicateStart "V_STEP_DUPLICATE_START" Client "a step of this name is already open";
    /// A step is finished by its owner.
    StepOtherOwner "V_STEP_OTHER_OWNER" Client "a step must be finished by the agent that started it";
    /// Only an open step finishes.
    StepFinishNotOpen "V_STEP_FINISH_NOT_OPEN" Client "no step of this name is open, so none can finish";

    /// An open reasoning span is not opened again.
    ReasoningSpanDuplicate "V_REASONING_SPAN_DUPLICATE" Client "a reasoning span of this id is already open";
    /// Only an open reasoning span ends.
    ReasoningSpanNotOpen "V_REASONING_SPAN_NOT_OPEN" Client "no reasoning span of this id is open, so none can end";
    /// An open reasoning message is not opened again.
    ReasoningMessageDuplicate "V_REASONING_MSG_DUPLICATE" Client "a reasoning message of this id is already open";
    /// Reasoning text belongs to an open reasoning message, and only an open one ends.
    ReasoningMessageNotOpen "V_REASONING_MSG_NOT_OPEN" Client "no reasoning message of this id is open";

    /// An active subagent is not announced again.
    SubagentActive "V_SUBAGENT_ACTIVE" Client "this invocation of a subagent is already active";
    /// Every subagent invocation has its own id.
    SubagentReused "V_SUBAGENT_REUSED" Client "this invocation of a subagent has ended; a new invocation needs a new id";
    /// A subagent is started by the parent agent or by another subagent in this run.
    SubagentParentUnknown "V_SUBAGENT_PARENT_UNKNOWN" Client "the invocation that started this subagent was never announced in this run";
    /// Only an active subagent ends.
    SubagentNotActive "V_SUBAGENT_NOT_ACTIVE" Client "no subagent of this id is active, so none can end";

    /// An event that continues a span names its owner.
    OwnerMismatch "V_OWNER_MISMATCH" Client "the event names a different owner than the span it continues";

    /// Steps finish before their run.
    FinishWithOpenSteps "V_FINISH_WITH_OPEN_STEPS" Client "the run finishes with open steps";
    /// Text messages end before their run finishes.
    FinishWithOpenText "V_FINISH_WITH_OPEN_TEXT" Client "the run finishes with open text messages";
    /// Reasoning messages end before their run finishes.
    FinishWithOpenReasoningMessages "V_FINISH_WITH_OPEN_REASONING_MESSAGES" Client "the run finishes with open reasoning messages";
    /// Reasoning spans end before their run finishes.
    FinishWithOpenReasoningSpans "V_FINISH_WITH_OPEN_REASONING_SPANS" Client "the run finishes with open reasoning spans";
    /// Tool calls end before their run finishes.
    FinishWithOpenTools "V_FINISH_WITH_OPEN_TOOLS" Client "the run finishes with open tool calls";
    /// Subagents end before their run finishes.
    FinishWithOpenSubagents "V_FINISH_WITH_OPEN_SUBAGENTS" Client "the run finishes with active subagents";

    /// A run finishes with the id from RUN_STARTED.
    RunIdMismatch "SPEC_RUN_ID_MISMATCH" Spec "the run finishes with a different run id than it started with";
    /// A run finishes on the thread from RUN_STARTED.
    ThreadIdMismatch "SPEC_THREAD_ID_MISMATCH" Spec "the run finishes on a different thread than it started on";
    /// All runs in a stream are on one thread.
    ThreadChanged "SPEC_THREAD_CHANGED" Spec "all runs of a stream are on one thread";
    /// Every run in a stream has its own id.
    RunIdReused "SPEC_RUN_ID_REUSED" Spec "the stream already had a run of this id";
    /// The first run is the requested one.
    NotTheRequest "SPEC_NOT_THE_REQUEST" Spec "the run does not carry the thread id and the run id of the input";
    /// A run's interrupts have different ids.
    DuplicateInterrupt "SPEC_DUPLICATE_INTERRUPT" Spec "two interrupts of a run have the same id";
    /// Every run ends.
    Truncated "SPEC_TRUNCATED" Spec "the stream stops without RUN_FINISHED or RUN_ERROR";

    /// A run declares the producer's protocol version.
    NoProtocolVersion "PRODUCER_NO_PROTOCOL_VERSION" Producer "RUN_STARTED must declare the `protocolVersion` of its producer";
    /// This level checks streams without chunks.
    ChunkNotExpanded "PRODUCER_CHUNK_NOT_EXPANDED" Producer "a chunk can be checked only after its expansion";
    /// A call's result follows the complete arguments.
    ResultBeforeEnd "PRODUCER_RESULT_BEFORE_END" Producer "TOOL_CALL_RESULT before TOOL_CALL_END";
    /// A call has one result.
    SecondResult "PRODUCER_SECOND_RESULT" Producer "the call already has a result";
    /// A result follows its call.
    ResultOfUnknownCall "PRODUCER_RESULT_OF_UNKNOWN_CALL" Producer "TOOL_CALL_RESULT of an unknown call";
    /// The user interface sends the results for frontend tools.
    ResultOfFrontendCall "PRODUCER_RESULT_OF_FRONTEND_CALL" Producer "the client answers a call of a frontend tool, in its next input";
    /// A call with a result is not made again.
    CallAfterResult "PRODUCER_CALL_AFTER_RESULT" Producer "the call already has a result and cannot be made again under the same id";
    /// A run that waits for a frontend tool is not interrupted but successful.
    InterruptOfFrontendCall "PRODUCER_INTERRUPT_OF_FRONTEND_CALL" Producer "a call of a frontend tool ends the run as success, never as an interrupt";
    /// `pendingToolCallIds` names the pending calls, in the order in which they were made.
    PendingCallsWrong "PRODUCER_PENDING_CALLS_WRONG" Producer "`pendingToolCallIds` is not the list of this run's unanswered calls, in call order";
    /// An activity change comes after the activity's snapshot.
    ActivityDeltaBeforeSnapshot "PRODUCER_ACTIVITY_DELTA_BEFORE_SNAPSHOT" Producer "ACTIVITY_DELTA before the ACTIVITY_SNAPSHOT it changes";
    /// The conversation is restated only while no message or call is open.
    SnapshotWhileOpen "PRODUCER_SNAPSHOT_WHILE_OPEN" Producer "MESSAGES_SNAPSHOT while messages or calls are open: a client loses those that it leaves out";
    /// Every message has its own id.
    MessageIdReused "PRODUCER_MESSAGE_ID_REUSED" Producer "a message of another kind has this id";
    /// A message or call is reopened with the members from its first opening.
    ReopenedDifferently "PRODUCER_REOPENED_DIFFERENTLY" Producer "it was opened before with a different role, name, tool or message, which cannot change";
    /// A subagent is announced before its first event.
    AnnouncedTooLate "PRODUCER_ANNOUNCED_TOO_LATE" Producer "an event of the subagent came before its SUBAGENT_STARTED";
}

impl OrderRule {
    /// Returns the [`OrderRule`] with the code `code`.
    #[must_use]
    pub fn from_code(code: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|rule| rule.code() == code)
    }
}

impl fmt::Display for OrderRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.code())
    }
}
