//! The token behind the id of a question: what the question was about, and a code that only the server can make.
//!
//! ```text
//! wire id = id "." base64url( form ‖ run ‖ call? ‖ expiry? ‖ code )
//!
//! form     1 byte    0x10, plus 1 where a call follows, plus 2 where an expiry follows
//! run      16 bytes  the beginning of SHA-256 over the id of the run that asked
//! call     32 bytes  SHA-256 over id, tool and arguments of the call
//! expiry    8 bytes  milliseconds since 1970, big-endian
//! code     16 bytes  the beginning of HMAC-SHA-256 over label ‖ agent ‖ thread ‖ id ‖ the token before the code
//! ```
//!
//! Agent, thread and id stand behind their lengths, and the form says which of the other parts there are: so no two questions are the same
//! to the code, whatever their ids hold. The code is shortened to 128 bits, half of the hash (RFC 2104, section 5). The longest
//! token has 98 characters.

use std::time::{Duration, SystemTime};

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use sha2::{Digest, Sha256};

use super::call::CallDigest;
use super::key::{CODE_LEN, InterruptKey};
use crate::protocol::{InterruptId, RunId, ThreadId};

/// Between id and token; no token has it.
const SEPARATOR: char = '.';

const FORM: u8 = 0x10;
const HAS_CALL: u8 = 1;
const HAS_EXPIRY: u8 = 2;

const RUN_LEN: usize = 16;

/// Characters of the longest token.
const LONGEST: usize = (1 + RUN_LEN + CallDigest::LEN + 8 + CODE_LEN) * 4 / 3 + 1;

/// Where a question is asked: an answer to it counts nowhere else.
pub(super) struct Place<'p> {
    /// The name of the agent. One server may have another agent with the same tools and questions.
    pub(super) agent: &'p str,
    pub(super) thread: &'p ThreadId,
}

impl Place<'_> {
    fn of<'t>(&'t self, id: &'t str) -> [&'t str; 3] {
        [self.agent, self.thread.as_str(), id]
    }
}

/// What a token says of its question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Claims {
    run: [u8; RUN_LEN],
    pub(super) call: Option<CallDigest>,
    /// Milliseconds since 1970.
    expires_at: Option<i64>,
}

impl Claims {
    pub(super) fn new(run: &RunId, call: Option<CallDigest>, expires_at: Option<SystemTime>) -> Self {
        let whole: [u8; 32] = Sha256::digest(run.as_str()).into();
        let mut run = [0; RUN_LEN];
        run.iter_mut().zip(whole).for_each(|(byte, of_whole)| *byte = of_whole);
        Self { run, call, expires_at: expires_at.map(millis) }
    }

    /// Whether it is too late. Without a clock, it is for every question that expires at all.
    pub(super) fn is_expired(&self, now: Option<SystemTime>) -> bool {
        self.expires_at.is_some_and(|at| now.is_none_or(|now| at <= millis(now)))
    }

    fn write(&self) -> Vec<u8> {
        let call = if self.call.is_some() { HAS_CALL } else { 0 };
        let expiry = if self.expires_at.is_some() { HAS_EXPIRY } else { 0 };
        let mut bytes = vec![FORM | call | expiry];
        bytes.extend(self.run);
        bytes.extend(self.call.iter().flat_map(|call| call.0));
        bytes.extend(self.expires_at.iter().flat_map(|at| at.to_be_bytes()));
        bytes
    }

    fn read(bytes: &[u8]) -> Option<Self> {
        let (form, rest) = bytes.split_first()?;
        let parts = form ^ FORM;
        if parts & !(HAS_CALL | HAS_EXPIRY) != 0 {
            return None;
        }
        let (run, mut rest) = rest.split_first_chunk()?;
        let mut claims = Self { run: *run, call: None, expires_at: None };
        if parts & HAS_CALL != 0 {
            let (call, after) = rest.split_first_chunk()?;
            (claims.call, rest) = (Some(CallDigest(*call)), after);
        }
        if parts & HAS_EXPIRY != 0 {
            let (at, after) = rest.split_first_chunk()?;
            (claims.expires_at, rest) = (Some(i64::from_be_bytes(*at)), after);
        }
        rest.is_empty().then_some(claims)
    }
}

/// Rounded down, so that a question is never open for longer than it says.
fn millis(time: SystemTime) -> i64 {
    let whole = |since: Duration| i64::try_from(since.as_millis()).unwrap_or(i64::MAX);
    match time.duration_since(SystemTime::UNIX_EPOCH) {
        Ok(since) => whole(since),
        Err(before) => -whole(before.duration()),
    }
}

/// The id with its token.
pub(super) fn sign(key: &InterruptKey, place: &Place<'_>, id: &InterruptId, claims: &Claims) -> InterruptId {
    let mut bytes = claims.write();
    let code = key.code(&place.of(id.as_str()), &bytes);
    bytes.extend(code);
    format!("{id}{SEPARATOR}{}", URL_SAFE_NO_PAD.encode(bytes)).into()
}

/// The id that was signed there, and what its token says; `None` where this is no such id.
pub(super) fn read(
    key: &InterruptKey,
    place: &Place<'_>,
    wire_id: &InterruptId,
) -> Option<(InterruptId, Claims)> {
    let (id, token) = wire_id.as_str().rsplit_once(SEPARATOR)?;
    if token.len() > LONGEST {
        return None;
    }
    let bytes = URL_SAFE_NO_PAD.decode(token).ok()?;
    let (said, code) = bytes.split_last_chunk::<CODE_LEN>()?;
    if !key.has_made(code, &place.of(id), said) {
        return None;
    }
    Some((id.into(), Claims::read(said)?))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn key() -> InterruptKey {
        InterruptKey::new([7; 32]).unwrap()
    }

    /// Ids with what a careless encoding would take for a border.
    fn id() -> impl Strategy<Value = String> {
        let parts = ["", ".", "#", "/", "~", "a", "aa", "\0", "\u{1}", "é", "EAAA", "x-interrupt-1"];
        let hostile = proptest::collection::vec(proptest::sample::select(parts.to_vec()), 0..6);
        prop_oneof![hostile.prop_map(|parts| parts.concat()), ".{0,12}", "a{0,300}"]
    }

    fn claims() -> impl Strategy<Value = Claims> {
        let call = proptest::option::of(
            proptest::sample::select(vec![0_u8, 1]).prop_map(|byte| CallDigest([byte; 32])),
        );
        let expires_at = proptest::option::of(prop_oneof![Just(0), Just(-1), Just(1), any::<i64>()]);
        (proptest::sample::select(vec![0_u8, 1]), call, expires_at)
            .prop_map(|(run, call, expires_at)| Claims { run: [run; RUN_LEN], call, expires_at })
    }

    proptest! {
        #[test]
        fn what_is_signed_is_read_at_its_place_and_at_no_other(
            agent in id(), thread in id(), other in id(), id in id(), claims in claims(),
        ) {
            let (thread, id) = (ThreadId::from(thread), InterruptId::from(id));
            let place = Place { agent: &agent, thread: &thread };
            let signed = sign(&key(), &place, &id, &claims);
            prop_assert_eq!(read(&key(), &place, &signed), Some((id, claims)));
            prop_assert!(signed.as_str().rsplit_once(SEPARATOR).unwrap().1.len() <= LONGEST);
            if thread != *other {
                let elsewhere = Place { agent: &agent, thread: &other.as_str().into() };
                prop_assert_eq!(read(&key(), &elsewhere, &signed), None);
            }
            if agent != other {
                prop_assert_eq!(read(&key(), &Place { agent: &other, thread: &thread }, &signed), None);
            }
        }

        /// The code takes its input as one run of bytes, so two questions must never be the same run of bytes.
        #[test]
        fn two_questions_never_share_a_code(
            one in (id(), id(), id(), claims()), other in (id(), id(), id(), claims()),
        ) {
            let code = |(agent, thread, id, claims): &(String, String, String, Claims)| {
                key().code(&Place { agent, thread: &thread.as_str().into() }.of(id), &claims.write())
            };
            prop_assert_eq!(code(&one) == code(&other), one == other);
        }

        #[test]
        fn moving_the_border_between_two_texts_changes_the_code(text in "[.#a]{1,12}", at in 0_usize..12) {
            let at = at % text.len();
            let code = |at: usize| key().code(&[&text[..at], &text[at..]], b"");
            prop_assert_ne!(code(at), code(at + 1));
        }

        #[test]
        fn no_text_is_read_that_was_not_signed(text in ".{0,200}") {
            prop_assert_eq!(read(&key(), &Place { agent: "a", thread: &"t".into() }, &text.into()), None);
        }
    }

    #[test]
    fn every_bit_of_a_token_counts() {
        let thread = ThreadId::from("t");
        let place = Place { agent: "a", thread: &thread };
        let claims = Claims { run: [3; RUN_LEN], call: Some(CallDigest([4; 32])), expires_at: Some(5) };
        let signed = sign(&key(), &place, &"send".into(), &claims);
        let bytes = URL_SAFE_NO_PAD.decode(signed.as_str().strip_prefix("send.").unwrap()).unwrap();
        for bit in 0..bytes.len() * 8 {
            let mut changed = bytes.clone();
            changed[bit / 8] ^= 1 << (bit % 8);
            let changed = format!("send.{}", URL_SAFE_NO_PAD.encode(changed));
            assert_eq!(read(&key(), &place, &changed.into()), None, "bit {bit}");
        }
        for length in 0..bytes.len() {
            let cut = format!("send.{}", URL_SAFE_NO_PAD.encode(&bytes[..length]));
            assert_eq!(read(&key(), &place, &cut.into()), None, "{length} bytes");
        }
    }

    #[test]
    fn bytes_that_are_no_claims_are_none_even_when_signed() {
        for bytes in [&[][..], &[FORM], &[0; 17], &[FORM | 4; 17], &[FORM | HAS_CALL; 17], &[FORM; 18]] {
            assert_eq!(Claims::read(bytes), None, "{bytes:?}");
        }
    }
}
