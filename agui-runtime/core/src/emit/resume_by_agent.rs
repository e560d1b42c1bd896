//! A run's resume entries, grouped by interrupting agent.

use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

use crate::kernel::TypedInterruptId;
use crate::protocol::ResumeEntry;

/// Indexes into a run's `resume`, by interrupting agent. Grouped once, because a run may delegate once for each entry.
#[derive(Debug)]
pub(crate) struct ResumeByAgent {
    typed: HashMap<String, Vec<usize>>,
    /// Entries for untyped interrupts, which name no agent.
    untyped: Vec<usize>,
    /// The untyped entries, for all agents without typed ones.
    shared: OnceLock<Arc<[ResumeEntry]>>,
}

impl ResumeByAgent {
    pub(super) fn from_entries(resume: &[ResumeEntry]) -> Self {
        let mut grouped = Self { typed: HashMap::new(), untyped: Vec::new(), shared: OnceLock::new() };
        for (at, entry) in resume.iter().enumerate() {
            match TypedInterruptId::from_id(&entry.interrupt_id) {
                Some(question) => match grouped.typed.get_mut(question.agent) {
                    Some(known) => known.push(at),
                    None => _ = grouped.typed.insert(question.agent.to_owned(), vec![at]),
                },
                None => grouped.untyped.push(at),
            }
        }
        grouped
    }

    /// Returns an agent's typed entries and all untyped ones, in `resume` order.
    pub(crate) fn get(&self, resume: &Arc<[ResumeEntry]>, agent: &str) -> Arc<[ResumeEntry]> {
        let copy = |places: &[usize]| places.iter().filter_map(|at| resume.get(*at).cloned()).collect();
        match self.typed.get(agent) {
            None if self.untyped.len() == resume.len() => Arc::clone(resume),
            None => Arc::clone(self.shared.get_or_init(|| copy(&self.untyped))),
            Some(typed) => {
                let mut places = [self.untyped.as_slice(), typed].concat();
                places.sort_unstable();
                copy(&places)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::ResumeStatus;

    #[test]
    fn agents_without_answers_of_their_own_share_those_to_untyped_questions() {
        let entry = |id: &str| ResumeEntry::new(id, ResumeStatus::Resolved);
        let ids = |entries: &[ResumeEntry]| -> Vec<String> {
            entries.iter().map(|entry| entry.interrupt_id.to_string()).collect()
        };
        let typed = "confirm#clerk-interrupt-1#";
        let agent = TypedInterruptId::from_id(&typed.into()).unwrap().agent.to_owned();
        let resume: Arc<[ResumeEntry]> = [entry("one"), entry(typed), entry("two")].into();
        let grouped = ResumeByAgent::from_entries(&resume);
        let other = grouped.get(&resume, "other");
        assert_eq!(ids(&other), ["one", "two"]);
        assert!(Arc::ptr_eq(&other, &grouped.get(&resume, "another")), "answers are copied for each agent");
        assert_eq!(ids(&grouped.get(&resume, &agent)), ["one", typed, "two"]);

        let untyped: Arc<[ResumeEntry]> = [entry("one"), entry("two")].into();
        assert!(Arc::ptr_eq(&untyped, &ResumeByAgent::from_entries(&untyped).get(&untyped, "other")));
    }
}
