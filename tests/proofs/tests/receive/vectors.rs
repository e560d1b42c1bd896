//! Reading the vectors of `tests/fixtures`.

use std::fs;

use agui_tests::outside::tests_dir;
use serde::de::DeserializeOwned;

/// The entries of a file of vectors.
pub(crate) fn vectors<T: DeserializeOwned>(file: &str) -> Vec<T> {
    let path = tests_dir().join("fixtures/vectors").join(file);
    serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap()
}
