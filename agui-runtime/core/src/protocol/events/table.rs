//! The event table. A new event takes a struct in its family's file and a row here.
//!
//! A row decides what becomes of the event everywhere:
//!
//! | column | content | readers |
//! |---|---|---|
//! | wire name, variant, struct | | [`Event`](super::event::Event), [`EventType`](super::event::EventType) |
//! | `since` | the first version with the event, which clients of earlier versions do not get | `forms::since` |
//! | `order` | family, effect, the member with the span id, the members with the other operands | `order`, `client` |
//! | `ids` | the members with ids, and the space to which each id belongs | `emit::dynamic` |
//! | `proto` | the member number in the envelope, the type's number, the reader: fast or careful | `wire::proto` |
//! | `chunks` | the chunked spans that end before the event | `receive::chunks` |
//! | `legacy` | the form for clients from before AG-UI 1.0 | `kernel::peer` |
//! | `dialect` | the form in the snake_case dialect | `dialect::snake_case` |
//! | `forwarded` | the form in which another stream's event is forwarded | `emit::dynamic` |
//! | `compacted` | the form in a compacted stream | `receive::compact` |
//! | `task` | the part of an A2A task that shows the event | `a2a::server` |
//!
//! [`treatment`](super::treatment) has the words of the last six columns, [`id_space`](super::id_space) those of `ids`.

/// Calls a macro with all rows.
macro_rules! event_table {
    ($consumer:ident) => { $consumer! {
        RUN_STARTED RunStarted(RunStartedEvent) since V1_0
            order(Run, StartRun with thread = thread_id, run = run_id, version = protocol_version, conversation = input)
            ids(thread_id: Thread, run_id: Run, parent_run_id: Run) proto(12 11 careful)
            chunks: All, legacy: Kept, dialect: Written, forwarded: OwnRun, compacted: Boundary, task: Status;
        RUN_FINISHED RunFinished(RunFinishedEvent) since V1_0
            order(Run, FinishRun with thread = thread_id, run = run_id, outcome = outcome)
            ids(thread_id: Thread, run_id: Run) proto(13 12 careful)
            chunks: All, legacy: Rewritten, dialect: Written, forwarded: OwnRun, compacted: Boundary, task: Status;
        RUN_ERROR RunError(RunErrorEvent) since V1_0
            order(Run, FailRun) ids() proto(14 13 careful)
            chunks: All, legacy: Kept, dialect: Written, forwarded: OwnRun, compacted: Boundary, task: Status;
        STEP_STARTED StepStarted(StepStartedEvent) since V1_0
            order(Run, Open(Step) by step_name) ids() proto(15 14 fast)
            chunks: Author, legacy: Kept, dialect: Lost, forwarded: Translated, compacted: Kept, task: Nothing;
        STEP_FINISHED StepFinished(StepFinishedEvent) since V1_0
            order(Run, Close(Step) by step_name) ids() proto(16 15 fast)
            chunks: Author, legacy: Kept, dialect: Lost, forwarded: Translated, compacted: Kept, task: Nothing;

        TEXT_MESSAGE_START TextMessageStart(TextMessageStartEvent) since V1_0
            order(Text, Open(Text) by message_id with role = role, name = name) ids(message_id: Text) proto(1 0 fast)
            chunks: Author, legacy: Kept, dialect: Written, forwarded: Translated, compacted: Merged, task: Text;
        TEXT_MESSAGE_CONTENT TextMessageContent(TextMessageContentEvent) since V1_0
            order(Text, Within(Text) by message_id) ids(message_id: Text) proto(2 1 fast)
            chunks: Author, legacy: Rewritten, dialect: Written, forwarded: Translated, compacted: Merged, task: Text;
        TEXT_MESSAGE_END TextMessageEnd(TextMessageEndEvent) since V1_0
            order(Text, Close(Text) by message_id) ids(message_id: Text) proto(3 2 fast)
            chunks: Author, legacy: Kept, dialect: Written, forwarded: Translated, compacted: Merged, task: Text;
        TEXT_MESSAGE_CHUNK TextMessageChunk(TextMessageChunkEvent) since V1_0
            order(Text, Chunk(Text) by message_id) ids(message_id: Text) proto(17 19 fast)
            chunks: Author, legacy: Rewritten, dialect: Expanded, forwarded: Expanded, compacted: Kept, task: Nothing;

        TOOL_CALL_START ToolCallStart(ToolCallStartEvent) since V1_0
            order(ToolCall, Open(ToolCall) by tool_call_id with parent = parent_message_id, tool = tool_call_name)
            ids(tool_call_id: ToolCall, parent_message_id: Text) proto(4 3 fast)
            chunks: Author, legacy: Kept, dialect: Written, forwarded: Translated, compacted: Merged, task: Nothing;
        TOOL_CALL_ARGS ToolCallArgs(ToolCallArgsEvent) since V1_0
            order(ToolCall, Within(ToolCall) by tool_call_id) ids(tool_call_id: ToolCall) proto(5 4 fast)
            chunks: Author, legacy: Kept, dialect: Written, forwarded: Translated, compacted: Merged, task: Nothing;
        TOOL_CALL_END ToolCallEnd(ToolCallEndEvent) since V1_0
            order(ToolCall, Close(ToolCall) by tool_call_id) ids(tool_call_id: ToolCall) proto(6 5 fast)
            chunks: Author, legacy: Kept, dialect: Written, forwarded: Translated, compacted: Merged, task: Nothing;
        TOOL_CALL_CHUNK ToolCallChunk(ToolCallChunkEvent) since V1_0
            order(ToolCall, Chunk(ToolCall) by tool_call_id with tool = tool_call_name)
            ids(tool_call_id: ToolCall, parent_message_id: Text) proto(18 20 fast)
            chunks: Author, legacy: Kept, dialect: Expanded, forwarded: Expanded, compacted: Kept, task: Nothing;
        TOOL_CALL_RESULT ToolCallResult(ToolCallResultEvent) since V1_0
            order(ToolCall, Settle(ToolCall) by tool_call_id with message = message_id)
            ids(tool_call_id: ToolCall, message_id: ToolResult) proto(22 21 fast)
            chunks: Author, legacy: Rewritten, dialect: Written, forwarded: Translated, compacted: Kept, task: Nothing;

        STATE_SNAPSHOT StateSnapshot(StateSnapshotEvent) since V1_0
            order(State, Free) ids() proto(7 6 fast)
            chunks: Author, legacy: Kept, dialect: Lost, forwarded: State, compacted: State, task: State;
        STATE_DELTA StateDelta(StateDeltaEvent) since V1_0
            order(State, Free) ids() proto(8 7 fast)
            chunks: Author, legacy: Kept, dialect: Lost, forwarded: State, compacted: State, task: State;
        MESSAGES_SNAPSHOT MessagesSnapshot(MessagesSnapshotEvent) since V1_0
            order(State, Restate with conversation = messages) ids() proto(9 8 careful)
            chunks: All, legacy: Rewritten, dialect: Lost, forwarded: OwnConversation, compacted: Kept, task: Texts;

        ACTIVITY_SNAPSHOT ActivitySnapshot(ActivitySnapshotEvent) since V1_0
            order(Activity, Create(Activity) by message_id with replace = replace)
            ids(message_id: Activity) proto(23 22 fast)
            chunks: Nothing, legacy: Kept, dialect: Lost, forwarded: Translated, compacted: Kept, task: Activity;
        ACTIVITY_DELTA ActivityDelta(ActivityDeltaEvent) since V1_0
            order(Activity, After(Activity) by message_id) ids(message_id: Activity) proto(24 23 fast)
            chunks: Nothing, legacy: Kept, dialect: Lost, forwarded: Translated, compacted: Kept, task: Activity;

        REASONING_START ReasoningStart(ReasoningStartEvent) since V1_0
            order(Reasoning, Open(ReasoningSpan) by message_id) ids(message_id: ReasoningSpan) proto(25 24 fast)
            chunks: Author, legacy: Kept, dialect: Written, forwarded: Translated, compacted: Kept, task: Nothing;
        REASONING_MESSAGE_START ReasoningMessageStart(ReasoningMessageStartEvent) since V1_0
            order(Reasoning, Open(ReasoningMessage) by message_id) ids(message_id: ReasoningMessage) proto(26 25 fast)
            chunks: Author, legacy: Kept, dialect: Written, forwarded: Translated, compacted: Kept, task: Nothing;
        REASONING_MESSAGE_CONTENT ReasoningMessageContent(ReasoningMessageContentEvent) since V1_0
            order(Reasoning, Within(ReasoningMessage) by message_id) ids(message_id: ReasoningMessage) proto(27 26 fast)
            chunks: Author, legacy: Rewritten, dialect: Written, forwarded: Translated, compacted: Kept, task: Nothing;
        REASONING_MESSAGE_END ReasoningMessageEnd(ReasoningMessageEndEvent) since V1_0
            order(Reasoning, Close(ReasoningMessage) by message_id) ids(message_id: ReasoningMessage) proto(28 27 fast)
            chunks: Author, legacy: Kept, dialect: Written, forwarded: Translated, compacted: Kept, task: Nothing;
        REASONING_MESSAGE_CHUNK ReasoningMessageChunk(ReasoningMessageChunkEvent) since V1_0
            order(Reasoning, Chunk(ReasoningMessage) by message_id) ids(message_id: ReasoningMessage) proto(29 28 fast)
            chunks: Author, legacy: Rewritten, dialect: Expanded, forwarded: Expanded, compacted: Kept, task: Nothing;
        REASONING_END ReasoningEnd(ReasoningEndEvent) since V1_0
            order(Reasoning, Close(ReasoningSpan) by message_id) ids(message_id: ReasoningSpan) proto(30 29 fast)
            chunks: Author, legacy: Kept, dialect: Written, forwarded: Translated, compacted: Kept, task: Nothing;
        REASONING_ENCRYPTED_VALUE ReasoningEncryptedValue(ReasoningEncryptedValueEvent) since V1_0
            order(Reasoning, Attach by entity_id with attached_to = subtype) ids(entity_id: Entity) proto(31 30 fast)
            chunks: Nothing, legacy: Kept, dialect: Lost, forwarded: Translated, compacted: Kept, task: Nothing;

        SUBAGENT_STARTED SubagentStarted(SubagentStartedEvent) since V1_0
            order(Subagent, Open(Subagent) by subagent_run_id with parent = parent_subagent_run_id)
            ids(subagent_run_id: Subagent, parent_subagent_run_id: Subagent, parent_tool_call_id: ToolCall,
                parent_message_id: Text) proto(19 16 fast)
            chunks: Nothing, legacy: Dropped, dialect: Lost, forwarded: Translated, compacted: Kept, task: Nothing;
        SUBAGENT_FINISHED SubagentFinished(SubagentFinishedEvent) since V1_0
            order(Subagent, Close(Subagent) by subagent_run_id) ids(subagent_run_id: Subagent) proto(20 17 careful)
            chunks: Author, legacy: Dropped, dialect: Lost, forwarded: Translated, compacted: Kept, task: Nothing;
        SUBAGENT_ERROR SubagentError(SubagentErrorEvent) since V1_0
            order(Subagent, Close(Subagent) by subagent_run_id) ids(subagent_run_id: Subagent) proto(21 18 fast)
            chunks: Author, legacy: Dropped, dialect: Lost, forwarded: Translated, compacted: Kept, task: Nothing;

        RAW Raw(RawEvent) since V1_0
            order(Passthrough, Free) ids() proto(10 9 fast)
            chunks: Nothing, legacy: Kept, dialect: Lost, forwarded: Unchanged, compacted: Kept, task: Nothing;
        CUSTOM Custom(CustomEvent) since V1_0
            order(Passthrough, Free) ids() proto(11 10 fast)
            chunks: Author, legacy: Kept, dialect: Named, forwarded: Unchanged, compacted: Kept, task: Nothing;
    } };
}

pub(crate) use event_table;
