//! Computes relative paths.

use std::path::{Component, Path, PathBuf};

/// Returns `path` relative to the folder `base`.
pub(crate) fn relative(path: &Path, base: &Path) -> PathBuf {
    let shared = path.components().zip(base.components()).take_while(|(one, other)| one == other).count();
    let up = base.components().skip(shared).map(|_| Component::ParentDir);
    up.chain(path.components().skip(shared)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_relative() {
        for (path, base, expected) in [
            ("/a/agui-codegen", "/a", "agui-codegen"),
            ("/a/agui/agui-codegen", "/a/my/shop", "../../agui/agui-codegen"),
            ("/b", "/a", "../b"),
        ] {
            assert_eq!(relative(path.as_ref(), base.as_ref()), Path::new(expected));
        }
    }
}
