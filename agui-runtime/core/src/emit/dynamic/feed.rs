//! The write that forwards one event from another stream.

use super::super::{Emit, RunWrite};
use super::alias::IdAliases;
use super::as_chunk::as_chunk;
use super::items::ForeignSpans;
use super::mend::mend;
use super::{DynamicError, Policy, admission, state};
use crate::kernel::{RunKernel, SpanSlot, WriteFields};
use crate::order::OrderVerifier;
use crate::protocol::{Event, PROTOCOL_VERSION, RunAgentInput, RunStartedEvent};
use crate::quoted::quoted;
use crate::receive::chunks::{ChunkExpander, ChunkedSpan, EndedSpans, ForwardedEvents, SpanAuthor, is_chunk};

/// Repairs tried on one event before it is dropped. Each repair satisfies one rule, and no event breaks more.
const MENDINGS: usize = 6;

/// The foreign stream so far.
#[derive(Debug)]
pub(super) struct ForeignStream {
    policy: Policy,
    passing: bool,
    chunks: ChunkExpander,
    verifier: OrderVerifier,
    aliases: IdAliases,
    items: ForeignSpans,
}

impl ForeignStream {
    pub(super) fn new(policy: Policy, scope: SpanSlot, input: &RunAgentInput) -> Self {
        let mut verifier = OrderVerifier::producer().for_input(input);
        let started = RunStartedEvent::new(input.thread_id.clone(), input.run_id.clone())
            .with_protocol_version(PROTOCOL_VERSION);
        if let Err(error) = verifier.check(&started.into()) {
            tracing::error!(error = %quoted(error), "a run cannot start");
        }
        Self {
            policy,
            passing: false,
            chunks: ChunkExpander::forwarding(policy == Policy::Repair),
            verifier,
            aliases: IdAliases::default(),
            items: ForeignSpans::new(scope, input),
        }
    }

    pub(super) fn policy(&self) -> Policy {
        self.policy
    }

    pub(super) fn pass_chunks(&mut self) {
        self.passing = true;
    }

    /// Adds the reason for each dropped event to `left_out`.
    fn feed(
        &mut self,
        kernel: &mut RunKernel,
        event: Event,
        left_out: &mut Vec<DynamicError>,
    ) -> Result<(), DynamicError> {
        if let Err(error) = admission::check(kernel, &event) {
            return self.refuse(error, left_out);
        }
        let event = match self.in_one_form(event) {
            Ok(event) => event,
            Err(error) => return self.refuse(error, left_out),
        };
        let passed = (self.passing && is_chunk(&event)).then(|| event.clone());
        let ForwardedEvents { mut events, chunk, ended } = match self.chunks.forward(event) {
            Ok(forwarded) => forwarded,
            Err(error) => return self.refuse(error.into(), left_out),
        };
        let passing = self.passing && chunk.as_ref().is_some_and(|(author, _)| self.may_pass(kernel, author));
        let before = kernel.queue.len();
        let fed = events.try_for_each(|event| self.take_in(kernel, event, passing, MENDINGS, left_out));
        if let Some(ended) = ended {
            self.keep_open(kernel, ended, before, left_out);
        }
        fed?;
        if let (true, Some(chunk), Some((_, head))) = (passing, passed, chunk) {
            self.items.pass(kernel, chunk, &head, &self.aliases);
        }
        Ok(())
    }

    fn may_pass(&mut self, kernel: &mut RunKernel, foreign: &SpanAuthor) -> bool {
        let author = self.items.author(kernel, foreign.as_ref());
        kernel.may_pass_chunks(author)
    }

    /// The client ends a chunked span at certain events. If such an event was dropped, the span continues.
    fn keep_open(
        &mut self,
        kernel: &mut RunKernel,
        (foreign, head): (SpanAuthor, ChunkedSpan),
        before: usize,
        left_out: &mut Vec<DynamicError>,
    ) {
        let author = self.items.author(kernel, foreign.as_ref());
        let tag = kernel.tag_of(author);
        let mut read = kernel.queue.iter().skip(before).map(EndedSpans::before);
        let is_passed = self.items.is_passed(&head, &self.aliases);
        if is_passed
            && kernel.accepts(author)
            && !read.any(|ends| [EndedSpans::All, EndedSpans::Of(tag.as_ref())].contains(&ends))
        {
            let start = self.chunks.reopen(foreign, head);
            if let Err(error) = self.take_in(kernel, start, true, MENDINGS, left_out) {
                left_out.push(error);
            }
        }
    }

    /// Turns an event for a chunked span into a chunk: the client has no open span for another form.
    fn in_one_form(&self, event: Event) -> Result<Event, DynamicError> {
        let Some(id) = self.items.passed(&event, &self.aliases) else { return Ok(event) };
        let (event_type, id) = (event.event_type(), id.to_owned());
        match self.policy {
            Policy::Repair => as_chunk(event),
            Policy::Strict => None,
        }
        .ok_or(DynamicError::Mixed { event_type, id })
    }

    fn take_in(
        &mut self,
        kernel: &mut RunKernel,
        mut event: Event,
        passing: bool,
        mendings: usize,
        left_out: &mut Vec<DynamicError>,
    ) -> Result<(), DynamicError> {
        self.aliases.rewrite(&mut event);
        let Err(error) = self.verifier.check(&event) else {
            return match self.items.say(kernel, event, passing) {
                Ok(()) => Ok(()),
                Err(error) => self.refuse(error, left_out),
            };
        };
        let mended = match self.policy {
            Policy::Repair if mendings > 0 => mend(event, &error, &mut self.aliases),
            _ => None,
        };
        let Some(events) = mended else { return self.refuse(error.into(), left_out) };
        for event in events {
            self.take_in(kernel, event, passing, mendings - 1, left_out)?;
        }
        Ok(())
    }

    fn refuse(&self, error: DynamicError, left_out: &mut Vec<DynamicError>) -> Result<(), DynamicError> {
        match self.policy {
            Policy::Strict => Err(error),
            Policy::Repair => {
                left_out.push(error);
                Ok(())
            }
        }
    }
}

/// The write behind [`Dynamic::feed`](crate::Dynamic::feed).
#[derive(Debug)]
pub struct FeedEvent<'d> {
    stream: &'d mut ForeignStream,
    event: Event,
}

impl<'d> FeedEvent<'d> {
    pub(super) fn new(stream: &'d mut ForeignStream, event: Event) -> Self {
        Self { stream, event }
    }
}

impl RunWrite<'_> for FeedEvent<'_> {
    type Output = Result<(), DynamicError>;

    fn act(self, emit: &Emit, fields: WriteFields) -> Result<(), DynamicError> {
        let Self { stream, mut event } = self;
        if let Some(fields) = fields {
            fields.write(&mut event);
        }
        let mut left_out = Vec::new();
        let fed = emit.act(|kernel, _| {
            state::learn(kernel, &event, emit.shared());
            stream.feed(kernel, event, &mut left_out)
        });
        for reason in left_out {
            tracing::debug!(reason = %quoted(reason), "left out of a forwarded stream");
        }
        fed
    }
}
