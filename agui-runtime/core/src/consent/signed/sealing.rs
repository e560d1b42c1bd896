//! Sealed values: encrypted for this server alone, and bound to the place where a client keeps them.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use chacha20poly1305::aead::{Aead as _, KeyInit as _, Payload};
use chacha20poly1305::{XChaCha20Poly1305, XNonce};

use super::SignedInterrupts;
use super::key::InterruptKey;
use crate::consent::InterruptProof;
#[cfg(feature = "tool-servers")]
use crate::protocol::ToolCallId;
use crate::protocol::{MessageId, ThreadId};
use crate::random;

/// Nonce length in bytes: long enough for random nonces.
const NONCE: usize = 24;

/// The length of a sealed text is a multiple of this number of bytes, so that it says little about the text.
const BLOCK: usize = 256;

/// The place of a sealed value: nowhere else does the value open.
#[derive(Clone, Copy, Debug)]
struct SealedPlace<'p> {
    agent: &'p str,
    thread: &'p ThreadId,
    subject: Option<&'p str>,
    message: &'p MessageId,
}

impl SealedPlace<'_> {
    /// Returns all parts, each behind its length: no two places have the same bytes.
    fn to_bytes(self) -> Vec<u8> {
        let subject = self.subject.map(|subject| format!("={subject}")).unwrap_or_default();
        let mut bytes = Vec::new();
        for part in [self.agent, self.thread.as_str(), &subject, self.message.as_str()] {
            bytes.extend((part.len() as u64).to_be_bytes());
            bytes.extend(part.as_bytes());
        }
        bytes
    }
}

impl InterruptKey {
    fn seal(&self, place: &[u8], text: &str) -> Option<String> {
        let mut nonce = [0; NONCE];
        random::fill(&mut nonce)?;
        let mut padded = text.as_bytes().to_vec();
        padded.resize(text.len().next_multiple_of(BLOCK), b' ');
        let cipher = XChaCha20Poly1305::new(&self.sealing_key().into());
        let payload = Payload { msg: &padded, aad: place };
        let sealed = cipher.encrypt(&XNonce::from(nonce), payload).ok()?;
        Some(URL_SAFE_NO_PAD.encode([&nonce[..], &sealed].concat()))
    }

    fn open(&self, place: &[u8], sealed: &str) -> Option<String> {
        let bytes = URL_SAFE_NO_PAD.decode(sealed).ok()?;
        let (nonce, sealed) = bytes.split_first_chunk::<NONCE>()?;
        let open = |key: [u8; 32]| {
            let cipher = XChaCha20Poly1305::new(&key.into());
            cipher.decrypt(&XNonce::from(*nonce), Payload { msg: sealed, aad: place }).ok()
        };
        let opened = open(self.sealing_key()).or_else(|| open(self.previous_sealing_key()?))?;
        String::from_utf8(opened).ok()
    }
}

impl SignedInterrupts {
    fn sealed_place<'p>(
        &self,
        proof: &'p InterruptProof,
        thread: &'p ThreadId,
        message: &'p MessageId,
    ) -> SealedPlace<'p> {
        SealedPlace { agent: self.agent(), thread, subject: proof.subject(), message }
    }

    /// True if this run's key outlives the process.
    pub(in crate::consent) fn can_seal(proof: &InterruptProof) -> bool {
        proof.lasting_key().is_some()
    }

    /// Encrypts a text for a message; `None` without a key that outlives the process, or without random numbers.
    pub(in crate::consent) fn seal(
        &self,
        proof: &InterruptProof,
        (thread, message): (&ThreadId, &MessageId),
        text: &str,
    ) -> Option<String> {
        let place = self.sealed_place(proof, thread, message).to_bytes();
        proof.lasting_key()?.seal(&place, text)
    }

    /// Decrypts a text that [`seal`](Self::seal) made for this message; `None` for everything else.
    pub(in crate::consent) fn open_sealed(
        &self,
        proof: &InterruptProof,
        (thread, message): (&ThreadId, &MessageId),
        sealed: &str,
    ) -> Option<String> {
        let place = self.sealed_place(proof, thread, message).to_bytes();
        proof.lasting_key()?.open(&place, sealed)
    }

    /// Encrypts a text for a call, under the key that signs interrupts: the text need not outlive them.
    #[cfg(feature = "tool-servers")]
    pub(in crate::consent) fn seal_for_call(
        &self,
        proof: &InterruptProof,
        (thread, call): (&ThreadId, &ToolCallId),
        text: &str,
    ) -> Option<String> {
        let place = self.sealed_place(proof, thread, &call_place(call)).to_bytes();
        proof.key().ok()?.seal(&place, text)
    }

    /// Decrypts a text that [`seal_for_call`](Self::seal_for_call) made for this call; `None` for everything else.
    #[cfg(feature = "tool-servers")]
    pub(in crate::consent) fn open_for_call(
        &self,
        proof: &InterruptProof,
        (thread, call): (&ThreadId, &ToolCallId),
        sealed: &str,
    ) -> Option<String> {
        let place = self.sealed_place(proof, thread, &call_place(call)).to_bytes();
        proof.key().ok()?.open(&place, sealed)
    }
}

/// Returns the place of a call's text, which is no message's.
#[cfg(feature = "tool-servers")]
fn call_place(call: &ToolCallId) -> MessageId {
    format!("call#{call}").into()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(thread: &str, message: &str) -> Vec<u8> {
        let (thread, message) = (ThreadId::from(thread), MessageId::from(message));
        SealedPlace { agent: "desk", thread: &thread, subject: None, message: &message }.to_bytes()
    }

    #[test]
    fn a_value_opens_at_its_own_place_alone() {
        let key = InterruptKey::new([1; 32]).unwrap();
        let sealed = key.seal(&place("t", "m"), "{\"iban\":1}").unwrap();
        assert_eq!(key.open(&place("t", "m"), &sealed).unwrap().trim_end(), "{\"iban\":1}");
        for other in [place("t", "n"), place("u", "m"), place("tm", "")] {
            assert_eq!(key.open(&other, &sealed), None);
        }
        assert_eq!(InterruptKey::new([2; 32]).unwrap().open(&place("t", "m"), &sealed), None);
        let rotated = InterruptKey::new([2; 32]).unwrap().with_previous([1; 32]).unwrap();
        assert!(rotated.open(&place("t", "m"), &sealed).is_some());
    }

    #[test]
    fn an_edited_value_does_not_open() {
        let key = InterruptKey::new([1; 32]).unwrap();
        let sealed = key.seal(&place("t", "m"), "text").unwrap();
        for at in 0..sealed.len() {
            let mut edited = sealed.clone().into_bytes();
            edited[at] = if edited[at] == b'A' { b'B' } else { b'A' };
            let edited = String::from_utf8(edited).unwrap();
            assert_eq!(key.open(&place("t", "m"), &edited), None, "at {at}");
            assert_eq!(key.open(&place("t", "m"), &sealed[..at]), None, "cut at {at}");
        }
    }

    #[test]
    fn equal_texts_differ_and_lengths_are_rounded() {
        let key = InterruptKey::new([1; 32]).unwrap();
        let seal = |text: &str| key.seal(&place("t", "m"), text).unwrap();
        assert_ne!(seal("same"), seal("same"));
        assert_eq!(seal("short").len(), seal(&"long".repeat(60)).len());
    }
}
