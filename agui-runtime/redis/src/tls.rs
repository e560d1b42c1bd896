//! The process-wide TLS cryptography, which the Redis client uses.

/// Sets the process-wide cryptography, unless the program has chosen one.
pub(super) fn choose_cryptography() {
    if rustls::crypto::CryptoProvider::get_default().is_none() {
        // Another thread may be faster: then there is one.
        let _ = rustls::crypto::ring::default_provider().install_default();
    }
}
