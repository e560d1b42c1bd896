/** What went wrong, in words for the person. */
export type Failure = {
  readonly title: string;
  readonly detail: string;
  readonly code?: string | undefined;
  /** Whether sending the same once more may help. */
  readonly retry: boolean;
};

/** The cook itself gave up: RUN_ERROR. */
export function runError(message: string, code: string | undefined): Failure {
  return { title: "The cook gave up", detail: message, code, retry: false };
}

/** The cook began to answer and nobody knows how it ended. */
export function brokenOff(): Failure {
  return {
    title: "The answer broke off",
    detail: "The connection was lost in the middle. Say it again to go on.",
    retry: false,
  };
}

/** No run, or a run that broke off: what the client throws. `started` is whether the cook had begun to answer. */
export function transportFailure(error: unknown, started: boolean): Failure {
  const status = member(error, "status");
  if (typeof status === "number") {
    // The server says `{"error": {"code", "message", "path"}}`; something in between may say anything.
    const said = member(member(error, "payload"), "error");
    const detail = text(member(said, "message")) ?? "It gave no reason.";
    const place = text(member(said, "path"));
    return {
      title: `The server refused with status ${status}`,
      detail: place === undefined ? detail : `${detail} (at ${place})`,
      code: text(member(said, "code")),
      retry: status >= 500,
    };
  }
  if (started) return brokenOff();
  if (error instanceof TypeError) {
    // What `fetch` throws when there is nobody: its message differs from browser to browser.
    return { title: "The kitchen cannot be reached", detail: "Is the server still running?", retry: true };
  }
  return { title: "Something went wrong", detail: error instanceof Error ? error.message : String(error), retry: true };
}

function member(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? (value as { [name: string]: unknown })[name] : undefined;
}

function text(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}
