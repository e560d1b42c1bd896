// Tables that are wider than their place are reached by keyboard, as everything that scrolls.

function reach() {
  for (const place of document.querySelectorAll(".md-typeset__scrollwrap")) {
    const scrolls = place.scrollWidth > place.clientWidth;
    place.toggleAttribute("tabindex", scrolls);
    if (scrolls) place.tabIndex = 0;
  }
}

// The generator's own script wraps the tables.
new MutationObserver(reach).observe(document.querySelector(".md-content"), { childList: true, subtree: true });
addEventListener("resize", reach);
reach();
