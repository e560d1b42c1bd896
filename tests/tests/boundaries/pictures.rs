//! The pictures of the documentation: each is there, and says in words what it shows.

use std::fs;
use std::path::{Path, PathBuf};

use agui_tests::outside::workspace_dir;

const GUIDE: &str = "agui-runtime/src/guide";

/// The texts of the repository that may have pictures: those beside the packages, and the guide.
fn texts() -> Vec<PathBuf> {
    let mut found = vec![workspace_dir().join("README.md")];
    let mut folders = ["agui-codegen", "agui-macros", "agui-runtime", "examples"]
        .map(|folder| workspace_dir().join(folder))
        .to_vec();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap().flatten() {
            let path = entry.path();
            let is_ours = !path.ends_with("node_modules") && !path.ends_with("target");
            if path.is_dir() && is_ours {
                folders.push(path);
            } else if path.extension().is_some_and(|ending| ending == "md") {
                found.push(path);
            }
        }
    }
    found
}

/// The pictures of a text: the words of each, and the rest of its line, `(path)` or `[name]`.
fn pictures(text: &str) -> impl Iterator<Item = (&str, &str)> {
    text.lines().filter_map(|line| line.strip_prefix("![")?.split_once(']'))
}

fn assert_described(text: &Path, words: &str) {
    assert!(words.split(' ').count() > 5, "{}: `{words}` does not say what is seen", text.display());
}

#[test]
fn every_picture_of_a_text_is_a_file() {
    let mut seen = 0;
    for path in texts() {
        let text = fs::read_to_string(&path).unwrap();
        for (words, place) in pictures(&text).filter(|(_, place)| place.starts_with('(')) {
            assert_described(&path, words);
            let file = path.parent().unwrap().join(place.trim_matches(['(', ')']));
            let bytes = fs::read(&file).unwrap_or_else(|cause| panic!("{}: {cause}", file.display()));
            let begins = |with: &[u8]| bytes.starts_with(with);
            assert!(begins(b"\x89PNG") || begins(b"<svg"), "{} is no picture", file.display());
            seen += 1;
        }
    }
    assert!(seen >= 6, "{seen} pictures");
}

/// A page of the guide in the API documentation has its pictures inside, because no other files are published with it.
#[test]
fn every_picture_of_the_guide_is_inside_of_its_page() {
    let guide = workspace_dir().join(GUIDE);
    let modules = fs::read_to_string(guide.join("mod.rs")).unwrap();
    let mut seen = 0;
    for path in texts().into_iter().filter(|path| path.starts_with(&guide)) {
        let page = path.file_name().unwrap().to_str().unwrap();
        let text = fs::read_to_string(&path).unwrap();
        for (words, place) in pictures(&text) {
            assert_described(&path, words);
            let name = place.trim_matches(['[', ']']);
            let with = format!("\"{page}\" with \"{name}.txt\"");
            assert!(modules.contains(&with), "{page} is made without its picture {name}");
            let link = fs::read_to_string(guide.join(format!("{name}.txt"))).unwrap();
            let start = format!("[{name}]: data:image/webp;base64,");
            let data =
                link.strip_prefix(&start).unwrap_or_else(|| panic!("{name}.txt is no picture")).trim_end();
            // `RIFF`, its length, and `WEBP`.
            assert!(
                data.starts_with("UklGR") && data[11..].starts_with("XRUJQVlA4"),
                "{name}.txt is no WebP"
            );
            let is_digit = |byte: u8| byte.is_ascii_alphanumeric() || b"+/=".contains(&byte);
            assert!(data.len() % 4 == 0 && data.bytes().all(is_digit), "{name}.txt is no base64");
            assert!(data.len() < 50_000, "{name}.txt has {} bytes", data.len());
            seen += 1;
        }
    }
    assert_eq!(seen, 2);
}
