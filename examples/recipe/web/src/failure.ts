/** A failure, in words for the user. */
export type Failure = {
  readonly title: string;
  readonly detail: string;
  readonly code?: string | undefined;
  /** How to try again, if that may help: to run once more, or to say the last message again. */
  readonly retry?: "run" | "say" | undefined;
};

/** The cook failed: RUN_ERROR. */
export function runError(message: string, code: string | undefined): Failure {
  return { title: "The cook gave up", detail: message, code };
}

/** The cook began to answer, and the end is unknown. */
export function brokenOff(): Failure {
  return {
    title: "The answer broke off",
    detail: "The connection was lost in the middle.",
    retry: "say",
  };
}

/** No run, or a run that broke off: the client's error. `started` is true if the cook had begun to answer. */
export function transportFailure(error: unknown, started: boolean): Failure {
  const status = member(error, "status");
  if (typeof status === "number") {
    // The server sends `{"error": {"code", "message", "path"}}`; a proxy may send anything.
    const said = member(member(error, "payload"), "error");
    const detail = text(member(said, "message")) ?? "It gave no reason.";
    const place = text(member(said, "path"));
    return {
      title: `The server refused with status ${status}`,
      detail: place === undefined ? detail : `${detail} (at ${place})`,
      code: text(member(said, "code")),
      retry: status >= 500 ? "run" : undefined,
    };
  }
  if (started) return brokenOff();
  if (error instanceof TypeError) {
    // The error of `fetch` without a server: its message differs between browsers.
    return { title: "The kitchen cannot be reached", detail: "Is the server still running?", retry: "run" };
  }
  return { title: "Something went wrong", detail: error instanceof Error ? error.message : String(error), retry: "run" };
}

function member(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? (value as { [name: string]: unknown })[name] : undefined;
}

function text(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}
