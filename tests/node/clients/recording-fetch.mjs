// A `fetch` that passes the response through unchanged and keeps the part that the client read.
import { decode } from "@ag-ui/proto";

const BINARY = "application/vnd.ag-ui.event+proto";

/**
 * `{ fetch, record }`; `record` holds the last exchange: request, status, contentType, body. `accept` replaces what the client asks
 * for, which is always server-sent events; a body that is not text is recorded in hexadecimal digits.
 */
export function recordingFetch(accept) {
  const record = {};
  const recorded = async (url, init) => {
    for (const key of Object.keys(record)) delete record[key];
    record.request = JSON.parse(init.body);
    if (accept !== undefined) {
      const headers = new Headers(init.headers);
      headers.set("accept", accept);
      init = { ...init, headers };
    }
    record.accept = new Headers(init.headers).get("accept") ?? undefined;
    const response = await fetch(url, init);
    record.status = response.status;
    record.contentType = response.headers.get("content-type") ?? undefined;
    record.body = "";
    if (!response.body) return response;
    const decoder = record.contentType === BINARY ? hexadecimal : new TextDecoder();
    const tap = new TransformStream({
      transform(chunk, controller) {
        record.body += decoder.decode(chunk, { stream: true });
        controller.enqueue(chunk);
      },
      flush() {
        record.body += decoder.decode();
      },
    });
    return new Response(response.body.pipeThrough(tap), {
      status: response.status,
      statusText: response.statusText,
      headers: response.headers,
    });
  };
  return { fetch: recorded, record };
}

const hexadecimal = { decode: (chunk) => (chunk ? Buffer.from(chunk).toString("hex") : "") };

/** The events in a recorded body, before any client touched them; a frame that is not JSON stays text. */
export function eventsOf({ body, contentType }) {
  if (contentType === BINARY) return messagesOf(Buffer.from(body, "hex")).map((message) => decode(message));
  const payloads = (body ?? "").split(/\r?\n\r?\n/).flatMap((frame) => {
    const data = frame.split(/\r?\n/).filter((line) => line.startsWith("data:"));
    return data.length ? [data.map((line) => line.slice(5).replace(/^ /, "")).join("\n")] : [];
  });
  return payloads.map((payload) => {
    try {
      return JSON.parse(payload);
    } catch {
      return payload;
    }
  });
}

function messagesOf(bytes) {
  if (bytes.length < 4) return [];
  const end = 4 + bytes.readUInt32BE(0);
  return [new Uint8Array(bytes.subarray(4, end)), ...messagesOf(bytes.subarray(end))];
}
