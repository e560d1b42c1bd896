// A `fetch` that passes the response through unchanged and keeps what the client read of it.

/**
 * `{ fetch, record }`; `record` holds the last exchange: request, status, contentType, body. Asks for `accept`, where given, in place
 * of what the client asks for. What is no text is not kept: `body` then stays empty.
 */
export function recordingFetch(accept) {
  const record = {};
  const recorded = async (url, init) => {
    for (const key of Object.keys(record)) delete record[key];
    record.request = JSON.parse(init.body);
    if (accept) {
      const headers = new Headers(init.headers);
      headers.set("accept", accept);
      init = { ...init, headers };
    }
    record.accept = new Headers(init.headers).get("accept") ?? undefined;
    const response = await fetch(url, init);
    record.status = response.status;
    record.contentType = response.headers.get("content-type") ?? undefined;
    record.body = "";
    if (!response.body || !record.contentType?.startsWith("text/")) return response;
    const decoder = new TextDecoder();
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

/** The events in an SSE body, before any client touched them; a frame that is not JSON stays text. */
export function eventsOf(body) {
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
