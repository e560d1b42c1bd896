//! A scan's position in its text.

use std::borrow::Cow;
use std::sync::Arc;

use super::KnownIds;

/// Deeper nesting is left to the careful reader, which has a limit.
const DEEPEST: usize = 100;

/// A position in a JSON text.
pub(crate) struct JsonScanner<'t> {
    text: &'t str,
    at: usize,
    /// The number of objects and lists around the position.
    depth: usize,
    /// True if the text is known to be JSON that serde_json reads, however deep.
    checked: bool,
    /// Ids from earlier events, if the text belongs to a stream.
    ids: Option<&'t mut KnownIds>,
}

impl<'t> JsonScanner<'t> {
    pub(crate) fn new(text: &'t str, ids: &'t mut KnownIds) -> Self {
        let mut scanner = Self { text, at: 0, depth: 0, checked: false, ids: Some(ids) };
        scanner.space();
        scanner
    }

    /// Scans text that serde_json has read before; free-form values stay text.
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

    /// True if all text was read.
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

    /// Returns the next `len` bytes as text.
    #[inline]
    pub(in crate::protocol) fn take(&mut self, len: usize) -> Option<&'t str> {
        let end = self.at + len;
        let text = self.text.get(self.at..end)?;
        self.at = end;
        Some(text)
    }

    /// Returns the position, for [`back_to`](Self::back_to).
    pub(super) fn mark(&self) -> (usize, usize) {
        (self.at, self.depth)
    }

    pub(super) fn back_to(&mut self, mark: (usize, usize)) {
        (self.at, self.depth) = mark;
    }

    /// Returns the number of bytes that `look` passes. The scan itself does not move.
    pub(super) fn measure(&mut self, look: impl FnOnce(&mut Self) -> Option<()>) -> Option<usize> {
        let start = self.at;
        self.ahead(|scanner| look(scanner).map(|()| scanner.at - start))
    }

    /// Returns `look`'s result from this position. The scan itself does not move.
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

    /// Returns an id that is shared with earlier events.
    pub(crate) fn share(&mut self, text: &str) -> Arc<str> {
        match &mut self.ids {
            Some(ids) => ids.share(text),
            None => Arc::from(text),
        }
    }

    /// Enters an object or a list.
    #[inline]
    pub(crate) fn open(&mut self, brace: u8) -> Option<()> {
        self.expect(brace)?;
        self.depth += 1;
        (!self.is_too_deep()).then_some(())
    }

    /// Reads an object's next key, up to the value; `Some(None)` at the object's end.
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

    /// Moves to the next member's value and returns true, if `key` is the member's key in plain spelling. Otherwise the scan does
    /// not move, and [`key`](Self::key) reads the key. Most writers write in one order, so a guess costs less than reading the
    /// key.
    ///
    /// `key` is the key with punctuation, `,"name":`. The compiler knows the length after inlining, so the comparison takes a few
    /// instructions.
    #[inline(always)]
    pub(crate) fn is_key(&mut self, first: &mut bool, key: &'static str) -> bool {
        let rest = self.rest();
        let found = match key.as_bytes().split_first() {
            Some((_comma, key)) if *first => rest.starts_with(key),
            _ => rest.starts_with(key.as_bytes()),
        };
        if found {
            self.at += key.len() - usize::from(*first);
            *first = false;
            self.space();
        }
        found
    }

    /// True if the object ends here, in plain spelling. Tested after a member, this saves the guesses for all other members.
    #[inline]
    pub(crate) fn is_at_brace(&self) -> bool {
        self.peek() == Some(b'}')
    }

    /// Moves to a list's next element, or an object's next member; `Some(false)` at the end, which is `end`.
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

    /// Enters a union's object and returns the tag. If the tag was the first member, its key is returned too and the scan
    /// continues after the tag; otherwise the scan continues after the brace.
    ///
    /// `member` is the key with punctuation, `,"name":`.
    #[inline(always)]
    pub(crate) fn tag(
        &mut self,
        key: &'static str,
        member: &'static str,
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

    /// Returns a value's text.
    pub(crate) fn value_text(&mut self) -> Option<&'t str> {
        let start = self.at;
        self.skip_value()?;
        self.text.get(start..self.at)
    }

    /// True if the value here is `null`.
    pub(crate) fn is_null(&self) -> bool {
        self.rest().starts_with(b"null")
    }

    /// Returns the capacity for the list that begins here. In checked text, which may be large, elements are counted, because a
    /// growing list would take up to three times the memory. The capacity is limited to six times the text length.
    #[inline]
    pub(in crate::protocol) fn expected_len<T>(&mut self) -> usize {
        if self.checked { self.count::<T>().unwrap_or_default() } else { 0 }
    }

    fn count<T>(&mut self) -> Option<usize> {
        let start = self.at;
        let (count, len) = self.ahead(|scanner| Some((scanner.elements()?, scanner.at - start)))?;
        Some(count.min(len.saturating_mul(6) / size_of::<T>().max(1)))
    }

    /// Counts the elements in the list here, and moves behind the list.
    fn elements(&mut self) -> Option<usize> {
        self.open(b'[')?;
        let (mut count, mut first) = (0, true);
        while self.element(&mut first, b']')? {
            self.skip_value()?;
            count += 1;
        }
        Some(count)
    }

    /// Reads the next member's key, in any spelling, up to the value.
    pub(crate) fn any_key(&mut self) -> Option<Cow<'t, str>> {
        let key = self.string()?;
        self.space();
        self.expect(b':')?;
        self.space();
        Some(key)
    }

    /// Returns the string under `key` in the object here, if that member is a string. The scan itself does not move.
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

    /// Skips a value without validating it.
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
