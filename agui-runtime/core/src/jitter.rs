//! Pauses that vary, so that clients that failed together do not come back together.

use std::time::Duration;

/// Returns a time between half of a pause and the whole, by a random number.
pub fn jittered(pause: Duration, random: u64) -> Duration {
    let part = f64::from((random >> 32) as u32) / f64::from(u32::MAX);
    let half = pause / 2;
    half + half.mul_f64(part)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pause_is_between_its_half_and_its_whole() {
        let second = Duration::from_secs(1);
        assert_eq!(jittered(second, 0), second / 2);
        assert_eq!(jittered(second, u64::MAX), second);
        let middle = jittered(second, u64::MAX / 2);
        assert!(second / 2 < middle && middle < second, "{middle:?}");
    }
}
