const LF = 10;
const CR = 13;

/** The records of a stream of server-sent events, each with the empty line that ends it. */
export class EventRecords {
  private held = new Uint8Array();
  /** The bytes in which no record ends. */
  private seen = 0;

  *push(bytes: Uint8Array): Generator<Uint8Array> {
    const all = new Uint8Array(this.held.length + bytes.length);
    all.set(this.held);
    all.set(bytes, this.held.length);
    this.held = all;
    for (let end = this.end(); end !== undefined; end = this.end()) {
      const record = this.held.subarray(0, end);
      this.held = this.held.subarray(end);
      this.seen = 0;
      yield record;
    }
  }

  /** The bytes in which no record has ended. */
  rest(): Uint8Array {
    const rest = this.held;
    this.held = new Uint8Array();
    return rest;
  }

  /** The place after the first empty line. Lines end at LF, CR LF or CR. */
  private end(): number | undefined {
    const { held } = this;
    for (let at = this.seen; at < held.length; at += 1) {
      const next = lineEnd(held, at);
      const second = next === undefined ? undefined : lineEnd(held, next);
      if (second !== undefined) {
        return second;
      }
    }
    // A line end may be incomplete: CR LF CR LF has four bytes.
    this.seen = Math.max(0, held.length - 4);
    return undefined;
  }
}

/** The place after a line end; `undefined` if there is none, or if its second half may follow. */
function lineEnd(bytes: Uint8Array, at: number): number | undefined {
  if (bytes[at] === LF) {
    return at + 1;
  }
  if (bytes[at] !== CR || at + 1 === bytes.length) {
    return undefined;
  }
  return bytes[at + 1] === LF ? at + 2 : at + 1;
}
