//! Opaque values that a provider sends with a message or a call, and wants back: signatures, encrypted reasoning, vendor members.
//!
//! The client stores such a value as `encryptedValue` and sends it back. A conversation may move between providers, and a provider
//! refuses foreign values. Each value is therefore marked with its type, and with the server unless that is the provider's own.

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

    /// Marks a value.
    pub(super) fn close(&self, kind: &str, value: &str) -> String {
        match &self.server {
            None => format!("{kind}:{value}"),
            Some(server) => format!("{kind}@{server}:{value}"),
        }
    }

    /// Returns the value if type and server match the mark.
    pub(super) fn open<'v>(&self, kind: &str, value: Option<&'v str>) -> Option<&'v str> {
        let rest = value?.strip_prefix(kind)?;
        let rest = match &self.server {
            None => rest,
            Some(server) => rest.strip_prefix('@')?.strip_prefix(server.as_str())?,
        };
        rest.strip_prefix(':')
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_goes_back_to_its_server_alone() {
        let own = ServerSeal::default();
        let other = ServerSeal::for_server("localhost:8000".to_owned());
        let third = ServerSeal::for_server("localhost:80".to_owned());
        let (first, second) = (own.close("a", "x:y"), other.close("a", "x:y"));
        assert_eq!((first.as_str(), second.as_str()), ("a:x:y", "a@localhost:8000:x:y"));
        assert_eq!(own.open("a", Some(&first)), Some("x:y"));
        assert_eq!(other.open("a", Some(&second)), Some("x:y"));
        for (seal, kind, value) in
            [(&own, "a", &second), (&other, "a", &first), (&third, "a", &second), (&own, "b", &first)]
        {
            assert_eq!(seal.open(kind, Some(value)), None);
        }
        assert_eq!(own.open("a", None), None);
    }
}
