// The versions of the shared state, one for each event that changed it.
import { apply } from "./patch.js";

export class States {
  /** `{ n, value, error? }`, in the order of the events; `n` is the event after which the value holds. */
  versions = [];

  /** A run begins with the state of its input. */
  begin(n, state) {
    const last = this.versions.at(-1);
    if (last === undefined || JSON.stringify(last.value) !== JSON.stringify(state)) this.versions.push({ n, value: state });
  }

  add(event) {
    const { n, type, json, verdict } = event;
    // A client that has stopped changes nothing.
    if (verdict === "unread" || verdict === "refused") return;
    if (type === "STATE_SNAPSHOT") this.versions.push({ n, value: json.snapshot ?? null });
    if (type !== "STATE_DELTA") return;
    const before = this.versions.at(-1)?.value;
    try {
      this.versions.push({ n, value: apply(before ?? {}, json.delta) });
    } catch (cause) {
      this.versions.push({ n, value: before, error: cause.message });
    }
  }

  /** The index of the version after event `n`; -1 before the first. */
  indexAt(n) {
    let [low, high] = [0, this.versions.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.versions[middle].n <= n) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }
}
