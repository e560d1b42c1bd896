import { z } from "zod/v4";

/** Any JSON value. */
export const anything = z.custom<NonNullable<unknown> | null>((value) => value !== undefined, "is missing");

/** A whole number. */
export const whole = (least: number, most: number) =>
  z
    .number()
    .min(least)
    .max(most)
    .refine((value) => value % 1 === 0, "expected a whole number");

/** A text of so many characters, counted as Rust and JSON Schema count them. */
export const text = (least: number, most: number) =>
  z.string().refine((value) => {
    const length = [...value].length;
    return least <= length && length <= most;
  }, `expected ${least} to ${most} characters`);
