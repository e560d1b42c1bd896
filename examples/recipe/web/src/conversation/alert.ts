import { create, icon } from "../dom.js";
import type { Failure } from "../failure.js";

/** A failure, shown at its place until it is dismissed. */
export function alert(failure: Failure, retry: () => void): HTMLElement {
  const words = create("div", "words", create("strong", "", failure.title), create("p", "", failure.detail));
  if (failure.code !== undefined) words.append(create("code", "", failure.code));
  const box = create("div", "alert", icon("alert"), words);
  box.setAttribute("role", "alert");

  if (failure.retry !== undefined) {
    const again = create("button", "quiet", failure.retry === "say" ? "Say it again" : "Try again");
    again.type = "button";
    again.addEventListener("click", () => {
      box.remove();
      retry();
    });
    words.append(again);
  }
  const dismiss = create("button", "small round", icon("cross"));
  dismiss.type = "button";
  dismiss.setAttribute("aria-label", "Dismiss");
  dismiss.addEventListener("click", () => box.remove());
  box.append(dismiss);
  return box;
}
