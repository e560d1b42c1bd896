//! The token behind an interrupt id: claims about the interrupt, and a code that only the server can make.
//!
//! ```text
//! wire id = id "." base64url( form ‖ run ‖ call? ‖ asked? ‖ expiry? ‖ code )
//!
//! form     1 byte    0x40, plus 1 if a call follows, 2 if an expiry follows, 4 if the time of asking follows
//! run      16 bytes  the beginning of SHA-256 over the id of the run that asked
//! call     40 bytes  the beginning of SHA-256 over the id of the call (8 bytes); SHA-256 over its id, tool and arguments
//! asked     8 bytes  when the question was asked, in milliseconds since 1970, big-endian
//! expiry    8 bytes  when it expires, the same way
//! code     16 bytes  the beginning of HMAC-SHA-256 over label ‖ agent ‖ thread ‖ subject ‖ id ‖ the token before the code
//! ```
//!
//! Agent, thread, subject and id are hashed after their lengths, and the form lists the other parts that exist, so two interrupts'
//! codes never cover the same bytes. A subject is hashed as `=` and its text, and an absent subject as an empty text. The code is
//! shortened to 128 bits, half the hash (RFC 2104, section 5). The longest token has 119 characters.

use std::time::{Duration, SystemTime};

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use hmac_sha256::Hash as Sha256;

use super::call::CallDigest;
use super::key::{CODE_LEN, InterruptCodes, beginning, hashed};
use crate::protocol::{InterruptId, RunId};

/// Separates the id from the token, which never contains this character.
const SEPARATOR: char = '.';

const FORM: u8 = 0x40;
const HAS_CALL: u8 = 1;
const HAS_EXPIRY: u8 = 2;
const HAS_TIME: u8 = 4;

const RUN_LEN: usize = 16;

/// Maximum token length in characters.
const LONGEST: usize = (1 + RUN_LEN + CallDigest::LEN + 8 + 8 + CODE_LEN) * 4 / 3 + 1;

/// First bytes of SHA-256 over a run id.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct RunDigest([u8; RUN_LEN]);

impl RunDigest {
    pub(super) fn from_run(run: &RunId) -> Self {
        hashed::count(run.as_str().as_bytes());
        Self(beginning(Sha256::hash(run.as_str().as_bytes())))
    }
}

/// A token's claims about its interrupt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TokenClaims {
    run: RunDigest,
    pub(super) call: Option<CallDigest>,
    /// When the interrupt was raised, in milliseconds since 1970, like `expires_at`.
    pub(super) asked_at: Option<i64>,
    pub(super) expires_at: Option<i64>,
}

impl TokenClaims {
    pub(super) fn new(
        run: RunDigest,
        call: Option<CallDigest>,
        asked_at: Option<SystemTime>,
        expires_at: Option<SystemTime>,
    ) -> Self {
        Self { run, call, asked_at: asked_at.map(millis), expires_at: expires_at.map(millis) }
    }

    fn write(&self) -> Vec<u8> {
        let call = if self.call.is_some() { HAS_CALL } else { 0 };
        let expiry = if self.expires_at.is_some() { HAS_EXPIRY } else { 0 };
        let time = if self.asked_at.is_some() { HAS_TIME } else { 0 };
        let mut bytes = vec![FORM | call | expiry | time];
        bytes.extend(self.run.0);
        bytes.extend(self.call.into_iter().flat_map(CallDigest::bytes));
        bytes.extend(self.asked_at.iter().flat_map(|at| at.to_be_bytes()));
        bytes.extend(self.expires_at.iter().flat_map(|at| at.to_be_bytes()));
        bytes
    }

    fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let (form, rest) = bytes.split_first()?;
        let parts = form ^ FORM;
        if parts & !(HAS_CALL | HAS_EXPIRY | HAS_TIME) != 0 {
            return None;
        }
        let (run, mut rest) = rest.split_first_chunk()?;
        let mut claims = Self { run: RunDigest(*run), call: None, asked_at: None, expires_at: None };
        if parts & HAS_CALL != 0 {
            let (call, after) = CallDigest::split(rest)?;
            (claims.call, rest) = (Some(call), after);
        }
        if parts & HAS_TIME != 0 {
            let (at, after) = rest.split_first_chunk()?;
            (claims.asked_at, rest) = (Some(i64::from_be_bytes(*at)), after);
        }
        if parts & HAS_EXPIRY != 0 {
            let (at, after) = rest.split_first_chunk()?;
            (claims.expires_at, rest) = (Some(i64::from_be_bytes(*at)), after);
        }
        rest.is_empty().then_some(claims)
    }
}

/// Returns milliseconds since 1970, rounded down, so that an interrupt is never open longer than its expiry says.
pub(super) fn millis(time: SystemTime) -> i64 {
    let whole = |since: Duration| i64::try_from(since.as_millis()).unwrap_or(i64::MAX);
    match time.duration_since(SystemTime::UNIX_EPOCH) {
        Ok(since) => whole(since),
        Err(before) => -whole(before.duration()),
    }
}

/// Appends the token to the id.
pub(super) fn append_token(codes: &InterruptCodes, id: &InterruptId, claims: &TokenClaims) -> InterruptId {
    let mut bytes = claims.write();
    let code = codes.code(id.as_str(), &bytes);
    bytes.extend(code);
    format!("{id}{SEPARATOR}{}", URL_SAFE_NO_PAD.encode(bytes)).into()
}

/// An interrupt with a valid signature.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct SignedInterrupt {
    /// The id that the agent gave.
    pub(super) id: InterruptId,
    pub(super) claims: TokenClaims,
    pub(super) code: [u8; CODE_LEN],
}

/// Returns the signed interrupt, or `None` for an unsigned id.
pub(super) fn read(codes: &InterruptCodes, wire_id: &InterruptId) -> Option<SignedInterrupt> {
    let (id, token) = wire_id.as_str().rsplit_once(SEPARATOR)?;
    if token.len() > LONGEST {
        return None;
    }
    let bytes = URL_SAFE_NO_PAD.decode(token).ok()?;
    let (said, code) = bytes.split_last_chunk::<CODE_LEN>()?;
    if !codes.has_made(code, id, said) {
        return None;
    }
    Some(SignedInterrupt { id: id.into(), claims: TokenClaims::from_bytes(said)?, code: *code })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::consent::InterruptKey;
    use crate::consent::signed::place::InterruptOrigin;
    use crate::protocol::ThreadId;

    fn key() -> InterruptKey {
        InterruptKey::new([7; 32]).unwrap()
    }

    fn codes(place: InterruptOrigin<'_>) -> InterruptCodes {
        place.codes(&key())
    }

    /// Ids with characters that a careless encoding would take for a separator.
    fn id() -> impl Strategy<Value = String> {
        let parts = ["", ".", "#", "/", "~", "a", "aa", "\0", "\u{1}", "é", "EAAA", "x-interrupt-1"];
        let hostile = proptest::collection::vec(proptest::sample::select(parts.to_vec()), 0..6);
        prop_oneof![hostile.prop_map(|parts| parts.concat()), ".{0,12}", "a{0,300}"]
    }

    fn claims() -> impl Strategy<Value = TokenClaims> {
        let call = proptest::option::of(
            proptest::sample::select(vec![0_u8, 1])
                .prop_map(|byte| CallDigest { id: [byte; 8], whole: [byte; 32] }),
        );
        let time = || proptest::option::of(prop_oneof![Just(0), Just(-1), Just(1), any::<i64>()]);
        (proptest::sample::select(vec![0_u8, 1]), call, time(), time()).prop_map(
            |(run, call, asked_at, expires_at)| TokenClaims {
                run: RunDigest([run; RUN_LEN]),
                call,
                asked_at,
                expires_at,
            },
        )
    }

    fn subject() -> impl Strategy<Value = Option<String>> {
        proptest::option::of(id())
    }

    proptest! {
        #[test]
        fn a_signed_question_is_read_at_its_place_and_at_no_other(
            agent in id(), thread in id(), other in id(), id in id(), claims in claims(),
            subject in subject(), other_subject in subject(),
        ) {
            let (thread, id) = (ThreadId::from(thread), InterruptId::from(id));
            let place = InterruptOrigin { agent: &agent, thread: &thread, subject: subject.as_deref() };
            let signed = append_token(&codes(place), &id, &claims);
            let known = read(&codes(place), &signed).unwrap();
            prop_assert_eq!((known.id, known.claims), (id, claims));
            prop_assert!(signed.as_str().rsplit_once(SEPARATOR).unwrap().1.len() <= LONGEST);
            if thread != *other {
                let elsewhere = InterruptOrigin { thread: &other.as_str().into(), ..place };
                prop_assert_eq!(read(&codes(elsewhere), &signed), None);
            }
            if agent != other {
                prop_assert_eq!(read(&codes(InterruptOrigin { agent: &other, ..place }), &signed), None);
            }
            if subject != other_subject {
                let by_another = InterruptOrigin { subject: other_subject.as_deref(), ..place };
                prop_assert_eq!(read(&codes(by_another), &signed), None);
            }
        }

        /// The code covers one byte sequence, so two interrupts must never have the same sequence.
        #[test]
        fn two_questions_never_share_a_code(
            one in (id(), id(), subject(), id(), claims()), other in (id(), id(), subject(), id(), claims()),
        ) {
            let code = |(agent, thread, subject, id, claims): &(String, String, Option<String>, String, TokenClaims)| {
                let thread = thread.as_str().into();
                codes(InterruptOrigin { agent, thread: &thread, subject: subject.as_deref() }).code(id, &claims.write())
            };
            prop_assert_eq!(code(&one) == code(&other), one == other);
        }

        #[test]
        fn moving_the_border_between_two_texts_changes_the_code(text in "[.#a]{1,12}", at in 0_usize..12) {
            let at = at % text.len();
            let code = |at: usize| key().codes(&[&text[..at]]).code(&text[at..], b"");
            prop_assert_ne!(code(at), code(at + 1));
        }

        #[test]
        fn no_text_is_read_that_was_not_signed(text in ".{0,200}") {
            prop_assert_eq!(read(&codes(InterruptOrigin { agent: "a", thread: &"t".into(), subject: None }), &text.into()), None);
        }
    }

    #[test]
    fn every_bit_of_a_token_counts() {
        let thread = ThreadId::from("t");
        let codes = codes(InterruptOrigin { agent: "a", thread: &thread, subject: Some("s") });
        let call = Some(CallDigest { id: [4; 8], whole: [4; 32] });
        let claims =
            TokenClaims { run: RunDigest([3; RUN_LEN]), call, asked_at: Some(4), expires_at: Some(5) };
        let signed = append_token(&codes, &"send".into(), &claims);
        let bytes = URL_SAFE_NO_PAD.decode(signed.as_str().strip_prefix("send.").unwrap()).unwrap();
        for bit in 0..bytes.len() * 8 {
            let mut changed = bytes.clone();
            changed[bit / 8] ^= 1 << (bit % 8);
            let changed = format!("send.{}", URL_SAFE_NO_PAD.encode(changed));
            assert_eq!(read(&codes, &changed.into()), None, "bit {bit}");
        }
        for length in 0..bytes.len() {
            let cut = format!("send.{}", URL_SAFE_NO_PAD.encode(&bytes[..length]));
            assert_eq!(read(&codes, &cut.into()), None, "{length} bytes");
        }
    }

    #[test]
    fn signed_bytes_that_are_not_claims_are_refused() {
        for bytes in [
            &[][..],
            &[FORM],
            &[0; 17],
            &[FORM | 8; 17],
            &[FORM | HAS_CALL; 17],
            &[FORM | HAS_TIME; 17],
            &[FORM; 18],
        ] {
            assert_eq!(TokenClaims::from_bytes(bytes), None, "{bytes:?}");
        }
    }
}
