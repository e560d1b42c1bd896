// The slider through the whole conversation, and the replay at the pace of the events.
import { byId, duration, setText } from "./dom.js";
import { change, show, store, timeOf, view } from "./store.js";
import { visible } from "./visible.js";

/** The longest pause between two events of a replay, and the pause where a recording has no times. */
const LONGEST = 1500;
const UNTIMED = 60;

const slider = byId("slider");
const button = byId("play");
let clock = null;

slider.addEventListener("input", () => {
  pause();
  show(Number(slider.value));
});
button.addEventListener("click", playOrPause);
byId("live").addEventListener("click", () => {
  pause();
  show(store.events.length - 1);
});

function pause() {
  clearTimeout(clock);
  clock = null;
  change();
}

/** Replays from here, or from the beginning if this is the end. */
export function playOrPause() {
  if (clock !== null) return pause();
  if (store.events.length < 2) return;
  if (store.at >= store.events.length - 1) show(0);
  next();
}

function next() {
  const [now, after] = [store.events[store.at], store.events[store.at + 1]];
  if (!after) return pause();
  const [from, to] = [timeOf(now), timeOf(after)];
  const wait = from === null || to === null ? UNTIMED : Math.max(0, Math.min(to - from, LONGEST));
  clock = setTimeout(() => {
    show(store.at + 1);
    next();
  }, wait);
  change();
}

view(({ events, at, isLive, stop }) => {
  byId("scrubber").hidden = events.length === 0;
  slider.max = String(Math.max(0, events.length - 1));
  slider.value = String(at);
  const event = events[at];
  const time = event ? duration(timeOf(event)) : "";
  const text = event ? `${at + 1} / ${events.length}${time ? ` · ${time}` : ""}` : "";
  setText(byId("place"), text);
  slider.setAttribute("aria-valuetext", event ? `event ${at + 1} of ${events.length}, ${visible(event.name)}` : "");
  slider.style.setProperty("--part", `${events.length > 1 ? (at / (events.length - 1)) * 100 : 100}%`);
  button.setAttribute("aria-label", clock === null ? "Replay" : "Pause");
  button.dataset.playing = String(clock !== null);
  byId("live").hidden = isLive || !stop;
});
