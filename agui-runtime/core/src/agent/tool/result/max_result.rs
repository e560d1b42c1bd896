//! Size limit for tool results.

use std::io;

use crate::agent::tool::ToolFailure;
use crate::protocol::Content;

/// Refuses content larger than the limit, in bytes. Oversized content is not cut: the model would take a part for the whole.
pub(crate) fn limited(content: Result<Content, ToolFailure>, limit: usize) -> Result<Content, ToolFailure> {
    let size = match &content {
        Ok(Content::Text(text)) | Err(ToolFailure::Public { text, .. }) => text.len(),
        Ok(Content::Parts(parts)) => {
            let mut size = ByteCounter(0);
            serde_json::to_writer(&mut size, parts).map_err(ToolFailure::Json)?;
            size.0
        }
        Err(_) => 0,
    };
    if size > limit { Err(ToolFailure::TooLarge { size, limit }) } else { content }
}

/// Counts bytes.
struct ByteCounter(usize);

impl io::Write for ByteCounter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 = self.0.saturating_add(bytes.len());
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
