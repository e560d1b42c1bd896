//! The npm packages that a generated client imports.

use std::path::Path;

use super::{DoctorFinding, FindingStatus};
use crate::config::CodegenConfig;
use crate::extract::WorkspacePackage;

/// The official client, on which generated clients are built.
const CLIENT: &str = "@ag-ui/client";

/// Looks for the official client where the generated TypeScript resolves imports.
pub(super) fn look(package: &WorkspacePackage, config: &CodegenConfig) -> Option<DoctorFinding> {
    let folder = package.folder.join(&config.ts.as_ref()?.out);
    let modules = |above: &Path| above.join("node_modules").join(CLIENT).join("package.json").is_file();
    if folder.ancestors().any(modules) {
        return Some(DoctorFinding::new(FindingStatus::Ok, &package.name, format!("{CLIENT} is installed")));
    }
    let page = folder.ancestors().find(|above| above.join("package.json").is_file());
    let remedy = match page {
        Some(page) => format!("npm install, in {}", page.display()),
        None => format!("npm install {CLIENT}, in the folder of the page"),
    };
    let found = format!("{CLIENT} is not installed for {}", folder.display());
    Some(DoctorFinding::new(FindingStatus::Missing, &package.name, found).remedy(remedy))
}
