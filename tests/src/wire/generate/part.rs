//! Random parts of events and messages.

use agui_runtime::protocol::*;
use proptest::collection::vec;
use proptest::prelude::*;

use super::generators;
use super::json::{count, id, metadata, non_null, object, text, value};

generators! {
    fn text_part() -> TextPart (text: text()) { id: text(), metadata: non_null() }
    fn image() -> ImagePart (source: source()) { id: text(), metadata: non_null() }
    fn audio() -> AudioPart (source: source()) { id: text(), metadata: non_null() }
    fn video() -> VideoPart (source: source()) { id: text(), metadata: non_null() }
    fn document() -> DocumentPart (source: source()) { id: text(), metadata: non_null() }
    fn data() -> DataSource (value: text(), mime_type: text()) {}
    fn url() -> UrlSource (value: text()) { mime_type: text() }
    fn file() -> FileSource (value: text()) { provider: text(), mime_type: text() }

    /// Any question.
    pub fn interrupt() -> Interrupt (id: id::<InterruptId>(), reason: text()) {
        message: text(), tool_call_id: id(), response_schema: object(), expires_at: text(), metadata: metadata(),
        subagent_run_id: id(),
    }

    /// Any answer.
    pub fn resume_entry() -> ResumeEntry (interrupt_id: id::<InterruptId>(), status: one_of(ResumeStatus::ALL)) {
        payload: non_null(), metadata: metadata(),
    }

    /// Any entry of a usage list.
    pub fn usage() -> TokenUsage () {
        provider: text(), model: text(), input_tokens: count(), output_tokens: count(), total_tokens: count(),
        reasoning_tokens: count(), cached_input_tokens: count(), cache_write_input_tokens: count(),
    }

    fn success() -> RunFinishedSuccessOutcome () { pending_tool_call_ids: vec(id(), 0..3) }
    fn interrupted() -> RunFinishedInterruptOutcome (interrupts: interrupts()) {}
    fn subagent_suspended() -> SubagentFinishedSuspendedOutcome () { interrupt_ids: vec(id(), 0..3) }
}

/// Any member of a closed set.
pub(super) fn one_of<T: Copy + std::fmt::Debug + 'static>(set: &'static [T]) -> impl Strategy<Value = T> {
    proptest::sample::select(set)
}

fn source() -> impl Strategy<Value = PartSource> {
    prop_oneof![
        data().prop_map(PartSource::from),
        url().prop_map(PartSource::from),
        file().prop_map(PartSource::from),
    ]
}

/// Any content.
pub fn content() -> BoxedStrategy<Content> {
    let part = prop_oneof![
        text_part().prop_map(ContentPart::from),
        image().prop_map(ContentPart::from),
        audio().prop_map(ContentPart::from),
        video().prop_map(ContentPart::from),
        document().prop_map(ContentPart::from),
    ];
    prop_oneof![text().prop_map(Content::from), vec(part, 0..4).prop_map(Content::from)].boxed()
}

fn interrupts() -> impl Strategy<Value = InterruptList> {
    vec(interrupt(), 1..3).prop_map(|interrupts| InterruptList::try_from(interrupts).expect("at least one"))
}

/// Any end of a run without failure.
pub(super) fn outcome() -> impl Strategy<Value = RunFinishedOutcome> {
    prop_oneof![
        success().prop_map(RunFinishedOutcome::from),
        interrupted().prop_map(RunFinishedOutcome::from),
        Just(RunFinishedCancelledOutcome::new().into()),
    ]
}

/// Any end of an invocation without failure.
pub(super) fn subagent_outcome() -> impl Strategy<Value = SubagentFinishedOutcome> {
    prop_oneof![
        Just(SubagentFinishedSuccessOutcome::new().into()),
        subagent_suspended().prop_map(SubagentFinishedOutcome::from),
    ]
}

/// Any pointer.
pub fn pointer() -> BoxedStrategy<JsonPointer> {
    vec(text(), 0..4)
        .prop_map(|segments| {
            segments.iter().fold(JsonPointer::root(), |parent, segment| parent.child(segment))
        })
        .boxed()
}

/// Any patch, members that RFC 6902 does not define included.
pub fn patch() -> BoxedStrategy<JsonPatch> {
    let operation = (0..6, pointer(), pointer(), value()).prop_map(|(op, from, path, value)| match op {
        0 => PatchOperation::add(path, value),
        1 => PatchOperation::remove(path),
        2 => PatchOperation::replace(path, value),
        3 => PatchOperation::move_(from, path),
        4 => PatchOperation::copy(from, path),
        _ => PatchOperation::test(path, value),
    });
    let operation =
        (operation, proptest::option::weighted(0.2, undefined())).prop_map(|(mut operation, extra)| {
            *undefined_mut(&mut operation) = extra;
            operation
        });
    vec(operation, 0..4).prop_map(JsonPatch::from).boxed()
}

fn undefined() -> impl Strategy<Value = Box<JsonObject>> {
    vec((text().prop_map(|key| format!("x-{key}")), value()), 1..3)
        .prop_map(|members| Box::new(JsonObject::from_iter(members)))
}

fn undefined_mut(operation: &mut PatchOperation) -> &mut Option<Box<JsonObject>> {
    match operation {
        PatchOperation::Add(operation) => &mut operation.undefined,
        PatchOperation::Remove(operation) => &mut operation.undefined,
        PatchOperation::Replace(operation) => &mut operation.undefined,
        PatchOperation::Move(operation) => &mut operation.undefined,
        PatchOperation::Copy(operation) => &mut operation.undefined,
        PatchOperation::Test(operation) => &mut operation.undefined,
    }
}
