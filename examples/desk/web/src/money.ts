/** `5900` cents as `59.00 €`, as the desk writes them. */
export function money(cents: number): string {
  return `${decimal(cents)}\u00a0€`;
}

/** `5900` cents as `59.00`. */
export function decimal(cents: number): string {
  return (cents / 100).toFixed(2);
}

/** The cents of an amount as people write it: `59`, `59.5`, `59,50`. */
export function cents(text: string): number | undefined {
  const [, euros, fraction = ""] = /^(\d{1,7})(?:[.,](\d{0,2}))?$/.exec(text.replace("€", "").trim()) ?? [];
  return euros === undefined ? undefined : Number(euros) * 100 + Number(fraction.padEnd(2, "0"));
}
