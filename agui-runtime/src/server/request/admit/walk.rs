//! Converts an input's text to AG-UI 1.0 text.

use std::fmt::Display;
use std::fmt::Write as _;

use super::binary;
use super::binary::Modern;
use super::{Admitted, Extent, Findings, LeftOut};
use crate::protocol::forms::scan::Scanner;
use crate::protocol::forms::shape::{ObjectShape, Shape, UnionShape};
use crate::protocol::{AudioPart, DocumentPart, ImagePart, VideoPart};
use crate::receive::WarningKind;

/// Part types that have a source.
const MEDIA: [&str; 4] = [ImagePart::TYPE, AudioPart::TYPE, VideoPart::TYPE, DocumentPart::TYPE];

/// The decision about a value: keep or remove.
pub(super) enum Verdict {
    Keep,
    /// The whole value is removed, for this reason.
    Drop(WarningKind),
}

/// One pass through an input. Each method returns `None` if the text is not JSON.
pub(super) struct Walk {
    extent: Extent,
    out: String,
    /// The current path, in the sent text and in the converted text.
    sent: String,
    remains: String,
    left_out: LeftOut,
    findings: Findings,
}

impl Walk {
    pub(super) fn new(extent: Extent, len: usize) -> Self {
        let room = if extent == Extent::Whole { len } else { 0 };
        Self {
            extent,
            out: String::with_capacity(room),
            sent: String::new(),
            remains: String::new(),
            left_out: LeftOut::default(),
            findings: Findings::default(),
        }
    }

    pub(super) fn finish(self) -> Admitted {
        Admitted { text: self.out, left_out: self.left_out, findings: self.findings }
    }

    /// Converts a value. A value that does not fit the shape stays: such a value is malformed, not unknown.
    pub(super) fn value<'t>(&mut self, scanner: &mut Scanner<'t>, shape: &'static Shape) -> Option<Verdict> {
        match (shape, scanner.peek()?) {
            (Shape::Object(object), b'{') => return self.object(scanner, object, None),
            (Shape::Union(union), b'{') => return self.union(scanner, union),
            (Shape::List { of, .. } | Shape::TextOrList { of }, b'[') => self.list(scanner, of)?,
            // Written without escapes, because readers of constants know no others.
            (Shape::Literal(_) | Shape::OneOf(_), b'"') => {
                let text = scanner.string()?;
                self.text(&text)?;
            }
            (Shape::Any | Shape::NonNull | Shape::NullIsAbsent | Shape::Open, brace @ (b'{' | b'['))
                if self.extent == Extent::Hollow =>
            {
                scanner.skip_value()?;
                self.out.push_str(if brace == b'{' { "{}" } else { "[]" });
            }
            _ => self.out.push_str(scanner.value_text()?),
        }
        Some(Verdict::Keep)
    }

    /// Converts an object and writes its tag first.
    fn object<'t>(
        &mut self,
        scanner: &mut Scanner<'t>,
        object: &'static ObjectShape,
        tag: Option<(&'static str, &'static str)>,
    ) -> Option<Verdict> {
        scanner.open(b'{')?;
        self.out.push('{');
        let mut is_empty = true;
        if let Some((key, tag)) = tag {
            self.member(key, &mut is_empty);
            self.text(tag)?;
        }
        let mut verdict = Verdict::Keep;
        let mut first = true;
        while scanner.element(&mut first, b'}')? {
            let key = scanner.any_key()?;
            if tag.is_some_and(|(tag, _)| *key == *tag) {
                scanner.skip_value()?;
                continue;
            }
            let Some(member) = object.member(&key) else {
                scanner.skip_value()?;
                self.say(key, WarningKind::Unknown);
                continue;
            };
            match member.shape {
                Shape::NullIsAbsent if scanner.is_null() => {
                    scanner.skip_value()?;
                    continue;
                }
                Shape::NonNull if scanner.is_null() && was_null(member.key, tag) => {
                    scanner.skip_value()?;
                    self.say(key, WarningKind::NullIsAbsent);
                    continue;
                }
                _ => {}
            }
            let (before, mark, was_empty) = (self.out.len(), self.findings.mark(), is_empty);
            self.member(member.key, &mut is_empty);
            let inside = self.inside(member.key, member.key, |walk| walk.value(scanner, member.shape))?;
            let Verdict::Drop(why) = inside else { continue };
            // Removals inside of a removed value are not reported.
            self.out.truncate(before);
            self.findings.back_to(mark);
            is_empty = was_empty;
            if member.optional {
                self.say(key, why);
            } else {
                verdict = Verdict::Drop(why);
            }
        }
        self.out.push('}');
        Some(verdict)
    }

    fn union<'t>(&mut self, scanner: &mut Scanner<'t>, union: &'static UnionShape) -> Option<Verdict> {
        let tag = scanner.string_member(union.key);
        let variant = union.variants.iter().find(|(name, _)| tag.as_deref() == Some(*name));
        match variant {
            Some((name, Shape::Object(object))) => self.object(scanner, object, Some((union.key, name))),
            _ => {
                scanner.skip_value()?;
                Some(Verdict::Drop(WarningKind::Unknown))
            }
        }
    }

    fn list<'t>(&mut self, scanner: &mut Scanner<'t>, of: &'static Shape) -> Option<()> {
        let list = scanner.ahead(Scanner::value_text)?;
        let has_media = matches!(of, Shape::Union(union) if union.variant(ImagePart::TYPE).is_some());
        let mut modern: Option<Modern<'t>> = None;
        scanner.open(b'[')?;
        self.out.push('[');
        let (mut first, mut is_empty) = (true, true);
        let (mut index, mut kept) = (0, 0);
        while scanner.element(&mut first, b']')? {
            let (before, mark) = (self.out.len(), self.findings.mark());
            if !std::mem::take(&mut is_empty) {
                self.out.push(',');
            }
            let verdict = self.inside(index, kept, |walk| {
                if !has_media || !binary::is_binary(scanner) {
                    return walk.value(scanner, of);
                }
                let modern = match &mut modern {
                    Some(modern) => modern,
                    None => modern.insert(Modern::of(list)?),
                };
                walk.binary(scanner, modern)
            })?;
            match verdict {
                Verdict::Keep => kept += 1,
                Verdict::Drop(why) => {
                    self.out.truncate(before);
                    is_empty = kept == 0;
                    self.findings.back_to(mark);
                    self.left_out.note(&self.remains, index);
                    self.say(index, why);
                }
            }
            index += 1;
        }
        self.out.push(']');
        Some(())
    }

    fn binary<'t>(&mut self, scanner: &mut Scanner<'t>, modern: &Modern<'t>) -> Option<Verdict> {
        let read = binary::read(scanner)?;
        Some(match read.upgrade(modern) {
            Ok((kind, text)) => {
                self.out.push_str(&text);
                self.findings.add(&self.sent, WarningKind::Retired { becomes: kind });
                Verdict::Keep
            }
            Err(why) => Verdict::Drop(why),
        })
    }

    /// Writes the next member's key.
    fn member(&mut self, key: &str, is_empty: &mut bool) {
        let comma = if std::mem::take(is_empty) { "" } else { "," };
        // The names of the protocol need no escapes, and writing to a string cannot fail.
        let _ = write!(self.out, "{comma}\"{key}\":");
    }

    fn text(&mut self, text: &str) -> Option<()> {
        self.out.push_str(&serde_json::to_string(text).ok()?);
        Some(())
    }

    fn say(&mut self, step: impl Display, what: WarningKind) {
        let above = self.sent.len();
        let _ = write!(self.sent, "/{step}");
        self.findings.add(&self.sent, what);
        self.sent.truncate(above);
    }

    /// Calls `visit` with the path one level deeper.
    fn inside<T>(
        &mut self,
        sent: impl Display,
        remains: impl Display,
        visit: impl FnOnce(&mut Self) -> T,
    ) -> T {
        let above = (self.sent.len(), self.remains.len());
        let _ = write!(self.sent, "/{sent}");
        let _ = write!(self.remains, "/{remains}");
        let visited = visit(self);
        self.sent.truncate(above.0);
        self.remains.truncate(above.1);
        visited
    }
}

/// Returns true if legacy clients write `null` for an absent member here.
fn was_null(key: &str, tag: Option<(&'static str, &'static str)>) -> bool {
    match key {
        "forwardedProps" | "parameters" | "payload" => true,
        "metadata" => tag.is_some_and(|(_, tag)| MEDIA.contains(&tag)),
        _ => false,
    }
}
