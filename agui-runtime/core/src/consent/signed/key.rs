//! The secret that signs interrupts.

use std::ffi::OsString;
use std::fmt;
use std::sync::{Arc, OnceLock};

use hmac_sha256::HMAC;

use crate::random;

/// Environment variable for the secret.
const SECRET: &str = "AGUI_SECRET";

/// Environment variable for the previous secret.
const PREVIOUS: &str = "AGUI_SECRET_PREVIOUS";

/// Minimum secret length in bytes.
const SHORTEST: usize = 32;

/// Length of a token's authentication code, in bytes.
pub(super) const CODE_LEN: usize = 16;

const LABEL: &[u8] = b"agui-rust interrupt 2";

/// Separates the key of sealed values from the codes of interrupts.
#[cfg(feature = "model")]
const SEALING_LABEL: &[u8] = b"agui-rust sealed value 1";

/// Signs interrupts, so that a client can resume only interrupts that a run raised (AG-UI 1.0, section "Interrupt and
/// `ResumeEntry`"). See [What you may trust](crate::guide::security#what-you-may-trust).
///
/// Without a key, interrupts are signed with the secret in the environment variable `AGUI_SECRET`. If the variable is not set, the
/// process draws a random secret at start, and then only this process accepts the resume entries. Processes that accept each
/// other's interrupts need the same secret: at least 32 bytes in any text, such as `openssl rand -hex 32` prints. To change the
/// secret, put the previous one into `AGUI_SECRET_PREVIOUS` for as long as its interrupts may be resumed.
///
/// The secret itself is not kept, and `Debug` does not show the key.
///
/// ```
/// use agui_runtime::{InterruptKey, RunOptions};
///
/// # fn secret_of_the_vault() -> Vec<u8> { vec![7; 32] }
/// let key = InterruptKey::new(secret_of_the_vault())?;
/// let options = RunOptions::default().interrupt_key(key);
/// # Ok::<(), agui_runtime::interrupts::InterruptKeyError>(())
/// ```
#[derive(Clone)]
pub struct InterruptKey(Arc<SigningKeys>);

#[derive(Clone)]
struct SigningKeys {
    current: HMAC,
    previous: Option<HMAC>,
}

impl InterruptKey {
    /// Makes an [`InterruptKey`] from a secret: at least 32 bytes, preferably random.
    ///
    /// # Errors
    /// [`InterruptKeyError::Short`] if the secret has fewer bytes.
    pub fn new(secret: impl AsRef<[u8]>) -> Result<Self, InterruptKeyError> {
        Ok(Self(Arc::new(SigningKeys { current: keyed(secret.as_ref(), None)?, previous: None })))
    }

    /// Returns the same key, which also accepts interrupts that a previous secret signed.
    ///
    /// # Errors
    /// [`InterruptKeyError::Short`] if the previous secret has fewer than 32 bytes.
    ///
    /// ```
    /// use agui_runtime::InterruptKey;
    ///
    /// let key = InterruptKey::new([2; 32])?.with_previous([1; 32])?;
    /// # Ok::<(), agui_runtime::interrupts::InterruptKeyError>(())
    /// ```
    pub fn with_previous(mut self, secret: impl AsRef<[u8]>) -> Result<Self, InterruptKeyError> {
        Arc::make_mut(&mut self.0).previous = Some(keyed(secret.as_ref(), None)?);
        Ok(self)
    }

    /// Returns the key for recordings and tests: always the same, and not secret.
    pub(crate) fn for_tests() -> Result<Self, InterruptKeyError> {
        Self::new("this key is public: for tests alone")
    }

    /// Returns the key from the environment, if any.
    fn from_environment(read: impl Fn(&str) -> Option<OsString>) -> Result<Option<Self>, InterruptKeyError> {
        let previous = read(PREVIOUS).map(|secret| keyed(secret.as_encoded_bytes(), Some(PREVIOUS)));
        let Some(secret) = read(SECRET) else {
            return if previous.is_some() { Err(InterruptKeyError::OnlyPrevious) } else { Ok(None) };
        };
        let current = keyed(secret.as_encoded_bytes(), Some(SECRET))?;
        Ok(Some(Self(Arc::new(SigningKeys { current, previous: previous.transpose()? }))))
    }

    fn random() -> Result<Self, InterruptKeyError> {
        let mut secret = [0; SHORTEST];
        random::fill(&mut secret).ok_or(InterruptKeyError::NoRandomness)?;
        Self::new(secret)
    }

    /// Returns the key that encrypts sealed values.
    #[cfg(feature = "model")]
    pub(super) fn sealing_key(&self) -> [u8; 32] {
        sealing(&self.0.current)
    }

    /// Returns the key that encrypted sealed values under the previous secret.
    #[cfg(feature = "model")]
    pub(super) fn previous_sealing_key(&self) -> Option<[u8; 32]> {
        self.0.previous.as_ref().map(sealing)
    }

    /// Returns the code maker for codes that begin with these texts.
    pub(super) fn codes(&self, texts: &[&str]) -> InterruptCodes {
        let begun = |key: &HMAC| {
            let mut mac = key.clone();
            feed(&mut mac, LABEL);
            texts.iter().for_each(|text| feed_text(&mut mac, text));
            mac
        };
        let SigningKeys { current, previous } = &*self.0;
        InterruptCodes(SigningKeys { current: begun(current), previous: previous.as_ref().map(begun) })
    }
}

/// Authentication codes that begin with the same texts. The texts are hashed once, because a client chooses their length and the
/// number of codes in a run.
pub(super) struct InterruptCodes(SigningKeys);

impl InterruptCodes {
    /// Returns the authentication code over an id and its claim bytes.
    pub(super) fn code(&self, id: &str, said: &[u8]) -> [u8; CODE_LEN] {
        beginning(fed(&self.0.current, id, said).finalize())
    }

    /// True if the key, or the previous one, made the code. The comparison takes constant time.
    pub(super) fn has_made(&self, code: &[u8; CODE_LEN], id: &str, said: &[u8]) -> bool {
        let verifies = |key: &HMAC| {
            let mac = fed(key, id, said);
            // The comparison is one of whole codes: the bytes that a token leaves out are taken from the right code.
            let mut whole = mac.clone().finalize();
            whole.iter_mut().zip(code).for_each(|(byte, of_code)| *byte = *of_code);
            mac.finalize_verify(&whole)
        };
        verifies(&self.0.current) || self.0.previous.as_ref().is_some_and(verifies)
    }
}

fn keyed(secret: &[u8], variable: Option<&'static str>) -> Result<HMAC, InterruptKeyError> {
    if secret.len() < SHORTEST {
        return Err(InterruptKeyError::Short { variable, bytes: secret.len() });
    }
    Ok(HMAC::new(secret))
}

fn fed(begun: &HMAC, id: &str, said: &[u8]) -> HMAC {
    let mut mac = begun.clone();
    feed_text(&mut mac, id);
    feed(&mut mac, said);
    mac
}

/// Derives the key that encrypts.
#[cfg(feature = "model")]
fn sealing(key: &HMAC) -> [u8; 32] {
    let mut mac = key.clone();
    mac.update(SEALING_LABEL);
    mac.finalize()
}

fn feed_text(mac: &mut HMAC, text: &str) {
    feed(mac, &(text.len() as u64).to_be_bytes());
    feed(mac, text.as_bytes());
}

fn feed(mac: &mut HMAC, bytes: &[u8]) {
    hashed::count(bytes);
    mac.update(bytes);
}

/// Returns a hash's first bytes.
pub(super) fn beginning<const LEN: usize>(whole: [u8; 32]) -> [u8; LEN] {
    let mut beginning = [0; LEN];
    beginning.iter_mut().zip(whole).for_each(|(byte, of_whole)| *byte = of_whole);
    beginning
}

/// Counts hashed bytes, for tests.
pub(super) mod hashed {
    #[cfg(test)]
    thread_local! {
        static COUNT: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
    }

    #[inline(always)]
    #[cfg_attr(not(test), expect(unused_variables, reason = "only tests count"))]
    pub(in crate::consent::signed) fn count(bytes: &[u8]) {
        #[cfg(test)]
        COUNT.set(COUNT.get() + bytes.len());
    }

    /// Counts the bytes that `work` hashes on this thread.
    #[cfg(test)]
    pub(in crate::consent::signed) fn during(work: impl FnOnce()) -> usize {
        let before = COUNT.get();
        work();
        COUNT.get() - before
    }
}

/// Returns the process key, and true if the key was drawn at random.
///
/// The key belongs to the process, not to a server or an option: a run must recognise interrupts that an earlier run signed, even
/// if only [`start`](crate::start) connects the two.
pub(super) fn process_key() -> Result<(InterruptKey, bool), InterruptKeyError> {
    static KEY: OnceLock<Result<(InterruptKey, bool), InterruptKeyError>> = OnceLock::new();
    KEY.get_or_init(|| match InterruptKey::from_environment(|name| std::env::var_os(name))? {
        Some(key) => Ok((key, false)),
        None => Ok((InterruptKey::random()?, true)),
    })
    .clone()
}

impl fmt::Debug for InterruptKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("InterruptKey").finish_non_exhaustive()
    }
}

impl fmt::Debug for InterruptCodes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Codes").finish_non_exhaustive()
    }
}

/// A secret that cannot sign interrupts.
///
/// ```
/// use agui_runtime::InterruptKey;
/// use agui_runtime::interrupts::InterruptKeyError;
///
/// let error = InterruptKey::new(b"secret").unwrap_err();
/// assert_eq!(error, InterruptKeyError::Short { variable: None, bytes: 6 });
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum InterruptKeyError {
    /// The secret is too short to be hard to guess.
    #[error("{} has {bytes} bytes: expected at least 32, such as `openssl rand -hex 32` writes", .variable.unwrap_or("the secret"))]
    Short {
        /// The environment variable that holds the secret, if any.
        variable: Option<&'static str>,
        /// Secret length in bytes.
        bytes: usize,
    },
    /// A previous secret is set without a current one.
    #[error("AGUI_SECRET_PREVIOUS is set and AGUI_SECRET is not: set both, or neither")]
    OnlyPrevious,
    /// No secret was given, and the system has no random numbers to make one.
    #[error(
        "this system has no random numbers to sign interrupts with: give `RunOptions::interrupt_key` a key"
    )]
    NoRandomness,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key_of(
        secret: Option<&str>,
        previous: Option<&str>,
    ) -> Result<Option<InterruptKey>, InterruptKeyError> {
        InterruptKey::from_environment(|name| match name {
            SECRET => secret.map(OsString::from),
            PREVIOUS => previous.map(OsString::from),
            other => panic!("{other} is read"),
        })
    }

    const LONG: &str = "0123456789abcdef0123456789abcdef";
    const OTHER: &str = "another secret that is long enough";

    #[test]
    fn the_environment_gives_a_key_or_an_error_and_never_something_weaker() {
        let short = |variable, bytes| InterruptKeyError::Short { variable: Some(variable), bytes };
        assert!(key_of(None, None).unwrap().is_none());
        assert!(key_of(Some(LONG), None).unwrap().is_some());
        assert!(key_of(Some(LONG), Some(OTHER)).unwrap().is_some());
        assert_eq!(key_of(Some(""), None).unwrap_err(), short(SECRET, 0));
        assert_eq!(key_of(Some(&LONG[1..]), None).unwrap_err(), short(SECRET, 31));
        assert_eq!(key_of(Some(LONG), Some("old")).unwrap_err(), short(PREVIOUS, 3));
        assert_eq!(key_of(None, Some(OTHER)).unwrap_err(), InterruptKeyError::OnlyPrevious);
        assert_eq!(
            key_of(Some("short"), None).unwrap_err().to_string(),
            "AGUI_SECRET has 5 bytes: expected at least 32, such as `openssl rand -hex 32` writes"
        );
    }

    #[test]
    fn a_key_accepts_its_own_codes_and_those_of_the_previous_one() {
        let code = |key: &InterruptKey| key.codes(&["t"]).code("i", b"said");
        let (old, new) = (InterruptKey::new(LONG).unwrap(), InterruptKey::new(OTHER).unwrap());
        let rotated = key_of(Some(OTHER), Some(LONG)).unwrap().unwrap();
        let knows = |key: &InterruptKey, code| key.codes(&["t"]).has_made(&code, "i", b"said");
        assert!(knows(&rotated, code(&old)) && knows(&rotated, code(&new)) && knows(&new, code(&rotated)));
        assert!(!knows(&new, code(&old)) && !knows(&old, code(&rotated)));
        assert_ne!(code(&InterruptKey::random().unwrap()), code(&InterruptKey::random().unwrap()));
    }

    #[test]
    fn debug_does_not_show_the_key() {
        let key = InterruptKey::new(LONG).unwrap().with_previous(OTHER).unwrap();
        assert_eq!(format!("{key:?}"), "InterruptKey { .. }");
        assert_eq!(format!("{:?}", key.codes(&["t"])), "Codes { .. }");
    }
}
