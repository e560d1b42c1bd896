//! The inside of a JSON string, with serde_json's escapes.

const BLOCK: usize = 32;
const HEX: &[u8; 16] = b"0123456789abcdef";

/// Appends `text` with what JSON wants escaped (RFC 8259, 7), without the quotes.
pub(crate) fn write(text: &str, out: &mut Vec<u8>) {
    let bytes = text.as_bytes();
    let plain = plain_prefix(bytes);
    let (head, rest) = bytes.split_at(plain);
    out.extend_from_slice(head);
    if !rest.is_empty() {
        write_escaped(rest, out);
    }
}

#[inline]
const fn is_plain(byte: u8) -> bool {
    byte >= 0x20 && byte != b'"' && byte != b'\\'
}

/// How many bytes at the start go as they are. A block is looked at as a whole, which the compiler turns into vector
/// instructions.
#[inline]
fn plain_prefix(bytes: &[u8]) -> usize {
    let mut plain = 0;
    for block in bytes.chunks_exact(BLOCK) {
        if !block.iter().fold(true, |all, byte| all & is_plain(*byte)) {
            break;
        }
        plain += BLOCK;
    }
    let rest = bytes.get(plain..).unwrap_or_default();
    plain + rest.iter().position(|byte| !is_plain(*byte)).unwrap_or(rest.len())
}

#[cold]
fn write_escaped(mut bytes: &[u8], out: &mut Vec<u8>) {
    while let Some((byte, rest)) = bytes.split_first() {
        match byte {
            b'"' => out.extend_from_slice(b"\\\""),
            b'\\' => out.extend_from_slice(b"\\\\"),
            b'\n' => out.extend_from_slice(b"\\n"),
            b'\r' => out.extend_from_slice(b"\\r"),
            b'\t' => out.extend_from_slice(b"\\t"),
            0x08 => out.extend_from_slice(b"\\b"),
            0x0C => out.extend_from_slice(b"\\f"),
            control => {
                let digit = |nibble: u8| HEX.get(usize::from(nibble & 0xF)).copied().unwrap_or(b'0');
                out.extend_from_slice(&[b'\\', b'u', b'0', b'0', digit(control >> 4), digit(*control)]);
            }
        }
        let plain = plain_prefix(rest);
        let (head, tail) = rest.split_at(plain);
        out.extend_from_slice(head);
        bytes = tail;
    }
}
