//! The answers of a run, by the agent that asked.

use std::collections::HashMap;

use crate::kernel::QuestionId;
use crate::protocol::ResumeEntry;

/// The places of a run's answers in `resume`, by the agent that asked. They are grouped once, because a run may delegate
/// once for each answer.
#[derive(Debug)]
pub(crate) struct ResumeByAsker {
    typed: HashMap<String, Vec<usize>>,
    /// The answers to untyped questions, which name no agent.
    untyped: Vec<usize>,
}

impl ResumeByAsker {
    pub(super) fn of(resume: &[ResumeEntry]) -> Self {
        let mut grouped = Self { typed: HashMap::new(), untyped: Vec::new() };
        for (at, entry) in resume.iter().enumerate() {
            match QuestionId::of(&entry.interrupt_id) {
                Some(question) => match grouped.typed.get_mut(question.asker) {
                    Some(known) => known.push(at),
                    None => _ = grouped.typed.insert(question.asker.to_owned(), vec![at]),
                },
                None => grouped.untyped.push(at),
            }
        }
        grouped
    }

    /// Returns the answers to the typed questions of an agent and to all untyped ones, in the order of `resume`.
    pub(crate) fn get(&self, resume: &[ResumeEntry], asker: &str) -> Vec<ResumeEntry> {
        let typed = self.typed.get(asker).into_iter().flatten();
        let mut places: Vec<usize> = self.untyped.iter().chain(typed).copied().collect();
        places.sort_unstable();
        places.into_iter().filter_map(|at| resume.get(at).cloned()).collect()
    }
}
