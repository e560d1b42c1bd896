//! The check for a manifest from a newer runtime.

use agui_runtime::manifest::Manifest;

/// Returns a warning if `manifest` was written by a newer runtime than this generator supports.
///
/// A different manifest format version is already an error when the manifest is read.
///
/// ```
/// # use agui_runtime::manifest::AgentSource;
/// # let chef = AgentSource {
/// #     version: "0.1.0", rust_path: "kitchen::Chef", ..AgentSource::new("chef")
/// # };
/// let mut manifest = agui_codegen::Manifest::build("kitchen", "0.1.0", &[chef])?;
/// assert_eq!(agui_codegen::newer(&manifest), None);
/// manifest.generator = "agui-runtime 99.0.0".into();
/// assert!(agui_codegen::newer(&manifest).is_some());
/// # Ok::<(), agui_runtime::manifest::ManifestError>(())
/// ```
#[must_use]
pub fn newer(manifest: &Manifest) -> Option<String> {
    let own = env!("CARGO_PKG_VERSION");
    let theirs = manifest.generator.strip_prefix("agui-runtime ")?;
    (numbers(theirs)? > numbers(own)?).then(|| {
        format!(
            "the manifest is by agui-runtime {theirs}, this is agui-codegen {own}: its new features may be missing \
             here; install agui-codegen {theirs}, from where that agui-runtime comes from"
        )
    })
}

/// Parses the three numbers: `1.2.3-rc.1` → 1, 2, 3.
fn numbers(version: &str) -> Option<[u64; 3]> {
    let mut numbers = version.split(['-', '+']).next()?.split('.').map(str::parse);
    Some([numbers.next()?.ok()?, numbers.next()?.ok()?, numbers.next()?.ok()?])
}

#[cfg(test)]
mod tests {
    use super::numbers;

    #[test]
    fn versions_are_numbers() {
        assert_eq!(numbers("1.20.3-rc.1+x"), Some([1, 20, 3]));
        assert!(numbers("0.10.0") > numbers("0.9.9"));
        assert_eq!(numbers("1.2"), None);
    }
}
