//! Typed interrupts for a run or a call.

use crate::agent::tool::Tool;
use crate::agent::{Agent, Call, InterruptError, InterruptOf, ReadyPhase, Run, Stop, untyped_interrupt};
use crate::kernel::typed_interrupt_id;
use crate::protocol::Interrupt;

impl<A: Agent> Run<A> {
    /// Interrupts the run with a typed interrupt: return the [`Stop`] (AG-UI 1.0, section "Interrupt and `ResumeEntry`").
    /// [`Stop::and`] combines several.
    ///
    /// On the wire the payload is `metadata["agui-rust/payload"]`, and `responseSchema` is the response's schema. The id begins
    /// with the reason and a `#`, by which [`Input::resumed`](crate::Input::resumed) finds the resume entry in the next run; the
    /// id ends in a token, without which no entry counts. A payload without JSON form ends the run in RUN_ERROR.
    ///
    /// ```
    /// use agui_runtime::prelude::*;
    /// use schemars::JsonSchema;
    /// use serde::Serialize;
    ///
    /// /// Asks for how many people the table is.
    /// #[derive(Interrupt, Serialize, JsonSchema)]
    /// #[interrupt(reason = "portions", response = u32)]
    /// struct Portions {
    ///     dish: String,
    /// }
    ///
    /// /// Cooks with you.
    /// #[agent(interrupts = [Portions])]
    /// async fn chef(run: &mut Run<Chef>, input: Input<Chef>) -> Result<u32, Stop> {
    ///     match input.resumed::<Portions>()? {
    ///         Some(asked) => Ok(asked.response.unwrap_or(2)),
    ///         None => Err(run.ask(Portions { dish: "Risotto".to_owned() })),
    ///     }
    /// }
    /// ```
    pub fn ask<I: InterruptOf<A>>(&self, payload: I) -> Stop {
        match self.typed_interrupt(payload) {
            Ok(question) => Stop::interrupt(question),
            Err(error) => error.into(),
        }
    }

    /// Returns the interrupt that [`ask`](Self::ask) sends, for setting other members, such as message or expiry.
    /// [`Stop::interrupt`] sends it. The interrupt names no call: use [`Call::question`] for a call.
    ///
    /// # Errors
    /// [`InterruptError`] if the payload has no JSON form.
    #[expect(clippy::needless_pass_by_value, reason = "a question is asked once")]
    pub fn typed_interrupt<I: InterruptOf<A>>(&self, payload: I) -> Result<Interrupt, InterruptError> {
        self.question_about("", &payload)
    }

    fn question_about<I: InterruptOf<A>>(
        &self,
        call: &str,
        payload: &I,
    ) -> Result<Interrupt, InterruptError> {
        let (agent, nonce) = self.act(|kernel, author| (kernel.agent_path(author), kernel.new_interrupt()));
        untyped_interrupt(payload, typed_interrupt_id(I::REASON, &agent, &nonce, call))
    }
}

impl<A: Agent, T: Tool> Call<'_, A, T, ReadyPhase> {
    /// Leaves the call to a typed interrupt, as [`interrupt`](Self::interrupt) does to an untyped one. The interrupt id names the
    /// call, so the next run finds the call in [`ResumedInterrupt::tool_call_id`](crate::interrupts::ResumedInterrupt::tool_call_id).
    ///
    /// A payload without JSON form is an error as with [`Run::ask`], and the call gets the result `{"error":"abandoned"}`.
    ///
    /// ```
    /// use agui_runtime::prelude::*;
    /// use schemars::JsonSchema;
    /// use serde::Serialize;
    ///
    /// /// Sends a letter.
    /// #[tool]
    /// async fn send(text: String) -> bool {
    ///     true
    /// }
    ///
    /// /// Asks before a letter is sent.
    /// #[derive(Interrupt, Serialize, JsonSchema)]
    /// #[interrupt(reason = "confirm_send", message = "Send it?", response = bool)]
    /// struct ConfirmSend {
    ///     text: String,
    /// }
    ///
    /// /// Writes letters, and asks before it sends them.
    /// #[agent(tools = [send], interrupts = [ConfirmSend])]
    /// async fn writer(run: &mut Run<Writer>, input: Input<Writer>) -> Result<bool, Stop> {
    ///     let Some(asked) = input.resumed::<ConfirmSend>()? else {
    ///         let call = run.call(send { text: "Dear Ada".to_owned() }).await?;
    ///         let text = call.arguments().text.clone();
    ///         return Err(call.ask(ConfirmSend { text }));
    ///     };
    ///     let Some(id) = asked.tool_call_id else { return Ok(false) };
    ///     let call = run.resume_call::<send>(&input, &id)?;
    ///     if asked.response == Some(true) {
    ///         return Ok(call.run().await);
    ///     }
    ///     call.fail("the person said no").await;
    ///     Ok(false)
    /// }
    /// ```
    pub fn ask<I: InterruptOf<A>>(self, payload: I) -> Stop {
        match self.typed_interrupt(payload) {
            Ok(question) => self.interrupt(question),
            Err(error) => error.into(),
        }
    }

    /// Returns the interrupt that [`ask`](Self::ask) sends, for setting other members, such as message or expiry. The id names the
    /// call; send the interrupt with the same call's [`interrupt`](Self::interrupt).
    ///
    /// # Errors
    /// [`InterruptError`] if the payload has no JSON form.
    #[expect(clippy::needless_pass_by_value, reason = "a question is asked once")]
    pub fn typed_interrupt<I: InterruptOf<A>>(&self, payload: I) -> Result<Interrupt, InterruptError> {
        self.in_run().question_about(self.id().as_str(), &payload)
    }
}
