//! A folder outside of this workspace, with this repository in it as `agui`, like a user's folder.

use std::fs;
use std::io::ErrorKind;

use agui_tests::outside::{CargoFolder, target_dir, workspace_dir};

/// The folder without the projects called `names`.
pub(crate) fn folder_without(names: &[&str]) -> CargoFolder {
    let folder = CargoFolder::create("agui-beside");
    names.iter().for_each(|name| drop(fs::remove_dir_all(folder.path.join(name))));
    match std::os::unix::fs::symlink(workspace_dir(), folder.path.join("agui")) {
        Err(error) if error.kind() != ErrorKind::AlreadyExists => panic!("{error}"),
        _ => {}
    }
    folder.configure(&format!("target-dir = {:?}", target_dir()), "");
    folder
}
