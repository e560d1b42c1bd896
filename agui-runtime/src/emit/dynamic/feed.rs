use super::super::kernel::Kernel;
use super::super::span::Slot;
use super::super::{Act, Emit, Fields};
use super::alias::Aliases;
use super::book::Book;
use super::lanes::{Chunk, Closed, Lanes, closed_by};
use super::mend::mend;
use super::piece::as_chunk;
use super::{ChunkError, DynamicError, Policy, admission};
use crate::order::Verifier;
use crate::protocol::{Event, PROTOCOL_VERSION, RunAgentInput, RunStartedEvent};
use crate::quoted::quoted;

/// How often an event is mended before it is left out. Each mending settles one rule, and no event breaks more.
const MENDINGS: usize = 6;

/// The foreign stream so far.
#[derive(Debug)]
pub(super) struct Stream {
    policy: Policy,
    passing: bool,
    lanes: Lanes,
    verifier: Verifier,
    aliases: Aliases,
    book: Book,
}

impl Stream {
    pub(super) fn new(policy: Policy, scope: Slot, input: &RunAgentInput) -> Self {
        let mut verifier = Verifier::producer().answering(input);
        let started = RunStartedEvent::new(input.thread_id.clone(), input.run_id.clone())
            .with_protocol_version(PROTOCOL_VERSION);
        if let Err(error) = verifier.check(&started.into()) {
            tracing::error!(error = %quoted(error), "a run cannot start");
        }
        Self {
            policy,
            passing: false,
            lanes: Lanes::default(),
            verifier,
            aliases: Aliases::default(),
            book: Book::new(scope, input),
        }
    }

    pub(super) fn policy(&self) -> Policy {
        self.policy
    }

    pub(super) fn pass_chunks(&mut self) {
        self.passing = true;
    }

    /// What is left out is told to `left_out`.
    fn feed(
        &mut self,
        kernel: &mut Kernel,
        event: Event,
        left_out: &mut Vec<DynamicError>,
    ) -> Result<(), DynamicError> {
        if let Err(error) = admission::check(kernel, &event) {
            return self.refuse(error, left_out);
        }
        let event = match self.in_one_form(event) {
            Ok(event) => event,
            Err(error) => return self.refuse(error.into(), left_out),
        };
        let expanded = match self.lanes.expand(event, self.policy) {
            Ok(expanded) => expanded,
            Err(error) => return self.refuse(error.into(), left_out),
        };
        let passing = self.passing && self.may_pass(kernel, expanded.chunk.as_ref());
        let said = kernel.queue.len();
        let mut events = expanded.events.into_iter();
        let fed = events.try_for_each(|event| self.take_in(kernel, event, passing, MENDINGS, left_out));
        if let Some(closed) = expanded.closed {
            self.keep_open(kernel, closed, said, left_out);
        }
        fed?;
        if let (true, Some(chunk)) = (passing, expanded.chunk) {
            self.book.pass(kernel, chunk, &self.aliases);
        }
        Ok(())
    }

    fn may_pass(&mut self, kernel: &mut Kernel, chunk: Option<&Chunk>) -> bool {
        let Some(chunk) = chunk else { return false };
        let author = self.book.author(kernel, chunk.lane.as_ref());
        kernel.may_pass_chunks(author)
    }

    /// The client closes an item of chunks where it reads what does that. If that was left out, the item goes on.
    fn keep_open(
        &mut self,
        kernel: &mut Kernel,
        closed: Closed,
        said: usize,
        left_out: &mut Vec<DynamicError>,
    ) {
        let author = self.book.author(kernel, closed.lane.as_ref());
        let tag = kernel.tag_of(author);
        let mut read = kernel.queue.iter().skip(said);
        let is_passed = self.book.is_passed(&closed.head, &self.aliases);
        if is_passed && kernel.hears(author) && !read.any(|event| closed_by(event).as_ref() == Some(&tag)) {
            let start = self.lanes.reopen(closed);
            if let Err(error) = self.take_in(kernel, start, true, MENDINGS, left_out) {
                left_out.push(error);
            }
        }
    }

    /// What is said of something that goes out as chunks, as a chunk: the wire has nothing to hang another form on.
    fn in_one_form(&self, event: Event) -> Result<Event, ChunkError> {
        let Some(id) = self.book.passed(&event, &self.aliases) else { return Ok(event) };
        let (event_type, id) = (event.event_type(), id.to_owned());
        match self.policy {
            Policy::Repair => as_chunk(event),
            Policy::Strict => None,
        }
        .ok_or(ChunkError::Mixed { event_type, id })
    }

    fn take_in(
        &mut self,
        kernel: &mut Kernel,
        mut event: Event,
        passing: bool,
        mendings: usize,
        left_out: &mut Vec<DynamicError>,
    ) -> Result<(), DynamicError> {
        self.aliases.rewrite(&mut event);
        let Err(error) = self.verifier.check(&event) else {
            return match self.book.say(kernel, event, passing) {
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

/// The act of forwarding one event.
#[derive(Debug)]
pub struct FeedEvent<'d> {
    stream: &'d mut Stream,
    event: Event,
}

impl<'d> FeedEvent<'d> {
    pub(super) fn new(stream: &'d mut Stream, event: Event) -> Self {
        Self { stream, event }
    }
}

impl Act<'_> for FeedEvent<'_> {
    type Output = Result<(), DynamicError>;

    fn act(self, emit: &Emit, fields: Fields) -> Result<(), DynamicError> {
        let Self { stream, mut event } = self;
        if let Some(fields) = fields {
            fields.write(&mut event);
        }
        let mut left_out = Vec::new();
        let fed = emit.act(|kernel, _| stream.feed(kernel, event, &mut left_out));
        for reason in left_out {
            tracing::debug!(reason = %quoted(reason), "left out of a forwarded stream");
        }
        fed
    }
}
