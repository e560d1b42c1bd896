//! Distinct traces, each judged once.

use agui_runtime::protocol::Event;

/// A tree of events: each trace is a path from the root, so common beginnings are kept once.
#[derive(Default)]
pub(crate) struct Traces {
    nodes: Vec<Node>,
    roots: Vec<usize>,
    pub(crate) count: usize,
}

struct Node {
    event: Event,
    before: Option<usize>,
    next: Vec<usize>,
    is_trace: bool,
}

impl Traces {
    /// Inserts a trace; returns true if it is new.
    pub(crate) fn insert(&mut self, trace: &[Event]) -> bool {
        let mut before = None;
        for event in trace {
            let next = before.map_or(&self.roots, |node: usize| &self.nodes[node].next);
            let known = next.iter().copied().find(|node| self.nodes[*node].event == *event);
            before = Some(known.unwrap_or_else(|| {
                let new = self.nodes.len();
                self.nodes.push(Node { event: event.clone(), before, next: Vec::new(), is_trace: false });
                before.map_or(&mut self.roots, |node| &mut self.nodes[node].next).push(new);
                new
            }));
        }
        match before.map(|last| &mut self.nodes[last].is_trace) {
            Some(known @ false) => {
                *known = true;
                self.count += 1;
                true
            }
            _ => false,
        }
    }

    /// Every trace that is not the beginning of another: a verifier that accepts these accepts all.
    pub(crate) fn longest(&self) -> impl Iterator<Item = Vec<Event>> {
        self.nodes.iter().filter(|node| node.next.is_empty()).map(|last| {
            let mut trace: Vec<Event> =
                std::iter::successors(Some(last), |node| node.before.map(|before| &self.nodes[before]))
                    .map(|node| node.event.clone())
                    .collect();
            trace.reverse();
            trace
        })
    }
}
