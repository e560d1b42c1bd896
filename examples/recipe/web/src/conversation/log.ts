import { byId } from "../dom.js";

/** Within this distance of the end, the view follows new messages. */
const NEAR = 48;

/** The list of messages, which stays at its end unless the user reads further up. */
export class Log {
  readonly #frame = byId("log", HTMLElement);
  readonly #entries = byId("entries", HTMLElement);
  #atEnd = true;

  constructor() {
    let before = 0;
    this.#frame.addEventListener("scroll", () => {
      const { scrollTop, scrollHeight, clientHeight } = this.#frame;
      // Only scrolling up leaves the end: new lines below move the end away as well.
      if (scrollHeight - scrollTop - clientHeight < NEAR) this.#atEnd = true;
      else if (scrollTop < before) this.#atEnd = false;
      before = scrollTop;
    });
    const follow = new ResizeObserver(() => {
      if (this.#atEnd) this.toEnd();
    });
    follow.observe(this.#entries);
    follow.observe(this.#frame);
  }

  append(entry: HTMLElement): void {
    this.#entries.append(entry);
  }

  clear(): void {
    this.#entries.replaceChildren();
  }

  toEnd(): void {
    this.#atEnd = true;
    this.#frame.scrollTop = this.#frame.scrollHeight;
  }

  /** While it is busy, screen readers wait: they read whole sentences instead of single words. */
  set busy(busy: boolean) {
    this.#frame.setAttribute("aria-busy", String(busy));
  }
}
