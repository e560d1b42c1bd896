//! Signed interrupts: the id under which an interrupt goes out ends in a [`token`], and a resume entry for such an id counts once
//! ([`used`]).

mod admit;
mod arguments;
mod call;
mod key;
mod place;
#[cfg(feature = "model")]
mod sealing;
mod sign;
mod signing;
mod token;
mod unasked_error;
mod used;

use std::collections::HashMap;
use std::sync::{Mutex, OnceLock};
use std::time::SystemTime;

use self::call::CallDigest;
use self::key::InterruptCodes;
use self::place::InterruptOrigin;
use self::token::RunDigest;
use self::used::SignedResumeEntry;
use super::InterruptProof;
use crate::kernel::Clock;
use crate::manifest::AgentSource;
use crate::protocol::{InterruptId, ThreadId, ToolCall, ToolCallId};

pub use key::{InterruptKey, InterruptKeyError};
#[cfg(feature = "tool-servers")]
pub(crate) use sealing::InterruptedCall;
pub(super) use signing::SigningConfig;
pub(super) use unasked_error::UnsignedInterruptError;

/// One run's signed interrupts: resumed ones and raised ones.
#[derive(Debug)]
pub(super) struct SignedInterrupts {
    agent: fn() -> AgentSource,
    clock: Clock,
    /// Calls that this run's resume entries are about, as they were when the interrupts were raised. A conversation may have
    /// several calls under one id.
    resumed_calls: HashMap<ToolCallId, Vec<CallDigest>>,
    /// This run's resume entries.
    entries: Vec<AdmittedEntry>,
    /// Calls that this run leaves to interrupts.
    left: Mutex<HashMap<ToolCallId, CallDigest>>,
    /// The time of this run's first interrupt. All interrupts use this time, so that an interrupt is always signed alike.
    asked_at: OnceLock<Option<SystemTime>>,
    /// The code maker for this run's interrupts.
    codes: OnceLock<Result<InterruptCodes, InterruptKeyError>>,
    /// The digest for this run's id, for the interrupts that the run raises.
    run: OnceLock<RunDigest>,
}

/// A resume entry that proved its interrupt.
#[derive(Debug)]
struct AdmittedEntry {
    /// The id that the agent gave.
    id: InterruptId,
    /// The id that the client has.
    #[cfg_attr(
        not(feature = "tool-servers"),
        expect(dead_code, reason = "only a lone call claims interrupts")
    )]
    wire_id: InterruptId,
    signed: SignedResumeEntry,
}

impl SignedInterrupts {
    pub(super) fn new(agent: fn() -> AgentSource, clock: Clock) -> Self {
        Self {
            agent,
            clock,
            resumed_calls: HashMap::new(),
            entries: Vec::new(),
            left: Mutex::default(),
            asked_at: OnceLock::new(),
            codes: OnceLock::new(),
            run: OnceLock::new(),
        }
    }

    /// Returns the name of the run's agent.
    pub(super) fn agent(&self) -> &'static str {
        (self.agent)().name
    }

    /// Returns the ids of this run's admitted resume entries, as the client has them.
    #[cfg(feature = "tool-servers")]
    pub(super) fn wire_ids(&self) -> impl Iterator<Item = &InterruptId> {
        self.entries.iter().map(|entry| &entry.wire_id)
    }

    pub(super) fn resumed_call_ids(&self) -> impl Iterator<Item = &ToolCallId> {
        self.resumed_calls.keys()
    }

    pub(super) fn is_about(&self, call: &ToolCall) -> bool {
        self.resumed_calls.get(&call.id).is_some_and(|asked| asked.contains(&CallDigest::from_call(call)))
    }

    /// Returns the code maker for the run's interrupts. A run has one thread, which is hashed once.
    fn codes(&self, proof: &InterruptProof, thread: &ThreadId) -> Result<&InterruptCodes, InterruptKeyError> {
        let codes = self.codes.get_or_init(|| Ok(self.place(proof, thread).codes(&proof.key()?)));
        codes.as_ref().map_err(Clone::clone)
    }

    fn place<'p>(&self, proof: &'p InterruptProof, thread: &'p ThreadId) -> InterruptOrigin<'p> {
        InterruptOrigin { agent: self.agent(), thread, subject: proof.subject() }
    }
}

#[cfg(test)]
mod tests {
    use super::key::hashed;
    use super::*;
    #[cfg(feature = "tool-servers")]
    use crate::consent::ResumedError;
    use crate::consent::RunConsent;
    use crate::protocol::{
        AssistantMessage, FunctionCall, Interrupt, Message, ResumeEntry, ResumeStatus, RunAgentInput, RunId,
    };

    /// Returns the argument bytes that are hashed to admit a resume entry about one call, in a conversation with other calls.
    fn arguments_hashed(others: impl Iterator<Item = ToolCall>) -> usize {
        let proof = InterruptProof::default().with_key(InterruptKey::new([1; 32]).unwrap());
        let agent = || AgentSource::new("writer");
        let mut input = RunAgentInput::new("thread", "run", Vec::<Message>::new());
        let consent = RunConsent::new(proof.clone(), agent, Clock::system());
        let asked = ToolCall::new("c-1", FunctionCall::new("send", "{\"text\":\"Dear Ada\"}"));
        consent.leave(&asked.id, "send", &asked.function.arguments);
        let mut question = Interrupt::new("question", "confirmation").with_tool_call_id("c-1");
        consent.sign(&input, &mut question).unwrap();
        input.resume = Some([ResumeEntry::new(question.id, ResumeStatus::Resolved)].into());
        let calls: Vec<_> = std::iter::once(asked.clone()).chain(others).collect();
        input.messages = vec![AssistantMessage::new("m").with_tool_calls(calls).into()];
        hashed::during(|| {
            let (consent, admitted) = RunConsent::admit(proof, agent, &mut input, Clock::system());
            admitted.unwrap();
            assert!(consent.is_about(&asked));
        })
    }

    #[test]
    fn one_entry_makes_no_other_call_be_hashed() {
        let long = || FunctionCall::new("send", format!("[{}0]", "0,".repeat(1_000)));
        let alone = arguments_hashed(std::iter::empty());
        for others in [100, 200] {
            let calls = (0..others).map(|number| ToolCall::new(format!("other-{number}"), long()));
            assert_eq!(arguments_hashed(calls), alone, "beside {others} calls");
        }
        // An id belongs to one call; a client that repeats it makes little work.
        let repeated = |calls| arguments_hashed((0..calls).map(|_| ToolCall::new("c-1", long())));
        assert_eq!(repeated(100), repeated(200));
    }

    #[cfg(feature = "tool-servers")]
    #[test]
    fn only_proven_entries_have_ids_to_claim_and_a_lone_call_refuses_the_others() {
        let (proof, agent) =
            (InterruptProof::default().with_key(InterruptKey::new([1; 32]).unwrap()), || {
                AgentSource::new("writer")
            });
        let mut input = RunAgentInput::new("thread", "run", Vec::<Message>::new());
        let mut question = Interrupt::new("question", "confirmation");
        RunConsent::new(proof.clone(), agent, Clock::system()).sign(&input, &mut question).unwrap();
        let invented = (0..1_000).map(|number| format!("invented-{number}").into());
        let ids: Vec<InterruptId> = std::iter::once(question.id.clone()).chain(invented).collect();
        let cancelled = ids.iter().map(|id| ResumeEntry::new(id.clone(), ResumeStatus::Cancelled));
        input.resume = Some(cancelled.collect::<Vec<_>>().into());
        let mut again = input.clone();
        let (consent, admitted) = RunConsent::admit(proof.clone(), agent, &mut input, Clock::system());
        admitted.unwrap();
        assert_eq!(consent.wire_ids().collect::<Vec<_>>(), [&question.id]);
        assert_eq!(input.resume()[0].interrupt_id.as_str(), "question");

        let strict = proof.counting_cancellations();
        let (consent, admitted) = RunConsent::admit(strict, agent, &mut again, Clock::system());
        assert_eq!(admitted, Err(ResumedError::NotAsked { id: "invented-0".into() }));
        assert_eq!(consent.wire_ids().count(), 0);
    }

    /// Returns the number of bytes hashed to raise that many interrupts and to admit their resume entries.
    fn bytes_hashed(questions: usize, long: &str) -> [usize; 2] {
        let key = InterruptKey::new([1; 32]).unwrap().with_previous([2; 32]).unwrap();
        let (proof, agent) = (InterruptProof::default().with_key(key), || AgentSource::new("writer"));
        let mut input = RunAgentInput::new(ThreadId::from(long), RunId::from(long), Vec::<Message>::new());
        let mut resume = Vec::new();
        let asking = hashed::during(|| {
            let consent = RunConsent::new(proof.clone(), agent, Clock::system());
            for number in 0..questions {
                let mut question = Interrupt::new(format!("question-{number:04}"), "confirmation");
                consent.sign(&input, &mut question).unwrap();
                resume.push(ResumeEntry::new(question.id, ResumeStatus::Resolved));
            }
        });
        input.resume = Some(resume.into());
        let admitting = hashed::during(|| {
            let (consent, admitted) = RunConsent::admit(proof, agent, &mut input, Clock::system());
            admitted.unwrap();
            assert_eq!(consent.questions.entries.len(), questions);
        });
        [asking, admitting]
    }

    #[test]
    fn a_run_hashes_its_ids_once_for_any_number_of_questions() {
        let (short, long) = ("t".repeat(10), "t".repeat(100_000));
        for questions in [100, 200] {
            let more = |at: usize| bytes_hashed(questions, &long)[at] - bytes_hashed(questions, &short)[at];
            // The thread for both keys, and the run.
            assert_eq!(more(0), 3 * (long.len() - short.len()), "asking {questions} questions");
            // The thread for both keys, and for the place of the answers.
            assert_eq!(more(1), 3 * (long.len() - short.len()), "admitting {questions} answers");
        }
    }
}
