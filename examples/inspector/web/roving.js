// A list of buttons that is one stop of the Tab key: the arrows go from one to the next.

/**
 * Makes the buttons in a container one stop: the one that had the focus last, at first the first. Call the returned
 * function after buttons came or went.
 */
export function roving(container, selector) {
  let last = null;
  /** True if a click brought the focus: then the arrows stay the shortcuts of the page. */
  let isClicked = false;
  const refresh = () => {
    const all = [...container.querySelectorAll(selector)];
    const stop = all.includes(last) ? last : all[0];
    for (const one of all) one.tabIndex = one === stop ? 0 : -1;
  };
  container.addEventListener("pointerdown", () => (isClicked = true));
  // The list may be rebuilt under the pointer, and its buttons leave the page with the focus.
  container.addEventListener("focusout", ({ relatedTarget }) => {
    if (!container.contains(relatedTarget)) isClicked = false;
  });
  container.addEventListener("focusin", ({ target }) => {
    if (!target.matches(selector)) return;
    last = target;
    refresh();
  });
  container.addEventListener("keydown", (event) => {
    const list = [...container.querySelectorAll(selector)].filter((one) => one.checkVisibility());
    const at = list.indexOf(event.target);
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: list.length - 1 }[event.key];
    if (isClicked || at < 0 || to === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
    list[Math.max(0, Math.min(list.length - 1, to))].focus();
  });
  return refresh;
}
