/** The value, with nothing in it that can be changed: a stage that tries fails. */
export function frozen(value) {
  if (value && typeof value === "object") {
    Object.values(value).forEach(frozen);
    Object.freeze(value);
  }
  return value;
}
