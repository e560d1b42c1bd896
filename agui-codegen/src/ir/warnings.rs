//! The warnings for the user: one for each reason, however many places have that reason.

use super::ApiDecl;

/// The number of places that a warning lists.
const LISTED: usize = 4;

impl ApiDecl {
    /// Returns all warnings, in full sentences.
    ///
    /// ```
    /// use agui_codegen::lower::lower;
    /// # use agui_runtime::manifest::{AgentSource, Manifest, TypeSource};
    /// # let count = AgentSource { state: Some(TypeSource::of::<u64>()), ..AgentSource::new("count") };
    /// # let manifest = Manifest::build("count", "0.1.0", &[count])?;
    ///
    /// let warnings = lower(&manifest)?.all_warnings();
    /// assert!(warnings[0].contains("is a 64-bit integer"), "{warnings:?}");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn all_warnings(&self) -> Vec<String> {
        let mut warnings = self.warnings.clone();
        if !self.wide_integers.is_empty() {
            let (verb, noun) = match self.wide_integers.len() {
                1 => ("is", "a 64-bit integer"),
                _ => ("are", "64-bit integers"),
            };
            warnings.push(format!(
                "{} {verb} {noun}: a JavaScript number holds them exactly only up to 2^53; send those that can be larger as \
                 strings (`--ints refuse` lists all places, `--ints silent` ends this warning)",
                listed(&self.wide_integers)
            ));
        }
        if !self.ignored_keywords.is_empty() {
            let keywords = self.ignored_keywords.iter().map(|(keyword, owners)| {
                let owners: Vec<String> = owners.iter().cloned().collect();
                format!("`{keyword}` of {}", listed(&owners))
            });
            let keywords: Vec<String> = keywords.collect();
            warnings.push(format!(
                "keywords that JSON Schema does not have are ignored: {}",
                keywords.join("; ")
            ));
        }
        warnings
    }
}

/// Joins the first `places`, and adds the number that are left out.
fn listed(places: &[String]) -> String {
    let more = places.len().saturating_sub(LISTED);
    let shown = places.iter().take(LISTED).map(String::as_str).collect::<Vec<_>>().join(", ");
    if more == 0 { shown } else { format!("{shown} and {more} more") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_list_is_cut() {
        let places: Vec<String> = (1..=6).map(|n| format!("type `T{n}`")).collect();
        assert_eq!(listed(&places), "type `T1`, type `T2`, type `T3`, type `T4` and 2 more");
        assert_eq!(listed(&places[..2]), "type `T1`, type `T2`");
    }
}
