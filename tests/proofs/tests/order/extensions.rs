//! Every one-event extension of every accepted sequence: same verdict, same rule, about the same things.

use std::{
    collections::{BTreeMap, BTreeSet},
    env,
    num::NonZero,
    sync::Mutex,
    thread,
    time::Instant,
};

use agui_runtime::order::{OrderError, OrderRule, OrderStrictness, OrderVerifier, SpanOwner};
use agui_runtime::protocol::{Event, ReasoningEncryptedValueSubtype, SpanKind};
use agui_tests::{
    need,
    outside::{Extensions, Node},
};

use crate::{alphabet::alphabet, say};

/// The length of the sequences, unless `AGUI_ORDER_DEPTH` sets it.
const DEPTH: usize = 4;

/// The length at which the sequences are divided among processes.
const ROOT: usize = 2;

#[test]
fn our_verifier_is_the_official_one() {
    let node = need!(Node::ready());
    let depth = match env::var("AGUI_ORDER_DEPTH") {
        Ok(depth) => depth.parse().unwrap_or_else(|cause| panic!("AGUI_ORDER_DEPTH={depth}: {cause}")),
        Err(_) => DEPTH,
    };
    let alphabet = alphabet();
    let begun = Instant::now();
    let tally = compare(&node, &alphabet, depth);
    say(&format!(
        "order: {} sequences of up to {depth} events over {} events, {} accepted, {} refused in {} ways of {} rules, \
         no difference, {:.1?}",
        tally.sequences,
        alphabet.len(),
        tally.accepted,
        tally.sequences - tally.accepted,
        tally.verdicts.len(),
        tally.rules.len(),
        begun.elapsed(),
    ));
    let unseen: Vec<&OrderRule> = OrderRule::ALL
        .iter()
        .filter(|rule| rule.strictness() == OrderStrictness::Client && !tally.rules.contains_key(rule.code()))
        .collect();
    assert!(depth < 4 || unseen.is_empty(), "the alphabet does not reach {unseen:?}");
}

#[derive(Debug, Default)]
struct Tally {
    sequences: u64,
    accepted: u64,
    /// The number of breaches of each rule.
    rules: BTreeMap<&'static str, u64>,
    /// All forms of refusals, by the names in the verdict.
    verdicts: BTreeSet<String>,
}

/// A part of the work: a first sequence, and the number of further events.
type Job = (Vec<usize>, usize);

fn compare(node: &Node, alphabet: &[Event], depth: usize) -> Tally {
    let jobs = Mutex::new(jobs(alphabet, depth));
    let total = Mutex::new(Tally::default());
    let processes = thread::available_parallelism().map_or(1, NonZero::get).min(8);
    thread::scope(|scope| {
        for _ in 0..processes {
            scope.spawn(|| {
                let mut official = node.extensions(alphabet);
                let mut walk =
                    Walk { alphabet, official: &mut official, path: Vec::new(), tally: Tally::default() };
                loop {
                    let job = jobs.lock().unwrap().pop();
                    let Some((root, depth)) = job else { break };
                    walk.official.ask(&root, depth);
                    let mut verifier = OrderVerifier::new();
                    root.iter().for_each(|event| verifier.check(&alphabet[*event]).unwrap());
                    walk.path = root;
                    walk.below(&verifier, depth);
                }
                let Walk { tally, .. } = walk;
                let mut total = total.lock().unwrap();
                total.sequences += tally.sequences;
                total.accepted += tally.accepted;
                total.verdicts.extend(official.refusals().map(str::to_owned));
                for (rule, count) in tally.rules {
                    *total.rules.entry(rule).or_default() += count;
                }
                official.end();
            });
        }
    });
    total.into_inner().unwrap()
}

/// Sequences of [`ROOT`] events with all their extensions, and shorter ones with their direct extensions.
fn jobs(alphabet: &[Event], depth: usize) -> Vec<Job> {
    let mut jobs = Vec::new();
    let mut level = vec![(Vec::new(), OrderVerifier::new())];
    for length in 0..=ROOT.min(depth - 1) {
        let deep = length == ROOT || length == depth - 1;
        let below = if deep { depth - length } else { 1 };
        jobs.extend(level.iter().map(|(path, _)| (path.clone(), below)));
        level = level.iter().flat_map(|(path, verifier)| accepted(alphabet, path, verifier)).collect();
    }
    jobs
}

fn accepted(
    alphabet: &[Event],
    path: &[usize],
    verifier: &OrderVerifier,
) -> Vec<(Vec<usize>, OrderVerifier)> {
    let next = |(index, event): (usize, &Event)| {
        let mut verifier = verifier.clone();
        verifier.check(event).ok().map(|()| ([path, &[index]].concat(), verifier))
    };
    alphabet.iter().enumerate().filter_map(next).collect()
}

struct Walk<'a> {
    alphabet: &'a [Event],
    official: &'a mut Extensions,
    path: Vec<usize>,
    tally: Tally,
}

impl Walk<'_> {
    fn below(&mut self, verifier: &OrderVerifier, depth: usize) {
        let mut next = verifier.clone();
        for (index, event) in self.alphabet.iter().enumerate() {
            let ours = next.check(event);
            let verdict = ours.as_ref().map_or_else(|error| described(error, event), |()| String::new());
            let theirs = self.official.verdict();
            if verdict != theirs {
                let path: Vec<&Event> = self.path.iter().map(|index| &self.alphabet[*index]).collect();
                panic!("we say {verdict:?}, the official client says {theirs:?}\n{event:?}\nafter {path:#?}");
            }
            self.tally.sequences += 1;
            match ours {
                Ok(()) => {
                    self.tally.accepted += 1;
                    if depth > 1 {
                        self.path.push(index);
                        self.below(&next, depth - 1);
                        self.path.pop();
                    }
                    next = verifier.clone();
                }
                Err(error) => *self.tally.rules.entry(error.code()).or_default() += 1,
            }
        }
    }
}

/// A verdict in the form of `tests/oracle/facts.mjs`: the code, and the names in the official text.
fn described(error: &OrderError, event: &Event) -> String {
    let mut parts = vec![error.code().to_owned()];
    match error.rule() {
        OrderRule::OwnerMismatch => {
            parts.extend([
                kind(event).to_owned(),
                error.id().unwrap().to_owned(),
                owner(error.owner().unwrap()),
            ]);
        }
        OrderRule::ToolParentOwner | OrderRule::ToolReopenOwner => parts.push(owner(error.owner().unwrap())),
        _ => {
            let mut open: Vec<String> = error
                .still_open()
                .iter()
                .map(|span| match (span.scope, &span.owner) {
                    (SpanKind::Step, SpanOwner::Subagent(id)) => format!("{} (subagent '{id}')", span.id),
                    _ => span.id.to_string(),
                })
                .collect();
            open.sort();
            parts.extend(open);
        }
    }
    parts.join("|")
}

fn kind(event: &Event) -> &'static str {
    if let Some(attached_to) = event.operands().attached_to {
        return match attached_to {
            ReasoningEncryptedValueSubtype::ToolCall => "tool call",
            ReasoningEncryptedValueSubtype::Message => "message",
        };
    }
    match event {
        Event::ActivityDelta(_) => "activity",
        Event::TextMessageStart(_) | Event::TextMessageContent(_) | Event::TextMessageEnd(_) => "message",
        Event::ToolCallStart(_) | Event::ToolCallArgs(_) | Event::ToolCallEnd(_) => "tool call",
        _ => "reasoning message",
    }
}

fn owner(owner: &SpanOwner) -> String {
    owner.subagent_run_id().map_or_else(|| "(the parent agent)".to_owned(), ToString::to_string)
}
