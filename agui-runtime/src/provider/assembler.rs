//! The calls of one answer, whose arguments come in pieces, as a whole, or both.

use crate::model::{CallDelta, Delta, ModelError};

/// The calls of one answer, by the index and the id that the provider gave them.
#[derive(Debug, Default)]
pub(super) struct Assembler {
    calls: Vec<Call>,
}

#[derive(Debug)]
struct Call {
    index: u32,
    id: String,
    /// The arguments so far.
    arguments: String,
}

impl Assembler {
    /// Begins a call. A call that has begun before is not begun again.
    pub(super) fn begin(
        &mut self,
        index: u32,
        id: &str,
        tool: &str,
        encrypted: Option<String>,
    ) -> Option<Delta> {
        if self.find(index, id).is_some() {
            return None;
        }
        self.calls.push(Call { index, id: id.to_owned(), arguments: String::new() });
        let mut delta = CallDelta::new(index).with_tool(tool);
        delta.id = (!id.is_empty()).then(|| id.to_owned());
        delta.encrypted = encrypted;
        Some(Delta::Call(delta))
    }

    /// Adds a piece of the arguments to the last call of that index.
    pub(super) fn piece(&mut self, index: u32, piece: &str) -> Result<Option<Delta>, ModelError> {
        let call = self.last(index).ok_or_else(|| unknown(index))?;
        call.arguments.push_str(piece);
        Ok(call.delta(piece))
    }

    /// Takes the arguments as a whole, and returns the part that has not come yet.
    pub(super) fn whole(&mut self, index: u32, id: &str, whole: &str) -> Result<Option<Delta>, ModelError> {
        let at = self.find(index, id).ok_or_else(|| unknown(index))?;
        let Some(call) = self.calls.get_mut(at) else { return Ok(None) };
        let Some(rest) = whole.strip_prefix(call.arguments.as_str()) else {
            return Err(ModelError::Malformed(format!("the arguments of call {index} changed")));
        };
        call.arguments.push_str(rest);
        Ok(call.delta(rest))
    }

    /// Returns true if the last call of that index has arguments.
    pub(super) fn has_arguments(&mut self, index: u32) -> bool {
        self.last(index).is_some_and(|call| !call.arguments.is_empty())
    }

    pub(super) fn has(&self, index: u32, id: &str) -> bool {
        self.find(index, id).is_some()
    }

    fn find(&self, index: u32, id: &str) -> Option<usize> {
        self.calls.iter().position(|call| call.index == index && call.id == id)
    }

    fn last(&mut self, index: u32) -> Option<&mut Call> {
        self.calls.iter_mut().rev().find(|call| call.index == index)
    }
}

impl Call {
    fn delta(&self, piece: &str) -> Option<Delta> {
        if piece.is_empty() {
            return None;
        }
        let mut delta = CallDelta::new(self.index).with_arguments(piece);
        delta.id = (!self.id.is_empty()).then(|| self.id.clone());
        Some(Delta::Call(delta))
    }
}

fn unknown(index: u32) -> ModelError {
    ModelError::Malformed(format!("arguments came for call {index}, which has not begun"))
}
