//! The run option for surfaces.

use super::SurfaceVersion;
use crate::agent::RunOptions;
use crate::emit::Emit;

/// The version for a client that names none. Kept with the values of the request, because runs know nothing of surfaces.
#[derive(Clone, Copy)]
struct SurfaceSetting(SurfaceVersion);

/// Returns the run's setting, if there is one.
pub(super) fn surface_setting(emit: &Emit) -> Option<SurfaceVersion> {
    emit.shared().request().get::<SurfaceSetting>().map(|setting| setting.0)
}

impl RunOptions {
    /// Sets the A2UI version for a client that names none. By default such a client gets each surface as the agent wrote it, which
    /// is v0.9 for surfaces that v0.9 can write.
    ///
    /// A server sets the version for all runs with `Server::run_options`. [`Surface::show`](crate::a2ui::Surface::show) has the
    /// whole rule.
    ///
    /// ```
    /// use agui_runtime::a2ui::{ComponentCatalog, Surface, SurfaceComponent, SurfaceVersion};
    /// use agui_runtime::prelude::*;
    /// use agui_runtime::{RunOptions, testing};
    ///
    /// /// Greets.
    /// #[agent(activities = [Surface])]
    /// async fn greeter(run: &mut Run<Greeter>, _: Input<Greeter>) -> Result<(), Stop> {
    ///     let text = SurfaceComponent::new("root", "Text").with("text", "Hello!");
    ///     drop(Surface::new("hello", ComponentCatalog::BASIC, [text]).show(run).await?);
    ///     Ok(())
    /// }
    ///
    /// let options = RunOptions::default().surface_version(SurfaceVersion::V1_0);
    /// # let events = futures::executor::block_on(testing::run_with(Greeter::new(), testing::input("Hi"), options));
    /// # assert!(serde_json::to_string(&events[1]).unwrap().contains(r#""version":"v1.0""#), "{events:?}");
    /// ```
    #[must_use]
    pub fn surface_version(self, version: SurfaceVersion) -> Self {
        self.request(SurfaceSetting(version))
    }
}
