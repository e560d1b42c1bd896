import type { Recipe } from "./agui/cook/types.js";

/** Suggestions for the next message. */
export function suggestions(recipe: Recipe | undefined): string[] {
  if (recipe === undefined || recipe.ingredients.length === 0) {
    return ["Cook a risotto", "Pancakes, please", "Something spicy"];
  }
  const next: string[] = [];
  if (recipe.diet !== "vegan") next.push("Make it vegan");
  if (recipe.servings !== 6) next.push("For six");
  if (recipe.ingredients.some(({ price }) => price == null)) next.push("How much is it?");
  if (recipe.order?.status !== "placed") next.push("Order it");
  else next.push("Cook something else");
  return next;
}
