//! Results with several parts: text, images, files.

use std::borrow::Cow;
use std::ops::Deref;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Serialize;

use crate::protocol::ContentPart;

/// A tool result that is more than text: images, recordings, documents (AG-UI 1.0, section "Content parts").
///
/// By default a tool's value is sent as JSON text. Return this type, or a `Result` with it, to send parts instead:
/// TOOL_CALL_RESULT then has the parts as its `content`. A legacy client gets only the text parts, so describe the other parts in
/// words.
///
/// ```
/// use agui_runtime::tools::ContentParts;
/// use agui_runtime::prelude::*;
/// use agui_runtime::protocol::{DataSource, ImagePart, TextPart};
///
/// /// Draws something.
/// #[tool]
/// async fn draw(what: String) -> ContentParts {
///     let picture = ImagePart::new(DataSource::new("aGk=", "image/png"));
///     ContentParts::from_iter([TextPart::new(what).into(), picture.into()])
/// }
///
/// /// Draws for you.
/// #[agent(tools = [draw])]
/// async fn artist(run: &mut Run<Artist>, input: Input<Artist>) -> Result<(), Stop> {
///     let drawn = run.call(draw { what: "a dot".to_owned() }).await?.run().await;
///     assert_eq!(drawn.len(), 2);
///     Ok(())
/// }
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct ContentParts(Vec<ContentPart>);

impl ContentParts {
    /// Returns the parts, owned.
    #[must_use]
    pub fn into_vec(self) -> Vec<ContentPart> {
        self.0
    }
}

impl Deref for ContentParts {
    type Target = [ContentPart];

    fn deref(&self) -> &[ContentPart] {
        &self.0
    }
}

impl From<Vec<ContentPart>> for ContentParts {
    fn from(parts: Vec<ContentPart>) -> Self {
        Self(parts)
    }
}

impl FromIterator<ContentPart> for ContentParts {
    fn from_iter<I: IntoIterator<Item = ContentPart>>(parts: I) -> Self {
        Self(parts.into_iter().collect())
    }
}

impl JsonSchema for ContentParts {
    fn schema_name() -> Cow<'static, str> {
        "Parts".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "array", "items": { "type": "object", "required": ["type"] } })
    }
}
