//! Sealed values: encrypted for this server alone, and bound to the place where a client keeps them.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use chacha20poly1305::aead::{Aead as _, KeyInit as _, Payload};
use chacha20poly1305::{XChaCha20Poly1305, XNonce};

use super::SignedInterrupts;
use super::key::InterruptKey;
use crate::consent::InterruptProof;
#[cfg(feature = "tool-servers")]
use crate::protocol::{InterruptId, ToolCallId};
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
    keeper: SealedKeeper<'p>,
}

/// The part of a conversation with which a client keeps a sealed value.
#[derive(Clone, Copy, Debug)]
enum SealedKeeper<'p> {
    Message(&'p MessageId),
    #[cfg(feature = "tool-servers")]
    Call(InterruptedCall<'p>),
}

/// A call that ended with interrupts.
#[cfg(feature = "tool-servers")]
#[derive(Clone, Copy, Debug)]
pub(crate) struct InterruptedCall<'p> {
    pub(crate) id: &'p ToolCallId,
    /// The interrupts' ids as the client has them, sorted.
    pub(crate) interrupts: &'p [&'p InterruptId],
}

impl<'p> SealedKeeper<'p> {
    /// Returns the texts that tell this keeper from all others. A message has one, and a call at least two behind a label.
    fn parts(self) -> Vec<&'p str> {
        match self {
            Self::Message(id) => vec![id.as_str()],
            #[cfg(feature = "tool-servers")]
            Self::Call(call) => {
                let interrupts = call.interrupts.iter().map(|id| id.as_str());
                ["interrupted call", call.id.as_str()].into_iter().chain(interrupts).collect()
            }
        }
    }
}

impl SealedPlace<'_> {
    /// Returns all parts, each behind its length: no two places have the same bytes.
    fn to_bytes(self) -> Vec<u8> {
        let subject = self.subject.map(|subject| format!("={subject}")).unwrap_or_default();
        let mut bytes = Vec::new();
        let origin = [self.agent, self.thread.as_str(), &subject];
        for part in origin.into_iter().chain(self.keeper.parts()) {
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
        keeper: SealedKeeper<'p>,
    ) -> SealedPlace<'p> {
        SealedPlace { agent: self.agent(), thread, subject: proof.subject(), keeper }
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
        let place = self.sealed_place(proof, thread, SealedKeeper::Message(message)).to_bytes();
        proof.lasting_key()?.seal(&place, text)
    }

    /// Decrypts a text that [`seal`](Self::seal) made for this message; `None` for everything else.
    pub(in crate::consent) fn open_sealed(
        &self,
        proof: &InterruptProof,
        (thread, message): (&ThreadId, &MessageId),
        sealed: &str,
    ) -> Option<String> {
        let place = self.sealed_place(proof, thread, SealedKeeper::Message(message)).to_bytes();
        proof.lasting_key()?.open(&place, sealed)
    }

    /// Encrypts a text for an interrupted call, under the key that signs interrupts: the text need not outlive them.
    #[cfg(feature = "tool-servers")]
    pub(in crate::consent) fn seal_for_call(
        &self,
        proof: &InterruptProof,
        (thread, call): (&ThreadId, InterruptedCall<'_>),
        text: &str,
    ) -> Option<String> {
        let place = self.sealed_place(proof, thread, SealedKeeper::Call(call)).to_bytes();
        proof.key().ok()?.seal(&place, text)
    }

    /// Decrypts a text that [`seal_for_call`](Self::seal_for_call) made for this call with these interrupts; `None` for everything else.
    #[cfg(feature = "tool-servers")]
    pub(in crate::consent) fn open_for_call(
        &self,
        proof: &InterruptProof,
        (thread, call): (&ThreadId, InterruptedCall<'_>),
        sealed: &str,
    ) -> Option<String> {
        let place = self.sealed_place(proof, thread, SealedKeeper::Call(call)).to_bytes();
        proof.key().ok()?.open(&place, sealed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(thread: &str, message: &str) -> Vec<u8> {
        let (thread, message) = (ThreadId::from(thread), MessageId::from(message));
        let keeper = SealedKeeper::Message(&message);
        SealedPlace { agent: "desk", thread: &thread, subject: None, keeper }.to_bytes()
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

    #[cfg(feature = "tool-servers")]
    #[test]
    fn the_place_of_a_call_has_the_interrupts_and_is_no_messages() {
        let key = InterruptKey::new([1; 32]).unwrap();
        let call_place = |call: &str, interrupts: &[&str]| {
            let (thread, call) = (ThreadId::from("t"), ToolCallId::from(call));
            let ids: Vec<_> = interrupts.iter().map(|id| InterruptId::from(*id)).collect();
            let call = InterruptedCall { id: &call, interrupts: &ids.iter().collect::<Vec<_>>() };
            SealedPlace { agent: "desk", thread: &thread, subject: None, keeper: SealedKeeper::Call(call) }
                .to_bytes()
        };
        let sealed = key.seal(&call_place("c", &["i", "j"]), "[]").unwrap();
        assert!(key.open(&call_place("c", &["i", "j"]), &sealed).is_some());
        let others = [
            call_place("d", &["i", "j"]),
            call_place("c", &["i"]),
            call_place("c", &["i", "k"]),
            call_place("c", &["ij"]),
            call_place("c", &[]),
            place("t", "c"),
            place("t", "call#c"),
            place("t", "interrupted call"),
        ];
        for (at, other) in others.iter().enumerate() {
            assert_eq!(key.open(other, &sealed), None, "{at}");
        }
        // A message's id is one part, whatever it says.
        let named = key.seal(&place("t", "interrupted callc"), "[]").unwrap();
        assert_eq!(key.open(&call_place("c", &[]), &named), None);
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
