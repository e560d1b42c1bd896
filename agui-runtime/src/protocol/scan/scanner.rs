//! Where a scan is in its text.

use std::borrow::Cow;
use std::sync::Arc;

use super::KnownIds;

/// Deeper than this is for careful reading, which knows where to stop.
const DEEPEST: usize = 100;

/// A place in a JSON text.
pub(crate) struct Scanner<'t> {
    text: &'t str,
    at: usize,
    /// How many objects and lists it is inside of.
    depth: usize,
    /// Whether the text is known to be JSON that serde_json reads, however deep.
    checked: bool,
    /// The ids of what was read before, where there is a before.
    ids: Option<&'t mut KnownIds>,
}

impl<'t> Scanner<'t> {
    pub(crate) fn new(text: &'t str, ids: &'t mut KnownIds) -> Self {
        let mut scanner = Self { text, at: 0, depth: 0, checked: false, ids: Some(ids) };
        scanner.space();
        scanner
    }

    /// For text that serde_json was seen to read: what is free-form in it stays text.
    pub(crate) fn checked(text: &'t str) -> Self {
        let mut scanner = Self { text, at: 0, depth: 0, checked: true, ids: None };
        scanner.space();
        scanner
    }

    #[inline]
    pub(crate) fn is_checked(&self) -> bool {
        self.checked
    }

    fn is_too_deep(&self) -> bool {
        self.depth > DEEPEST && !self.checked
    }

    /// Whether all has been read.
    pub(crate) fn is_at_end(&mut self) -> bool {
        self.space();
        self.at == self.text.len()
    }

    #[inline]
    pub(super) fn rest(&self) -> &'t [u8] {
        self.text.as_bytes().get(self.at..).unwrap_or_default()
    }

    #[inline]
    pub(crate) fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    #[inline]
    pub(super) fn next(&mut self) -> Option<u8> {
        let byte = self.peek()?;
        self.at += 1;
        Some(byte)
    }

    #[inline]
    pub(crate) fn expect(&mut self, byte: u8) -> Option<()> {
        (self.next()? == byte).then_some(())
    }

    #[inline]
    pub(super) fn skip(&mut self, len: usize) {
        self.at += len;
    }

    /// The next `len` bytes as text.
    #[inline]
    pub(super) fn take(&mut self, len: usize) -> Option<&'t str> {
        let end = self.at + len;
        let text = self.text.get(self.at..end)?;
        self.at = end;
        Some(text)
    }

    /// Where the scan is, to go [back to](Self::back_to).
    pub(super) fn mark(&self) -> (usize, usize) {
        (self.at, self.depth)
    }

    pub(super) fn back_to(&mut self, mark: (usize, usize)) {
        (self.at, self.depth) = mark;
    }

    /// How many bytes `look` goes over. The scan itself stays where it is.
    pub(super) fn measure(&mut self, look: impl FnOnce(&mut Self) -> Option<()>) -> Option<usize> {
        let start = self.at;
        self.ahead(|scanner| look(scanner).map(|()| scanner.at - start))
    }

    /// What `look` finds from here on. The scan itself stays where it is.
    pub(crate) fn ahead<R>(&mut self, look: impl FnOnce(&mut Self) -> R) -> R {
        let mark = self.mark();
        let found = look(self);
        self.back_to(mark);
        found
    }

    #[inline]
    pub(crate) fn space(&mut self) {
        while let Some(b' ' | b'\n' | b'\r' | b'\t') = self.peek() {
            self.at += 1;
        }
    }

    /// An id, shared with the events before.
    pub(crate) fn share(&mut self, text: &str) -> Arc<str> {
        match &mut self.ids {
            Some(ids) => ids.share(text),
            None => Arc::from(text),
        }
    }

    /// Into an object or a list.
    #[inline]
    pub(crate) fn open(&mut self, brace: u8) -> Option<()> {
        self.expect(brace)?;
        self.depth += 1;
        (!self.is_too_deep()).then_some(())
    }

    /// The next key of an object, up to its value; `Some(None)` at the end of the object.
    pub(crate) fn key(&mut self, first: &mut bool) -> Option<Option<&'t str>> {
        self.space();
        match (self.next()?, *first) {
            (b'}', _) => {
                self.depth = self.depth.checked_sub(1)?;
                return Some(None);
            }
            (b'"', true) => {}
            (b',', false) => {
                self.space();
                self.expect(b'"')?;
            }
            _ => return None,
        }
        *first = false;
        let key = self.plain_rest()?;
        self.space();
        self.expect(b':')?;
        self.space();
        Some(Some(key))
    }

    /// Up to the value of the next member, if this is its key in its plainest spelling. Else nothing happens: [`key`](Self::key) will
    /// say what it is. Most writers write in one order, so a guess costs less than to look.
    ///
    /// `key` is what [`print::key`](crate::protocol::print::key) makes of its name: with a length known to the compiler, it is compared in
    /// a few instructions.
    #[inline]
    pub(crate) fn is_key<const LEN: usize>(&mut self, first: &mut bool, key: &[u8; LEN]) -> bool {
        let rest = self.rest();
        let found = match key.split_first() {
            Some((_comma, key)) if *first => rest.starts_with(key),
            _ => rest.first_chunk() == Some(key),
        };
        if found {
            self.at += LEN - usize::from(*first);
            *first = false;
            self.space();
        }
        found
    }

    /// Whether the object ends here, in its plainest spelling: behind a member, that saves the guesses at all others.
    #[inline]
    pub(crate) fn is_at_brace(&self) -> bool {
        self.peek() == Some(b'}')
    }

    /// Up to the next element of a list, or the next member of an object; `Some(false)` at the end, which is this brace.
    #[inline]
    pub(crate) fn element(&mut self, first: &mut bool, end: u8) -> Option<bool> {
        self.space();
        match (self.peek()?, *first) {
            (brace, _) if brace == end => {
                self.at += 1;
                self.depth = self.depth.checked_sub(1)?;
                return Some(false);
            }
            (_, true) => {}
            (b',', false) => {
                self.at += 1;
                self.space();
            }
            _ => return None,
        }
        *first = false;
        Some(true)
    }

    /// Into an object of a union: its tag, and `key` if that was the first member, behind which the scan goes on. Else it goes on
    /// behind the brace.
    ///
    /// `member` is what [`print::key`](crate::protocol::print::key) makes of the key.
    #[inline]
    pub(crate) fn tag<const LEN: usize>(
        &mut self,
        key: &'static str,
        member: &[u8; LEN],
    ) -> Option<(&'t str, Option<&'static str>)> {
        self.open(b'{')?;
        let start = self.at;
        let mut first = true;
        if self.is_key(&mut first, member) || self.key(&mut first)?? == key {
            return Some((self.plain()?, Some(key)));
        }
        loop {
            self.skip_value()?;
            if self.key(&mut first)?? == key {
                let tag = self.plain()?;
                self.at = start;
                return Some((tag, None));
            }
        }
    }

    /// The text of a value.
    pub(crate) fn value_text(&mut self) -> Option<&'t str> {
        let start = self.at;
        self.skip_value()?;
        self.text.get(start..self.at)
    }

    /// Whether the value here is `null`.
    pub(crate) fn is_null(&self) -> bool {
        self.rest().starts_with(b"null")
    }

    /// How many elements to make room for where a list begins. In checked text, which may be large, they are counted: a list that
    /// grows would take up to three times the room. No element takes more than five times the room of its shortest text.
    #[inline]
    pub(super) fn expected_len<T>(&mut self) -> usize {
        if self.checked { self.count::<T>().unwrap_or_default() } else { 0 }
    }

    fn count<T>(&mut self) -> Option<usize> {
        let start = self.at;
        let (count, len) = self.ahead(|scanner| Some((scanner.elements()?, scanner.at - start)))?;
        Some(count.min(len.saturating_mul(5) / size_of::<T>().max(1)))
    }

    /// How many elements the list here has; behind it then.
    fn elements(&mut self) -> Option<usize> {
        self.open(b'[')?;
        let (mut count, mut first) = (0, true);
        while self.element(&mut first, b']')? {
            self.skip_value()?;
            count += 1;
        }
        Some(count)
    }

    /// The key of the member here, up to its value; in whatever spelling.
    pub(crate) fn any_key(&mut self) -> Option<Cow<'t, str>> {
        let key = self.string()?;
        self.space();
        self.expect(b':')?;
        self.space();
        Some(key)
    }

    /// The string under a key of the object here, if it is one. The scan itself stays where it is.
    #[cfg(feature = "server")]
    pub(crate) fn string_member(&mut self, key: &str) -> Option<Cow<'t, str>> {
        self.ahead(|scanner| {
            scanner.open(b'{')?;
            let mut first = true;
            while scanner.element(&mut first, b'}')? {
                if *scanner.any_key()? == *key {
                    return scanner.string();
                }
                scanner.skip_value()?;
            }
            None
        })
    }

    /// Past a value, without looking at it closely.
    pub(crate) fn skip_value(&mut self) -> Option<()> {
        let outside = self.depth;
        loop {
            self.space();
            match self.next()? {
                b'"' => self.skip_string()?,
                b'{' | b'[' => {
                    self.depth += 1;
                    if self.is_too_deep() {
                        return None;
                    }
                }
                b'}' | b']' if self.depth > outside => self.depth -= 1,
                b',' | b':' if self.depth > outside => continue,
                b'-' | b'0'..=b'9' | b't' | b'f' | b'n' => {
                    let end = |byte: &u8| matches!(byte, b',' | b'}' | b']' | b' ' | b'\n' | b'\r' | b'\t');
                    let rest = self.rest();
                    self.skip(rest.iter().position(end).unwrap_or(rest.len()));
                }
                _ => return None,
            }
            if self.depth == outside {
                return Some(());
            }
        }
    }
}
