//! Up-to-date check for generated files in `cargo test`.

use std::path::Path;

use agui_runtime::Agent;
use agui_runtime::manifest::{AgentSource, Manifest};

use crate::check::check;
use crate::emit::LANGUAGES;
use crate::folder::read_folder;
use crate::ir::OutputOptions;
use crate::lower::lower;

/// Fails a test unless a package folder holds the files generated for the agents.
///
/// For projects that want `cargo test` to report outdated files; `agui-codegen generate --check` does the same without
/// a test. Name all agents whose files are in the folder. The language is TypeScript by default; name another language
/// by key, from [`LANGUAGES`](crate::LANGUAGES). The last argument sets further options; see
/// [`OutputOptions`](crate::ir::OutputOptions).
///
/// ```
/// # mod kitchen {
/// use agui_runtime::{FinishedRun, Input, Run, Stop, agent};
///
/// struct Chef;
///
/// #[agent]
/// impl Chef {
///     async fn run(&self, run: &mut Run<Self>, input: Input<Self>) -> Result<(), Stop> {
///         Ok(())
///     }
/// }
/// # use agui_codegen::{LANGUAGES, Manifest, generate};
/// # use agui_runtime::Agent;
/// # pub fn put(folder: &str, language: usize) {
/// #     let manifest =
/// #         Manifest::build(env!("CARGO_PKG_NAME"), env!("CARGO_PKG_VERSION"), &[Chef::source()]).unwrap();
/// #     for file in generate(&manifest, &LANGUAGES[language]).unwrap().files {
/// #         let path = std::path::Path::new(folder).join(&file.path);
/// #         std::fs::create_dir_all(path.parent().unwrap()).unwrap();
/// #         std::fs::write(path, file.text).unwrap();
/// #     }
/// # }
/// # pub fn test(ts: &str, python: &str) {
///
/// // In a test, with paths below the package: "web/src/agui".
/// # #[cfg(any())]
/// # {
/// agui_codegen::assert_up_to_date!(Chef, "web/src/agui");
/// agui_codegen::assert_up_to_date!(Chef, python = "client/agui");
/// # }
/// # agui_codegen::assert_up_to_date!(Chef, ts);
/// # agui_codegen::assert_up_to_date!([Chef], python = python, |options| options.react = None);
/// # }
/// # }
/// # let folder = std::env::temp_dir().join(format!("agui-fresh-{}", std::process::id()));
/// # let (ts, python) = (folder.join("ts"), folder.join("python"));
/// # let (ts, python) = (ts.to_str().unwrap(), python.to_str().unwrap());
/// # kitchen::put(ts, 0);
/// # kitchen::put(python, 1);
/// # kitchen::test(ts, python);
/// # // A file that is gone is drift.
/// # std::fs::remove_file(folder.join("ts/chef/types.ts")).unwrap();
/// # assert!(std::panic::catch_unwind(|| kitchen::test(ts, python)).is_err());
/// # std::fs::remove_dir_all(folder).unwrap();
/// ```
#[macro_export]
macro_rules! assert_up_to_date {
    ([$($agent:ty),+ $(,)?], $language:ident = $folder:expr $(, $options:expr)? $(,)?) => {{
        #[allow(unused_mut, unused_assignments)]
        let mut options: fn(&mut $crate::ir::OutputOptions) = |_| {};
        $(options = $options;)?
        let package = (env!("CARGO_PKG_NAME"), env!("CARGO_PKG_VERSION"));
        let folder = ::std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join($folder);
        let agents = [$($crate::assert_up_to_date::source::<$agent>()),+];
        if let Err(drift) = $crate::assert_up_to_date::compare(package, &agents, stringify!($language), &folder, options) {
            panic!("{drift}");
        }
    }};
    ([$($agent:ty),+ $(,)?], $folder:expr $(, $options:expr)? $(,)?) => {
        $crate::assert_up_to_date!([$($agent),+], ts = $folder $(, $options)?)
    };
    ($agent:ty, $language:ident = $folder:expr $(, $options:expr)? $(,)?) => {
        $crate::assert_up_to_date!([$agent], $language = $folder $(, $options)?)
    };
    ($agent:ty, $folder:expr $(, $options:expr)? $(,)?) => {
        $crate::assert_up_to_date!([$agent], ts = $folder $(, $options)?)
    };
}

/// Returns the description that contains only `A`.
#[doc(hidden)]
#[must_use]
pub fn source<A: Agent>() -> AgentSource {
    A::source()
}

/// Compares the files in `folder` with the files generated for `agents`, and returns every difference.
#[doc(hidden)]
pub fn compare(
    (name, version): (&str, &str),
    agents: &[AgentSource],
    language: &str,
    folder: &Path,
    options: fn(&mut OutputOptions),
) -> Result<(), String> {
    let known = || LANGUAGES.iter().map(|language| language.key).collect::<Vec<_>>().join(", ");
    let language = LANGUAGES
        .iter()
        .find(|known| known.key == language)
        .ok_or_else(|| format!("there is no language `{language}`; there are: {}", known()))?;
    let manifest = Manifest::build(name, version, agents).map_err(|error| error.to_string())?;
    let mut api = lower(&manifest).map_err(|error| error.to_string())?;
    options(&mut api.options);
    let files = language.emit(&api);
    let existing = read_folder(folder, language, &files).map_err(|error| error.to_string())?;
    let drift = check(&files, &existing);
    if drift.is_empty() {
        return Ok(());
    }
    let said: String = drift.iter().map(ToString::to_string).collect();
    let folder = folder.display();
    Err(format!("{} in {folder} is not up to date; run `agui-codegen generate`\n{said}", language.name))
}
