//! Values behind pointers, and recursive values.

use std::borrow::Cow;
use std::sync::Arc;

use agui_runtime::State;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::sample::sample;
use super::{Plain, Sample, Source};

/// Pointers.
#[derive(State, Serialize, Deserialize, JsonSchema, Debug, Clone, Default)]
#[allow(missing_docs)]
pub struct Pointers {
    pub boxed: Box<Plain>,
    pub shared: Arc<Plain>,
    pub shared_list: Arc<Vec<u8>>,
    #[state(opaque)]
    pub name: Arc<str>,
    pub text: Cow<'static, str>,
    pub maybe: Option<Box<u8>>,
    pub node: Node,
}
sample!(struct Pointers { boxed, shared, shared_list, name, text, maybe, node });

/// A tree and a list in one.
#[derive(State, Serialize, Deserialize, JsonSchema, Debug, Clone, Default)]
#[allow(missing_docs)]
pub struct Node {
    pub value: u8,
    pub children: Vec<Node>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next: Option<Box<Node>>,
    pub twin: Option<Box<Node>>,
}

impl Sample for Node {
    fn sample(source: &mut Source<'_>) -> Self {
        source.deeper(|source| Self {
            value: u8::sample(source),
            children: Vec::sample(source),
            next: (source.len(2) == 2).then(|| Box::sample(source)),
            twin: (source.len(4) == 4).then(|| Box::sample(source)),
        })
    }

    fn nudge(&mut self, source: &mut Source<'_>) {
        match source.below(4) {
            0 => self.value.nudge(source),
            1 | 2 => self.children.nudge(source),
            _ => self.next.nudge(source),
        }
    }
}

impl Node {
    /// A list of `depth` nodes.
    #[must_use]
    pub fn chain(depth: usize) -> Self {
        (0..depth).fold(Self::default(), |next, _| Self { next: Some(Box::new(next)), ..Self::default() })
    }
}
