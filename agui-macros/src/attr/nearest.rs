//! The known name that is nearest to a misspelt one.

/// Returns the candidate that the user most likely meant, if one is close enough.
pub(crate) fn nearest<'a>(written: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    candidates
        .into_iter()
        .map(|candidate| (distance(written, candidate), candidate))
        .filter(|(distance, candidate)| *distance <= (candidate.len() / 3).max(1))
        .min()
        .map(|(_, candidate)| candidate)
}

/// Levenshtein's distance, row by row.
fn distance(a: &str, b: &str) -> usize {
    let mut row: Vec<usize> = (0..=b.chars().count()).collect();
    for (i, a) in a.chars().enumerate() {
        let mut left = i + 1;
        let mut diagonal = i;
        for (b, cell) in b.chars().zip(row.iter_mut().skip(1)) {
            let above = *cell;
            let substituted = diagonal + usize::from(a != b);
            *cell = substituted.min(above + 1).min(left + 1);
            left = *cell;
            diagonal = above;
        }
        if let Some(first) = row.first_mut() {
            *first = i + 1;
        }
    }
    row.last().copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_candidate_is_suggested() {
        let keys = ["frontend", "name", "description", "crate"];
        assert_eq!(nearest("fronted", keys), Some("frontend"));
        assert_eq!(nearest("decription", keys), Some("description"));
        assert_eq!(nearest("nam", keys), Some("name"));
        assert_eq!(nearest("timeout", keys), None);
    }

    #[test]
    fn distance_counts_edits() {
        assert_eq!(distance("", "abc"), 3);
        assert_eq!(distance("kitten", "sitting"), 3);
        assert_eq!(distance("same", "same"), 0);
    }
}
