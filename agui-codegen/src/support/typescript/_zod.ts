import { z } from "zod/v4";

/** Any JSON value. */
export const anything = /* @__PURE__ */ z.custom<NonNullable<unknown> | null>((value) => value !== undefined, "is missing");

/** A whole number. */
export const whole = (least: number, most: number) =>
  z
    .number()
    .min(least)
    .max(most)
    .refine((value) => value % 1 === 0, "expected a whole number");

/** A string with limits of its length, counted in characters as in Rust and JSON Schema. */
export const text = (least: number, most: number) =>
  z.string().refine((value) => {
    const length = Array.from(value).length;
    return least <= length && length <= most;
  }, `expected ${least} to ${most} characters`);
