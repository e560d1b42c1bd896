//! Size limits for a server's resources and prompts.

use agui_runtime_core::protocol::{ContentPart, PartSource};

/// Size limits for resources and prompts that a model reads; see [`McpClient::resources`](super::McpClient::resources) and
/// [`McpClient::prompts`](super::McpClient::prompts). A larger one is not truncated: the call fails, and the model reads why.
///
/// ```
/// use agui_runtime::mcp::McpContentLimits;
///
/// let limits = McpContentLimits::default().text(10_000).binary(0);
/// assert_eq!(limits, McpContentLimits::default().binary(0).text(10_000));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct McpContentLimits {
    text: usize,
    binary: usize,
}

impl Default for McpContentLimits {
    fn default() -> Self {
        Self { text: 256 * 1024, binary: 1024 * 1024 }
    }
}

impl McpContentLimits {
    /// Limits all texts of one resource, prompt or list page together, in bytes. The default is 256 KiB.
    #[must_use]
    pub fn text(self, bytes: usize) -> Self {
        Self { text: bytes, ..self }
    }

    /// Limits all images, sounds and other binary content of one resource or prompt together, in bytes before Base64. The default is
    /// 1 MiB; with 0 the model reads texts alone.
    #[must_use]
    pub fn binary(self, bytes: usize) -> Self {
        Self { binary: bytes, ..self }
    }

    /// Returns the first size above its limit, with that limit.
    pub(super) fn check(self, sized: &SizedContent) -> Result<(), (usize, usize)> {
        let rows = [(sized.text, self.text), (sized.binary, self.binary)];
        rows.into_iter().find(|(size, limit)| size > limit).map_or(Ok(()), Err)
    }

    /// Returns the size of the largest result in JSON: Base64, and texts in which each byte is escaped.
    pub(super) fn most_json(self) -> usize {
        let text = self.text.saturating_mul(6);
        text.saturating_add(self.binary.saturating_mul(4).div_ceil(3)).saturating_add(64 * 1024)
    }
}

/// A content's size, in bytes.
#[derive(Debug, Default)]
pub(super) struct SizedContent {
    text: usize,
    binary: usize,
}

impl SizedContent {
    /// Adds a part.
    pub(super) fn add(&mut self, part: &ContentPart) {
        let source = match part {
            ContentPart::Text(part) => {
                self.text = self.text.saturating_add(part.text.len());
                return;
            }
            ContentPart::Image(part) => &part.source,
            ContentPart::Audio(part) => &part.source,
            ContentPart::Video(part) => &part.source,
            ContentPart::Document(part) => &part.source,
        };
        if let PartSource::Data(data) = source {
            self.binary = self.binary.saturating_add(data.value.len() / 4 * 3);
        }
    }
}

#[cfg(test)]
mod tests {
    use agui_runtime_core::protocol::{DataSource, ImagePart, TextPart};

    use super::*;

    #[test]
    fn all_parts_count_together() {
        let limits = McpContentLimits::default().text(5).binary(6);
        let mut sized = SizedContent::default();
        sized.add(&TextPart::new("abcde").into());
        sized.add(&ImagePart::new(DataSource::new("YWJjZGVm", "image/png")).into());
        assert_eq!(limits.check(&sized), Ok(()));
        sized.add(&TextPart::new("f").into());
        assert_eq!(limits.check(&sized), Err((6, 5)));
        assert_eq!(limits.text(6).binary(5).check(&sized), Err((6, 5)));
    }
}
