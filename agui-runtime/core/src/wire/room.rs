//! Growth for decoder buffers, up to the frame or record limit.

/// Reserves space for `more` bytes.
///
/// A buffer normally grows by doubling, which would end at twice the limit; this buffer stops at the limit. Bytes beyond the limit
/// were pushed at once, or by a caller that never decodes. Then the buffer grows by an eighth, so that the number of moves per
/// byte stays bounded.
pub(super) fn make_room(buffer: &mut Vec<u8>, more: usize, limit: usize) {
    let needed = buffer.len().saturating_add(more);
    if needed <= buffer.capacity() {
        return;
    }
    let doubled = buffer.capacity().saturating_mul(2);
    let wanted =
        if needed <= limit { doubled.min(limit) } else { doubled.min(needed.saturating_add(needed / 8)) };
    buffer.reserve_exact(needed.max(wanted) - buffer.len());
}

#[cfg(test)]
mod tests {
    use super::make_room;

    fn grown(piece: usize, pieces: usize, limit: usize) -> (Vec<u8>, usize) {
        let (mut buffer, mut moves) = (Vec::new(), 0);
        for _ in 0..pieces {
            let before = buffer.capacity();
            make_room(&mut buffer, piece, limit);
            moves += usize::from(buffer.capacity() != before);
            buffer.resize(buffer.len() + piece, 0);
        }
        (buffer, moves)
    }

    #[test]
    fn a_buffer_within_the_limit_never_holds_more() {
        let (buffer, moves) = grown(7, 1_000, 7_001);
        assert_eq!((buffer.len(), buffer.capacity()), (7_000, 7_001));
        assert!(moves < 16, "{moves}");
    }

    #[test]
    fn beyond_the_limit_a_buffer_grows_by_an_eighth() {
        let (buffer, moves) = grown(7, 10_000, 7_000);
        assert!(buffer.capacity() <= 70_000 + 70_000 / 8);
        assert!(moves < 64, "{moves}");
        let (buffer, _) = grown(100_000, 1, 7_000);
        assert_eq!(buffer.capacity(), 100_000);
    }
}
