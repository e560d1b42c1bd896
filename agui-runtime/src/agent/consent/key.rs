use std::ffi::OsString;
use std::fmt;
use std::sync::{Arc, OnceLock};

use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

/// The environment variable that holds the secret.
const SECRET: &str = "AGUI_SECRET";

/// The one that holds the secret before it.
const PREVIOUS: &str = "AGUI_SECRET_PREVIOUS";

/// How many bytes a secret has at least.
const SHORTEST: usize = 32;

/// How many bytes of the authentication code travel.
pub(super) const CODE_LEN: usize = 16;

const LABEL: &[u8] = b"agui-rust interrupt 1";

/// The secret that signs the questions of interrupted runs, so that only questions which were asked can be answered (AG-UI 1.0,
/// section "Interrupt and `ResumeEntry`"). See [What you may trust](crate#what-you-may-trust).
///
/// Without one, questions are signed with the secret in the environment variable `AGUI_SECRET`, or if that is not set, with one
/// drawn at random when the process starts; then an answer counts in that process alone. Processes that answer for each other need
/// the same secret: at least 32 bytes of any text, such as `openssl rand -hex 32` writes. To change it, put the old one into
/// `AGUI_SECRET_PREVIOUS` for as long as its questions may be answered.
///
/// The secret itself is not kept, and `Debug` does not show what is.
///
/// ```
/// use agui_runtime::{InterruptKey, RunOptions};
///
/// # fn secret_of_the_vault() -> Vec<u8> { vec![7; 32] }
/// let key = InterruptKey::new(secret_of_the_vault())?;
/// let options = RunOptions::default().interrupt_key(key);
/// # Ok::<(), agui_runtime::InterruptKeyError>(())
/// ```
#[derive(Clone)]
pub struct InterruptKey(Arc<Keys>);

#[derive(Clone)]
struct Keys {
    current: Hmac<Sha256>,
    previous: Option<Hmac<Sha256>>,
}

impl InterruptKey {
    /// A key of this secret: at least 32 bytes, best drawn at random.
    ///
    /// # Errors
    /// [`InterruptKeyError::Short`] when it has fewer bytes.
    ///
    /// ```
    /// use agui_runtime::InterruptKey;
    ///
    /// assert!(InterruptKey::new("secret").is_err());
    /// assert!(InterruptKey::new("5f1d…, as long as it has 32 bytes").is_ok());
    /// ```
    pub fn new(secret: impl AsRef<[u8]>) -> Result<Self, InterruptKeyError> {
        Ok(Self(Arc::new(Keys { current: keyed(secret.as_ref(), None)?, previous: None })))
    }

    /// The same key, which also accepts answers to questions that an older secret signed.
    ///
    /// # Errors
    /// [`InterruptKeyError::Short`] when the older secret has fewer than 32 bytes.
    ///
    /// ```
    /// use agui_runtime::InterruptKey;
    ///
    /// let key = InterruptKey::new([2; 32])?.with_previous([1; 32])?;
    /// # Ok::<(), agui_runtime::InterruptKeyError>(())
    /// ```
    pub fn with_previous(mut self, secret: impl AsRef<[u8]>) -> Result<Self, InterruptKeyError> {
        Arc::make_mut(&mut self.0).previous = Some(keyed(secret.as_ref(), None)?);
        Ok(self)
    }

    /// The key of recordings and tests, which is the same each time and no secret.
    pub(crate) fn for_tests() -> Result<Self, InterruptKeyError> {
        Self::new("this key is public: for tests alone")
    }

    /// What the environment says, if it says anything.
    fn of_variables(read: impl Fn(&str) -> Option<OsString>) -> Result<Option<Self>, InterruptKeyError> {
        let previous = read(PREVIOUS).map(|secret| keyed(secret.as_encoded_bytes(), Some(PREVIOUS)));
        let Some(secret) = read(SECRET) else {
            return if previous.is_some() { Err(InterruptKeyError::OnlyPrevious) } else { Ok(None) };
        };
        let current = keyed(secret.as_encoded_bytes(), Some(SECRET))?;
        Ok(Some(Self(Arc::new(Keys { current, previous: previous.transpose()? }))))
    }

    #[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
    fn random() -> Result<Self, InterruptKeyError> {
        let mut secret = [0; SHORTEST];
        getrandom::fill(&mut secret).map_err(|_| InterruptKeyError::NoRandomness)?;
        Self::new(secret)
    }

    /// There the system draws no random numbers.
    #[cfg(all(target_family = "wasm", target_os = "unknown"))]
    fn random() -> Result<Self, InterruptKeyError> {
        Err(InterruptKeyError::NoRandomness)
    }

    /// The code of texts and what is said about them.
    pub(super) fn code(&self, texts: &[&str], said: &[u8]) -> [u8; CODE_LEN] {
        let whole: [u8; 32] = fed(&self.0.current, texts, said).finalize().into_bytes().into();
        let mut code = [0; CODE_LEN];
        code.iter_mut().zip(whole).for_each(|(byte, of_whole)| *byte = of_whole);
        code
    }

    /// Whether this key, or the one before it, made the code of these. The time it takes does not say how much of it was right.
    pub(super) fn has_made(&self, code: &[u8; CODE_LEN], texts: &[&str], said: &[u8]) -> bool {
        let verifies = |key: &Hmac<Sha256>| fed(key, texts, said).verify_truncated_left(code).is_ok();
        verifies(&self.0.current) || self.0.previous.as_ref().is_some_and(verifies)
    }
}

fn keyed(secret: &[u8], variable: Option<&'static str>) -> Result<Hmac<Sha256>, InterruptKeyError> {
    let short = || InterruptKeyError::Short { variable, bytes: secret.len() };
    if secret.len() < SHORTEST {
        return Err(short());
    }
    Hmac::new_from_slice(secret).map_err(|_| short())
}

fn fed(key: &Hmac<Sha256>, texts: &[&str], said: &[u8]) -> Hmac<Sha256> {
    let mut mac = key.clone();
    mac.update(LABEL);
    for text in texts {
        mac.update(&(text.len() as u64).to_be_bytes());
        mac.update(text.as_bytes());
    }
    mac.update(said);
    mac
}

/// The key of the process, and whether it was drawn at random.
///
/// It belongs to the process, and not to a server or an option: a run has to recognise what an earlier run signed, also where no more
/// than [`start`](crate::start) connects the two.
pub(super) fn of_process() -> Result<(InterruptKey, bool), InterruptKeyError> {
    static KEY: OnceLock<Result<(InterruptKey, bool), InterruptKeyError>> = OnceLock::new();
    KEY.get_or_init(|| match InterruptKey::of_variables(|name| std::env::var_os(name))? {
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

/// A secret that cannot sign questions.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum InterruptKeyError {
    /// It is too short to be hard to guess.
    #[error("{} has {bytes} bytes: expected at least 32, such as `openssl rand -hex 32` writes", .variable.unwrap_or("the secret"))]
    Short {
        /// The environment variable it was read from, if it was.
        variable: Option<&'static str>,
        /// How many bytes it has.
        bytes: usize,
    },
    /// There is an older secret, and none that follows it.
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
        InterruptKey::of_variables(|name| match name {
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
    fn a_new_key_knows_what_the_one_before_it_signed_and_no_other() {
        let code = |key: &InterruptKey| key.code(&["t", "i"], b"said");
        let (old, new) = (InterruptKey::new(LONG).unwrap(), InterruptKey::new(OTHER).unwrap());
        let rotated = key_of(Some(OTHER), Some(LONG)).unwrap().unwrap();
        let knows = |key: &InterruptKey, code| key.has_made(&code, &["t", "i"], b"said");
        assert!(knows(&rotated, code(&old)) && knows(&rotated, code(&new)) && knows(&new, code(&rotated)));
        assert!(!knows(&new, code(&old)) && !knows(&old, code(&rotated)));
        assert_ne!(code(&InterruptKey::random().unwrap()), code(&InterruptKey::random().unwrap()));
    }

    #[test]
    fn a_key_shows_nothing_of_itself() {
        let key = InterruptKey::new(LONG).unwrap().with_previous(OTHER).unwrap();
        assert_eq!(format!("{key:?}"), "InterruptKey { .. }");
    }
}
