import type { Cents } from "./agui/cook/types.js";

const EURO = new Intl.NumberFormat("en", { style: "currency", currency: "EUR" });
const NUMBER = new Intl.NumberFormat("en", { maximumFractionDigits: 2 });
const FRACTIONS: { [hundredths: number]: string } = { 25: "¼", 50: "½", 75: "¾" };

/** `1234` cents as `€12.34`. */
export function money(cents: Cents): string {
  return EURO.format(cents / 100);
}

/** An amount as a cook would write it: `1½`, `180 g`, `1.2 kg`. */
export function quantity(amount: number, unit: string): string {
  if (unit === "") return pieces(amount);
  if (amount >= 1000 && unit === "g") return `${NUMBER.format(amount / 1000)} kg`;
  if (amount >= 1000 && unit === "ml") return `${NUMBER.format(amount / 1000)} l`;
  return `${NUMBER.format(amount)} ${unit}`;
}

function pieces(amount: number): string {
  const whole = Math.floor(amount);
  const fraction = FRACTIONS[Math.round((amount - whole) * 100)];
  if (fraction === undefined) return NUMBER.format(amount);
  return whole === 0 ? fraction : `${whole}${fraction}`;
}
