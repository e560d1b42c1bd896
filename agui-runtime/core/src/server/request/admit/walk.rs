//! Converts an input's text to AG-UI 1.0 text.

use std::fmt::Display;
use std::fmt::Write as _;

use super::binary::MediaPartIndex;
use super::{AdmittedInput, ConversionExtent, InputFindings, RemovedElements, binary};
use crate::protocol::forms::scan::JsonScanner;
use crate::protocol::forms::shape::{JsonShape, ObjectShape, UnionShape};
use crate::protocol::{AudioPart, DocumentPart, ImagePart, VideoPart};
use crate::receive::WarningKind;

/// Part types that have a source.
const MEDIA: [&str; 4] = [ImagePart::TYPE, AudioPart::TYPE, VideoPart::TYPE, DocumentPart::TYPE];

/// The decision about a value: keep or remove.
pub(super) enum ConversionVerdict {
    Keep,
    /// The whole value is removed, for this reason.
    Drop(WarningKind),
}

/// One pass through an input. Each method returns `None` if the text is not JSON.
pub(super) struct InputConverter {
    extent: ConversionExtent,
    out: String,
    /// The current path, in the sent text and in the converted text.
    sent: String,
    remains: String,
    left_out: RemovedElements,
    findings: InputFindings,
}

impl InputConverter {
    pub(super) fn new(extent: ConversionExtent, len: usize) -> Self {
        let room = if extent == ConversionExtent::Whole { len } else { 0 };
        Self {
            extent,
            out: String::with_capacity(room),
            sent: String::new(),
            remains: String::new(),
            left_out: RemovedElements::default(),
            findings: InputFindings::default(),
        }
    }

    pub(super) fn finish(self) -> AdmittedInput {
        AdmittedInput { text: self.out, left_out: self.left_out, findings: self.findings }
    }

    /// Converts a value. A value that does not fit the shape stays: such a value is malformed, not unknown.
    pub(super) fn value<'t>(
        &mut self,
        scanner: &mut JsonScanner<'t>,
        shape: &'static JsonShape,
    ) -> Option<ConversionVerdict> {
        match (shape, scanner.peek()?) {
            (JsonShape::Object(object), b'{') => return self.object(scanner, object, None),
            (JsonShape::Union(union), b'{') => return self.union(scanner, union),
            (JsonShape::List { of, .. } | JsonShape::TextOrList { of }, b'[') => self.list(scanner, of)?,
            // Written without escapes, because readers of constants know no others.
            (JsonShape::Literal(_) | JsonShape::OneOf(_), b'"') => {
                let text = scanner.string()?;
                self.text(&text)?;
            }
            (
                JsonShape::Any | JsonShape::NonNull | JsonShape::NullIsAbsent | JsonShape::Open,
                brace @ (b'{' | b'['),
            ) if self.extent == ConversionExtent::Hollow => {
                scanner.skip_value()?;
                self.out.push_str(if brace == b'{' { "{}" } else { "[]" });
            }
            _ => self.out.push_str(scanner.value_text()?),
        }
        Some(ConversionVerdict::Keep)
    }

    /// Converts an object and writes its tag first.
    fn object<'t>(
        &mut self,
        scanner: &mut JsonScanner<'t>,
        object: &'static ObjectShape,
        tag: Option<(&'static str, &'static str)>,
    ) -> Option<ConversionVerdict> {
        scanner.open(b'{')?;
        self.out.push('{');
        let mut is_empty = true;
        if let Some((key, tag)) = tag {
            self.member(key, &mut is_empty);
            self.text(tag)?;
        }
        let mut verdict = ConversionVerdict::Keep;
        let mut first = true;
        while scanner.element(&mut first, b'}')? {
            let key = scanner.any_key()?;
            if tag.is_some_and(|(tag, _)| *key == *tag) {
                scanner.skip_value()?;
                continue;
            }
            let Some(member) = object.member(&key) else {
                scanner.skip_value()?;
                self.report(key, WarningKind::Unknown);
                continue;
            };
            match member.shape {
                JsonShape::NullIsAbsent if scanner.is_null() => {
                    scanner.skip_value()?;
                    continue;
                }
                JsonShape::NonNull if scanner.is_null() && was_null(member.key, tag) => {
                    scanner.skip_value()?;
                    self.report(key, WarningKind::NullIsAbsent);
                    continue;
                }
                _ => {}
            }
            let (before, mark, was_empty) = (self.out.len(), self.findings.mark(), is_empty);
            self.member(member.key, &mut is_empty);
            let inside = self.inside(member.key, member.key, |walk| walk.value(scanner, member.shape))?;
            let ConversionVerdict::Drop(why) = inside else { continue };
            // Removals inside of a removed value are not reported.
            self.out.truncate(before);
            self.findings.back_to(mark);
            is_empty = was_empty;
            if member.optional {
                self.report(key, why);
            } else {
                verdict = ConversionVerdict::Drop(why);
            }
        }
        self.out.push('}');
        Some(verdict)
    }

    fn union<'t>(
        &mut self,
        scanner: &mut JsonScanner<'t>,
        union: &'static UnionShape,
    ) -> Option<ConversionVerdict> {
        let tag = scanner.string_member(union.key);
        let variant = union.variants.iter().find(|(name, _)| tag.as_deref() == Some(*name));
        match variant {
            Some((name, JsonShape::Object(object))) => self.object(scanner, object, Some((union.key, name))),
            _ => {
                scanner.skip_value()?;
                Some(ConversionVerdict::Drop(WarningKind::Unknown))
            }
        }
    }

    fn list<'t>(&mut self, scanner: &mut JsonScanner<'t>, of: &'static JsonShape) -> Option<()> {
        let list = scanner.ahead(JsonScanner::value_text)?;
        let has_media = matches!(of, JsonShape::Union(union) if union.variant(ImagePart::TYPE).is_some());
        let mut modern: Option<MediaPartIndex<'t>> = None;
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
                    None => modern.insert(MediaPartIndex::from_list(list)?),
                };
                walk.binary(scanner, modern)
            })?;
            match verdict {
                ConversionVerdict::Keep => kept += 1,
                ConversionVerdict::Drop(why) => {
                    self.out.truncate(before);
                    is_empty = kept == 0;
                    self.findings.back_to(mark);
                    self.left_out.record_removal(&self.remains, index);
                    self.report(index, why);
                }
            }
            index += 1;
        }
        self.out.push(']');
        Some(())
    }

    fn binary<'t>(
        &mut self,
        scanner: &mut JsonScanner<'t>,
        modern: &MediaPartIndex<'t>,
    ) -> Option<ConversionVerdict> {
        let read = binary::read(scanner)?;
        Some(match read.upgrade(modern) {
            Ok((kind, text)) => {
                self.out.push_str(&text);
                self.findings.push_at(&self.sent, WarningKind::Retired { becomes: kind });
                ConversionVerdict::Keep
            }
            Err(why) => ConversionVerdict::Drop(why),
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

    fn report(&mut self, step: impl Display, what: WarningKind) {
        let above = self.sent.len();
        let _ = write!(self.sent, "/{step}");
        self.findings.push_at(&self.sent, what);
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
