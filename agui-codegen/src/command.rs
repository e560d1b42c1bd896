//! The command line that regenerates the same files.

use std::ffi::OsStr;
use std::path::PathBuf;

use agui_codegen::TargetLanguage;

use crate::arguments::ManifestSource;
use crate::choices::OutputChoices;

/// Returns the command for some packages. `folders` come from the command line; if empty, the folders are in the
/// package's file.
pub(crate) fn command(
    packages: &[&str],
    source: &ManifestSource,
    folders: &[(&TargetLanguage, PathBuf)],
    choices: &OutputChoices,
) -> String {
    let mut words = vec!["agui-codegen generate".to_owned()];
    let mut option = |name: &str, value: &OsStr| words.push(format!("{name} {}", word(value)));
    match (&source.manifest, &source.url) {
        (Some(path), _) => option("--manifest", path.as_os_str()),
        (None, Some(url)) => option("--url", url.as_ref()),
        (None, None) => packages.iter().for_each(|package| option("-p", package.as_ref())),
    }
    for (language, folder) in folders {
        option(&format!("--{}", language.key), folder.as_os_str());
    }
    choices.words().iter().for_each(|(name, value)| option(name, value.as_ref()));
    if let Some(bin) = &source.bin {
        option("--bin", bin.as_ref());
    }
    if !source.build.features.is_empty() {
        option("--features", source.build.features.join(",").as_ref());
    }
    if let Some(target) = &source.build.target {
        option("--target", target.as_ref());
    }
    if let Some(path) = &source.build.manifest_path {
        option("--manifest-path", path.as_os_str());
    }
    for (given, flag) in [
        (source.build.all_features, "--all-features"),
        (source.build.no_default_features, "--no-default-features"),
        (source.host, "--host"),
    ] {
        words.extend(given.then(|| flag.to_owned()));
    }
    words.join(" ")
}

/// Quotes one command-line word, so that the word stays on one line and has no other meaning in a shell.
pub(crate) fn word(value: &OsStr) -> String {
    let text = value.to_string_lossy();
    let is_plain = |c: char| c.is_alphanumeric() || "-_./\\:,@+=~".contains(c);
    if !text.is_empty() && text.chars().all(is_plain) {
        return text.into_owned();
    }
    format!("{text:?}").replace('$', "\\$").replace('`', "\\`")
}

#[cfg(test)]
mod tests {
    use agui_codegen::LANGUAGES;

    use super::*;
    use crate::arguments::build::BuildOptions;
    use crate::choices::ReactName;

    #[test]
    fn the_command_repeats_the_options() {
        assert_eq!(
            command(&["shop"], &ManifestSource::default(), &[], &OutputChoices::default()),
            "agui-codegen generate -p shop"
        );
        let folders = [(&LANGUAGES[0], "web/agui".into()), (&LANGUAGES[1], "my client\n".into())];
        let source = ManifestSource {
            build: BuildOptions {
                features: vec!["a".into(), "b".into()],
                all_features: true,
                ..BuildOptions::default()
            },
            ..ManifestSource::default()
        };
        let choices = OutputChoices {
            react: Some(ReactName::V1),
            brand: vec!["Id".into()],
            single_file: Some(true),
            ..OutputChoices::default()
        };
        assert_eq!(
            command(&["shop"], &source, &folders, &choices),
            "agui-codegen generate -p shop --ts web/agui --python \"my client\\n\" --react v1 --single-file true --brand Id \
             --features a,b --all-features"
        );
        assert_eq!(word("$HOME/`x` \"y\"".as_ref()), r#""\$HOME/\`x\` \"y\"""#);
        let source = ManifestSource { manifest: Some("agui.json".into()), ..ManifestSource::default() };
        assert_eq!(
            command(&["shop"], &source, &folders[..1], &OutputChoices::default()),
            "agui-codegen generate --manifest agui.json --ts web/agui"
        );
    }
}
