//! Text for a failed call.

/// A failed call's text, for the model and the page's users: every type that converts into a `String`.
///
/// Errors do not implement this trait, because their text may contain secrets. There is nothing to implement by hand.
///
/// ```
/// # use agui_runtime::prelude::*;
/// # /// Looks up what something costs.
/// # #[tool]
/// # async fn price(name: String) -> u32 { 180 }
/// # /// Cooks with you.
/// # #[agent(tools = [price])]
/// # async fn chef(run: &mut Run<Chef>, input: Input<Chef>) -> Result<(), Stop> {
/// # let name = "rice".to_owned();
/// let call = run.call(price { name: name.clone() }).await?;
/// call.fail(format!("{name} is sold out")).await;
/// # Ok(())
/// # }
/// ```
#[diagnostic::on_unimplemented(
    message = "a call fails with a text for the model, and `{Self}` is not text",
    label = "not a text: write what the model and the page may know, such as `\"the shop is closed\"`",
    note = "the text of an error may hold addresses and passwords: log it with `tracing`, and fail with a text of your own",
    note = "an error that a tool returns is logged and hidden for you; with `impl agui_runtime::PublicError` its text is shown"
)]
pub trait FailureText {
    #[doc(hidden)]
    fn into_failure_text(self) -> String;
}

#[diagnostic::do_not_recommend]
impl<T: Into<String>> FailureText for T {
    fn into_failure_text(self) -> String {
        self.into()
    }
}
