//! Opaque values that a provider sends with a message or a call, and wants back: signatures, encrypted reasoning, vendor members.
//!
//! The client stores such a value as `encryptedValue` and sends it back. A conversation may move between providers, and a provider
//! refuses foreign values. Each value therefore has a type (`encryptedValueType`), with the server unless that is the provider's own.

use agui_runtime_core::protocol::EncryptedValue;

/// The type of a provider's values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct SealType {
    /// The type's name, which begins with the provider.
    pub(super) name: &'static str,
    /// The prefix inside the value, in conversations from before values had types.
    pub(super) earlier_prefix: &'static str,
}

/// The mark for one server.
#[derive(Clone, Debug, Default)]
pub(super) struct ServerSeal {
    /// Host and port, for a server that is not the provider's own.
    server: Option<String>,
}

impl ServerSeal {
    /// Returns the mark for a server, given as host and port.
    pub(super) fn for_server(server: String) -> Self {
        Self { server: Some(server) }
    }

    /// True if the server is not the provider's own.
    pub(super) fn is_elsewhere(&self) -> bool {
        self.server.is_some()
    }

    /// Returns a value with its type, for this server.
    pub(super) fn close(&self, seal: SealType, value: impl Into<String>) -> EncryptedValue {
        EncryptedValue::new(value).with_type(self.at_server(seal.name))
    }

    /// Returns the value if type and server match the mark.
    pub(super) fn open<'v>(&self, seal: SealType, value: Option<&'v EncryptedValue>) -> Option<&'v str> {
        let value = value?;
        let typed = value.value_of_type(&self.at_server(seal.name));
        typed.or_else(|| {
            let is_untyped = value.value_type.is_none();
            let rest =
                value.value.strip_prefix(&self.at_server(seal.earlier_prefix)).filter(|_| is_untyped)?;
            rest.strip_prefix(':')
        })
    }

    fn at_server(&self, name: &str) -> String {
        match &self.server {
            None => name.to_owned(),
            Some(server) => format!("{name}@{server}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const A: SealType = SealType { name: "acme.a", earlier_prefix: "a" };
    const B: SealType = SealType { name: "acme.b", earlier_prefix: "b" };

    fn seals() -> [ServerSeal; 3] {
        let at = |server: &str| ServerSeal::for_server(server.to_owned());
        [at("localhost:8000"), at("localhost:80"), ServerSeal::default()]
    }

    #[test]
    fn a_value_goes_back_to_its_server_alone() {
        let [other, third, own] = seals();
        let (first, second) = (own.close(A, "x:y"), other.close(A, "x:y"));
        assert_eq!(first, EncryptedValue::new("x:y").with_type("acme.a"));
        assert_eq!(second, EncryptedValue::new("x:y").with_type("acme.a@localhost:8000"));
        assert_eq!((own.open(A, Some(&first)), other.open(A, Some(&second))), (Some("x:y"), Some("x:y")));
        for (seal, sealed, value) in
            [(&own, A, &second), (&other, A, &first), (&third, A, &second), (&own, B, &first)]
        {
            assert_eq!(seal.open(sealed, Some(value)), None);
        }
        assert_eq!(own.open(A, None), None);
    }

    #[test]
    fn a_value_without_a_type_has_the_mark_inside() {
        let [other, third, own] = seals();
        // The second form is what clients of AG-UI 1.0 store; the first is from before values had types.
        for value in ["a:x:y", "acme.a:x:y"] {
            let value = EncryptedValue::new(value);
            assert_eq!(own.open(A, Some(&value)), Some("x:y"));
            assert_eq!((own.open(B, Some(&value)), other.open(A, Some(&value))), (None, None));
            assert_eq!(own.open(A, Some(&value.with_type("other.kind"))), None);
        }
        for value in ["a@localhost:8000:x", "acme.a@localhost:8000:x"] {
            let value = EncryptedValue::new(value);
            assert_eq!(other.open(A, Some(&value)), Some("x"));
            assert_eq!((own.open(A, Some(&value)), third.open(A, Some(&value))), (None, None));
        }
    }
}
