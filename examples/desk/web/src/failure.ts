/** A failure, in words for the customer. */
export type Failure = { readonly title: string; readonly detail: string; readonly code?: string | undefined };

/** The agent failed: RUN_ERROR. */
export function runError(message: string, code: string | undefined): Failure {
  return { title: "The desk could not finish", detail: message, code };
}

/** The desk began to answer, and the end is unknown. */
export const BROKEN_OFF: Failure = {
  title: "The answer broke off",
  detail: "The connection was lost in the middle.",
};

/** The customer did not want the rest. */
export const STOPPED: Failure = { title: "Stopped", detail: "You stopped the answer." };

/** There was no run: the client's error. */
export function transportFailure(error: unknown): Failure {
  const status = member(error, "status");
  if (typeof status === "number") {
    // The server sends `{"error": {"code", "message"}}`; a proxy may send anything.
    const said = member(member(error, "payload"), "error");
    const title = `The server refused with status ${status}`;
    return { title, detail: text(member(said, "message")) ?? "It gave no reason.", code: text(member(said, "code")) };
  }
  if (error instanceof TypeError) {
    // The error of `fetch` without a server: its message differs between browsers.
    return { title: "The desk cannot be reached", detail: "Is the server still running?" };
  }
  return { title: "Something went wrong", detail: error instanceof Error ? error.message : String(error) };
}

function member(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? (value as { [name: string]: unknown })[name] : undefined;
}

function text(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}
