//! Schema paths for errors.

/// A schema part that a dialect cannot express.
#[derive(Debug)]
pub(super) struct SchemaFault {
    pub(super) path: String,
    pub(super) reason: String,
}

/// A path in a schema, as a JSON Pointer (RFC 6901).
#[derive(Clone, Debug)]
pub(super) struct SchemaPath(String);

impl SchemaPath {
    pub(super) fn root() -> Self {
        Self(String::new())
    }

    pub(super) fn is_root(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn child(&self, name: &str) -> Self {
        Self(format!("{}/{}", self.0, name.replace('~', "~0").replace('/', "~1")))
    }

    pub(super) fn fault(&self, reason: impl Into<String>) -> SchemaFault {
        SchemaFault { path: self.0.clone(), reason: reason.into() }
    }
}
