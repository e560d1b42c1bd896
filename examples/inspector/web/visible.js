// Text of others without hidden effect: characters that are not seen, or that reverse the direction of writing, are
// shown as in JSON. `exe.png` with a reversed part looks like another file; here it does not.

/** Controls except line ends and tabs, marks and overrides of the direction, and characters without a width. */
const HIDDEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u2064\u2066-\u206f\ufeff\ufff9-\ufffb]/g;

const escaped = (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;

/** The text, as it may be shown. In a text that is JSON, the value stays the same. */
export function visible(text) {
  return text.replaceAll(HIDDEN, escaped);
}
