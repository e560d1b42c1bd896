//! Versions in `Cargo.lock`: the AG-UI crates that the project uses.

use std::collections::BTreeMap;
use std::path::Path;

use super::{DoctorFinding, FindingStatus};

/// Compares the versions with each other, and with this program's version.
pub(super) fn look(root: &Path) -> Vec<DoctorFinding> {
    let text = match std::fs::read_to_string(root.join("Cargo.lock")) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            let found = "is not there yet; the first build writes it";
            return vec![DoctorFinding::new(FindingStatus::Note, "Cargo.lock", found)];
        }
        Err(error) => {
            return vec![DoctorFinding::new(FindingStatus::Broken, "Cargo.lock", error.to_string())];
        }
    };
    match text.parse::<toml::Table>() {
        Ok(lock) => compare(&versions(&lock), env!("CARGO_PKG_VERSION")),
        Err(error) => {
            vec![DoctorFinding::new(FindingStatus::Broken, "Cargo.lock", error.message().to_owned())]
        }
    }
}

/// Returns the runtime's versions and the macros' versions.
fn versions(lock: &toml::Table) -> BTreeMap<String, Vec<String>> {
    let mut versions: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for package in lock.get("package").and_then(toml::Value::as_array).into_iter().flatten() {
        let text = |key: &str| package.get(key).and_then(toml::Value::as_str);
        if let (Some(name), Some(version)) = (text("name"), text("version"))
            && ["agui-runtime", "agui-runtime-macros"].contains(&name)
        {
            versions.entry(name.to_owned()).or_default().push(version.to_owned());
        }
    }
    versions
}

fn compare(versions: &BTreeMap<String, Vec<String>>, own: &str) -> Vec<DoctorFinding> {
    let Some(runtimes) = versions.get("agui-runtime") else {
        let found = "has no agui-runtime yet; the next build adds it";
        return vec![DoctorFinding::new(FindingStatus::Note, "Cargo.lock", found)];
    };
    let mut findings = Vec::new();
    match runtimes.as_slice() {
        [runtime] if runtime == own => {
            findings.push(DoctorFinding::new(
                FindingStatus::Ok,
                "agui-runtime",
                format!("{runtime}, the version of this agui-codegen"),
            ));
        }
        [runtime] => {
            let found = format!("is {runtime}, and this agui-codegen is {own}");
            let remedy = format!("install agui-codegen {runtime}, from where that agui-runtime comes from");
            findings.push(DoctorFinding::new(FindingStatus::Stale, "agui-runtime", found).remedy(remedy));
        }
        several => {
            let found = format!("is locked in several versions: {}", several.join(", "));
            let remedy = "cargo tree --duplicates names the packages that ask for them";
            findings.push(DoctorFinding::new(FindingStatus::Broken, "agui-runtime", found).remedy(remedy));
        }
    }
    if let Some(macros) = versions.get("agui-runtime-macros").filter(|macros| *macros != runtimes) {
        let found = format!("is {}, and agui-runtime is {}", macros.join(", "), runtimes.join(", "));
        let remedy = "cargo update -p agui-runtime -p agui-runtime-macros";
        findings.push(DoctorFinding::new(FindingStatus::Broken, "agui-runtime-macros", found).remedy(remedy));
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the report on a lock file with these packages, for program version 0.2.0.
    fn report(packages: &[(&str, &str)]) -> String {
        let package =
            |(name, version): &(&str, &str)| format!("[[package]]\nname = {name:?}\nversion = {version:?}\n");
        let lock: String = packages.iter().map(package).collect();
        let findings = compare(&versions(&lock.parse().unwrap()), "0.2.0");
        findings.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn versions_are_compared() {
        let same = [("agui-runtime-macros", "0.2.0"), ("agui-runtime", "0.2.0"), ("serde", "1.0.0")];
        assert_eq!(report(&same), "ok       agui-runtime: 0.2.0, the version of this agui-codegen\n");
        let older = report(&[("agui-runtime-macros", "0.1.0"), ("agui-runtime", "0.1.0")]);
        assert!(
            older.starts_with("stale    agui-runtime: is 0.1.0, and this agui-codegen is 0.2.0\n"),
            "{older}"
        );
        let several = report(&[("agui-runtime", "0.1.0"), ("agui-runtime", "0.2.0")]);
        assert!(
            several.starts_with("broken   agui-runtime: is locked in several versions: 0.1.0, 0.2.0\n"),
            "{several}"
        );
        let apart = report(&[("agui-runtime-macros", "0.1.0"), ("agui-runtime", "0.2.0")]);
        assert!(
            apart.contains("broken   agui-runtime-macros: is 0.1.0, and agui-runtime is 0.2.0\n"),
            "{apart}"
        );
        assert!(report(&[("serde", "1.0.0")]).starts_with("note     Cargo.lock: has no agui-runtime"));
    }
}
