import { isObject } from "./_check.js";

/** A request that is not a webhook of the secret. */
export class WebhookVerificationError extends Error {
  override readonly name = "WebhookVerificationError";
}

/** The body of a webhook: the end of a run that its server stores. */
export type WebhookMessage = {
  readonly type: "run.finished" | "run.interrupted" | "run.cancelled" | "run.failed";
  readonly timestamp: string;
  readonly data: {
    readonly agent: string;
    readonly threadId: string;
    readonly runId: string;
    /** RUN_FINISHED or RUN_ERROR; missing if it is too large. */
    readonly event?: Readonly<Record<string, unknown>>;
  };
};

/** A webhook that was checked. Handle each id once: the same message may come again. */
export type VerifiedWebhook = { readonly id: string; readonly message: WebhookMessage };

/** The most that the clocks of sender and receiver may differ, in seconds. */
const TOLERANCE = 5 * 60;

/**
 * Checks a request by the Standard Webhooks specification. `body` is the text as it arrived, and `secret` the one of the
 * server, `whsec_…`. Throws a {@link WebhookVerificationError}.
 */
export async function verifyWebhook(secret: string, headers: Headers, body: string): Promise<VerifiedWebhook> {
  const [id, timestamp, signatures] = ["webhook-id", "webhook-timestamp", "webhook-signature"].map((name) => {
    const value = headers.get(name);
    if (value === null || value === "") {
      throw new WebhookVerificationError(`the header ${name} is missing`);
    }
    return value;
  }) as [string, string, string];
  const apart = Math.abs(Date.now() / 1000 - Number(timestamp));
  if (!/^\d+$/.test(timestamp) || apart > TOLERANCE) {
    throw new WebhookVerificationError("the webhook was not sent within five minutes of now");
  }
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const key = await crypto.subtle.importKey("raw", decoded(secret.replace(/^whsec_/, "")), algorithm, false, ["verify"]);
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${body}`);
  for (const signature of signatures.split(" ")) {
    const [version, code] = signature.split(",");
    if (version === "v1" && code !== undefined && (await crypto.subtle.verify("HMAC", key, bytesOf(code), signed))) {
      const message: unknown = JSON.parse(body);
      if (!isObject(message)) {
        throw new WebhookVerificationError("the webhook is no object");
      }
      return { id, message: message as WebhookMessage };
    }
  }
  throw new WebhookVerificationError("the webhook has no signature of this secret");
}

// The compiler finds the type of the bytes: before TypeScript 5.7 it has no parameter, and after it needs one.
function decoded(text: string) {
  return Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
}

/** The bytes of a signature; none if it is malformed. */
function bytesOf(text: string): ReturnType<typeof decoded> {
  try {
    return decoded(text);
  } catch {
    return new Uint8Array();
  }
}
