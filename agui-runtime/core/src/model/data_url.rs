//! `data` URLs (RFC 2397).

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use crate::protocol::DataSource;

/// Returns the data in a `data` URL; `None` for other URLs.
pub(super) fn data_url(address: &str) -> Option<DataSource> {
    let (scheme, rest) = address.split_once(':')?;
    if !scheme.eq_ignore_ascii_case("data") {
        return None;
    }
    let (head, data) = rest.split_once(',')?;
    let (head, is_base64) = match head.rsplit_once(';') {
        Some((head, last)) if last.trim().eq_ignore_ascii_case("base64") => (head, true),
        _ => (head, false),
    };
    let bytes = unescaped(data)?;
    let value = match is_base64 {
        true => String::from_utf8(bytes).ok()?,
        false => STANDARD.encode(bytes),
    };
    let media_type = head.split(';').next().unwrap_or_default().trim();
    Some(DataSource::new(value, if media_type.is_empty() { "text/plain" } else { media_type }))
}

/// Decodes percent escapes.
fn unescaped(text: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        if byte != b'%' {
            bytes.push(byte);
            continue;
        }
        let digit = |byte: u8| char::from(byte).to_digit(16);
        let value = digit(rest.next()?)? * 16 + digit(rest.next()?)?;
        bytes.push(u8::try_from(value).ok()?);
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::data_url;

    #[test]
    fn the_bytes_of_an_address_are_read() {
        for (address, expected) in [
            ("data:image/png;base64,aGk=", Some(("aGk=", "image/png"))),
            ("DATA:image/png;name=a.png;BASE64,aGk%3D", Some(("aGk=", "image/png"))),
            ("data:,hi", Some(("aGk=", "text/plain"))),
            ("data:text/csv;charset=utf-8,a%2Cb", Some(("YSxi", "text/csv"))),
            ("data:image/png;base64", None),
            ("data:,%4", None),
            ("data:,%zz", None),
            ("https://example.com/?data:,hi", None),
        ] {
            let read = data_url(address);
            let read = read.as_ref().map(|data| (data.value.as_str(), data.mime_type.as_str()));
            assert_eq!(read, expected, "{address}");
        }
    }
}
