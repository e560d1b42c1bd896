//! The cryptography of TLS connections, which the client of Redis takes from the process.

/// Sets the cryptography of libraries that take that of the process, unless the program has chosen another.
pub(super) fn choose_cryptography() {
    if rustls::crypto::CryptoProvider::get_default().is_none() {
        // Another thread may be faster: then there is one.
        let _ = rustls::crypto::ring::default_provider().install_default();
    }
}
