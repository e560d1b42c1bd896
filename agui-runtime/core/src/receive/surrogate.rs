//! Half characters: JavaScript cuts strings between UTF-16 units, and writes half an emoji as an escape that no UTF-8 text can
//! represent.

use std::borrow::Cow;

/// Replaces escapes for half characters with the U+FFFD escape, as JavaScript does when it encodes such a string. Borrowed if
/// there are no such escapes.
pub(crate) fn replace(json: &[u8]) -> Cow<'_, [u8]> {
    let mut replaced = Cow::Borrowed(json);
    let mut at = 0;
    while let Some(found) = json.get(at..).and_then(|rest| rest.iter().position(|byte| *byte == b'\\')) {
        at += found;
        at += match (unit(json, at), unit(json, at.saturating_add(6))) {
            (Some(0xD800..=0xDBFF), Some(0xDC00..=0xDFFF)) => 12,
            (Some(0xD800..=0xDFFF), _) => {
                if let Some(digits) = replaced.to_mut().get_mut(at + 2..at + 6) {
                    digits.copy_from_slice(b"fffd");
                }
                6
            }
            // Any other escape has at least two bytes.
            _ => 2,
        };
    }
    replaced
}

/// Returns the UTF-16 unit in the six bytes at `at`, if the bytes are a unit's escape.
fn unit(json: &[u8], at: usize) -> Option<u16> {
    let digits = json.get(at..at.checked_add(6)?)?.strip_prefix(b"\\u")?;
    digits.iter().try_fold(0, |unit: u16, digit| {
        let digit = char::from(*digit).to_digit(16)?;
        Some(unit << 4 | u16::try_from(digit).ok()?)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_half_characters_are_replaced() {
        for (json, expected) in [
            (r#""plain""#, r#""plain""#),
            (r#""\ud83e\udd80""#, r#""\ud83e\udd80""#),
            (r#""\ud83e""#, r#""\ufffd""#),
            (r#""\uD83E\n""#, r#""\ufffd\n""#),
            (r#""\udd80\ud83e""#, r#""\ufffd\ufffd""#),
            (r#""\ud83e\ud83e\udd80""#, r#""\ufffd\ud83e\udd80""#),
            (r#""\\ud83e""#, r#""\\ud83e""#),
            (r#""\\\ud83e""#, r#""\\\ufffd""#),
            (r#""\ud83"#, r#""\ud83"#),
            (r#""\u00e9\"\"#, r#""\u00e9\"\"#),
        ] {
            let replaced = replace(json.as_bytes());
            assert_eq!(String::from_utf8_lossy(&replaced), expected);
            assert_eq!(matches!(replaced, Cow::Borrowed(_)), json == expected);
        }
    }
}
