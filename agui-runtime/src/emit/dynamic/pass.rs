//! Chunks that go out as chunks.

use super::super::kernel::Kernel;
use super::alias::{Aliases, Space};
use super::book::{Book, Tag};
use super::lanes::Chunk;
use super::piece::{Head, boxed};

impl Book {
    /// Sends a chunk, under our ids and with everything that starting its item takes. Nothing when the item did not come
    /// to be, or goes out as START, CONTENT and END.
    pub(super) fn pass(&mut self, kernel: &mut Kernel, chunk: Chunk, aliases: &Aliases) {
        let Some((head, by)) = self.translated(kernel, chunk.head, aliases) else { return };
        let author = self.author(kernel, by.as_ref());
        kernel.send(author, head.chunk(chunk.delta), boxed(chunk.fields));
    }

    fn translated(&mut self, kernel: &mut Kernel, head: Head, aliases: &Aliases) -> Option<(Head, Tag)> {
        match head {
            Head::Text { id, role, name } => {
                let id = aliases.name(Space::Text, id.as_str()).map_or(id.clone(), Into::into);
                let said = self.texts.get(&id).filter(|said| said.passed)?;
                Some((Head::Text { id: said.id.clone(), role, name }, said.by.clone()))
            }
            Head::Thought { id } => {
                let id = aliases.name(Space::Thought, id.as_str()).map_or(id.clone(), Into::into);
                let said = self.thoughts.get(&id).filter(|said| said.passed)?;
                Some((Head::Thought { id: said.id.clone() }, said.by.clone()))
            }
            Head::Call { id, tool, parent } => {
                let id = aliases.name(Space::Call, id.as_str()).map_or(id.clone(), Into::into);
                let call = self.calls.get(&id).filter(|call| call.passed)?.clone();
                let parent = parent
                    .filter(|parent| !parent.as_str().is_empty())
                    .map(|parent| self.parent(kernel, &parent, &call.by));
                Some((Head::Call { id: call.id, tool, parent }, call.by))
            }
        }
    }
}
