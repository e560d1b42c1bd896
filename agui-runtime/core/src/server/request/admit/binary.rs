//! Conversion of `binary` parts, which 0.x used for all media, to 1.0 parts.

use std::borrow::Cow;
use std::collections::HashSet;

use crate::protocol::forms::scan::JsonScanner;
use crate::protocol::{DataSource, UrlSource};
use crate::receive::WarningKind;
use crate::receive::compat::part_type_of;

pub(super) fn is_binary(scanner: &mut JsonScanner<'_>) -> bool {
    scanner.string_member("type").as_deref() == Some("binary")
}

/// A binary part's members, each as JSON text.
#[derive(Default)]
pub(super) struct BinaryPart<'t> {
    mime_type: Option<&'t str>,
    data: Option<&'t str>,
    url: Option<&'t str>,
    filename: Option<&'t str>,
}

/// Reads the part at the scanner; `None` if the text is not JSON.
pub(super) fn read<'t>(scanner: &mut JsonScanner<'t>) -> Option<BinaryPart<'t>> {
    let mut binary = BinaryPart::default();
    scanner.open(b'{')?;
    let mut first = true;
    while scanner.element(&mut first, b'}')? {
        let key = scanner.any_key()?;
        let value = scanner.value_text()?;
        match &*key {
            "mimeType" => binary.mime_type = Some(value).filter(|value| value.starts_with('"')),
            "data" => binary.data = Some(value).filter(is_said),
            "url" => binary.url = Some(value).filter(is_said),
            "filename" => binary.filename = Some(value).filter(is_said),
            _ => {}
        }
    }
    Some(binary)
}

impl BinaryPart<'_> {
    /// Returns the part as 1.0 writes it, with its type, or the reason why the part is left out. Values are copied unchecked,
    /// because the input parser checks them.
    pub(super) fn upgrade(&self, modern: &MediaPartIndex<'_>) -> Result<(&'static str, String), WarningKind> {
        let mime_type = self.mime_type.ok_or(WarningKind::Unknown)?;
        let (source, value) = match (self.data, self.url) {
            (Some(data), _) => (DataSource::TYPE, data),
            (None, Some(url)) => (UrlSource::TYPE, url),
            (None, None) => return Err(WarningKind::OnlyAnId),
        };
        let mime = comparable_text(mime_type);
        let kind = part_type_of(mime.strip_prefix('"').unwrap_or(&mime));
        if modern.mirrors(kind, source, [value, mime_type], self.filename) {
            return Err(WarningKind::Repeated);
        }
        let metadata =
            self.filename.map(|name| format!(r#","metadata":{{"filename":{name}}}"#)).unwrap_or_default();
        Ok((
            kind,
            format!(
                r#"{{"type":"{kind}","source":{{"type":"{source}","value":{value},"mimeType":{mime_type}}}{metadata}}}"#
            ),
        ))
    }
}

/// Returns true if JavaScript treats the value as true: 0.x left out all others.
fn is_said(value: &&str) -> bool {
    match *value {
        "null" | "false" | "\"\"" => false,
        number if number.starts_with(['-', '0']) => number.parse::<f64>() != Ok(0.0),
        _ => true,
    }
}

/// Returns a form in which values that JavaScript calls equal are equal texts: strings lose their escapes and closing quote, other
/// values stay.
fn comparable_text(value: &str) -> Cow<'_, str> {
    match value.strip_suffix('"') {
        Some(text) if !text.contains('\\') => Cow::Borrowed(text),
        Some(text) => match serde_json::from_str::<String>(value) {
            Ok(text) => Cow::Owned(format!("\"{text}")),
            Err(_) => Cow::Borrowed(text),
        },
        None => Cow::Borrowed(value),
    }
}

/// Index over a message's 1.0 media parts, because some clients send each medium in both forms. A message may have as many parts
/// as fit into a request, so a list search would be quadratic.
#[derive(Default)]
pub(super) struct MediaPartIndex<'t> {
    sources: HashSet<MediaSourceKey<'t>>,
    named: HashSet<(MediaSourceKey<'t>, Cow<'t, str>)>,
}

/// Part type, source type, source value and MIME type.
type MediaSourceKey<'t> = [Cow<'t, str>; 4];

impl<'t> MediaPartIndex<'t> {
    /// Indexes the parts in a JSON list; `None` if the text is not JSON.
    pub(super) fn from_list(list: &'t str) -> Option<Self> {
        let mut modern = Self::default();
        let mut scanner = JsonScanner::checked(list);
        scanner.open(b'[')?;
        let mut first = true;
        while scanner.element(&mut first, b']')? {
            if is_binary(&mut scanner) || scanner.peek()? != b'{' {
                scanner.skip_value()?;
                continue;
            }
            let [kind, source, metadata] = members(&mut scanner, ["type", "source", "metadata"])?;
            let (Some(kind), Some(source)) = (kind, source) else { continue };
            let [form, value, mime_type] = members_of(source, ["type", "value", "mimeType"])?;
            let (Some(form), Some(value), Some(mime_type)) = (form, value, mime_type) else { continue };
            // JavaScript never calls two lists or objects equal.
            let all = [kind, form, value, mime_type];
            if all.iter().any(|value| value.starts_with(['[', '{'])) {
                continue;
            }
            let source = all.map(comparable_text);
            let [name] = metadata.map_or(Some([None]), |metadata| members_of(metadata, ["filename"]))?;
            if let Some(name) = name.filter(|name| !name.starts_with(['[', '{'])) {
                modern.named.insert((source.clone(), comparable_text(name)));
            }
            modern.sources.insert(source);
        }
        Some(modern)
    }

    /// Returns true if an indexed part has the same content.
    fn mirrors(
        &self,
        kind: &str,
        source: &str,
        [value, mime_type]: [&str; 2],
        filename: Option<&str>,
    ) -> bool {
        let source = [
            format!("\"{kind}").into(),
            format!("\"{source}").into(),
            comparable_text(value),
            comparable_text(mime_type),
        ];
        match filename {
            Some(name) => self.named.contains(&(source, comparable_text(name))),
            None => self.sources.contains(&source),
        }
    }
}

/// Reads members from JSON text: all `None` if the value is not an object, outer `None` if the text is not JSON.
fn members_of<'t, const N: usize>(text: &'t str, keys: [&str; N]) -> Option<[Option<&'t str>; N]> {
    if !text.starts_with('{') {
        return Some([None; N]);
    }
    members(&mut JsonScanner::checked(text), keys)
}

/// Reads the named members of the object at the scanner, as JSON text.
fn members<'t, const N: usize>(
    scanner: &mut JsonScanner<'t>,
    keys: [&str; N],
) -> Option<[Option<&'t str>; N]> {
    let mut found = [None; N];
    scanner.open(b'{')?;
    let mut first = true;
    while scanner.element(&mut first, b'}')? {
        let key = scanner.any_key()?;
        let value = scanner.value_text()?;
        for (slot, wanted) in found.iter_mut().zip(keys) {
            if *key == *wanted {
                *slot = Some(value);
            }
        }
    }
    Some(found)
}
