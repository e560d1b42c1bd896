import type { Cents, Recipe } from "../agui/cook/types.js";

/** The agent's own limit. */
export const MOST_SERVINGS = 50;

/** The recipe for another number of people: amounts follow, and prices and the order are removed. */
export function forServings(recipe: Recipe, servings: number): Recipe {
  const factor = servings / Math.max(recipe.servings, 1);
  const { order: _, ...rest } = recipe;
  return {
    ...rest,
    servings,
    ingredients: recipe.ingredients.map(({ name, amount, unit }) => ({
      name,
      amount: Math.round(amount * factor * 100) / 100,
      unit,
    })),
  };
}

/** The typed text as a number of people, or `undefined` if it is not one. */
export function readServings(text: string): number | undefined {
  const servings = Math.round(Number(text));
  return text.trim() !== "" && servings >= 1 && servings <= MOST_SERVINGS ? servings : undefined;
}

/** The total of all priced ingredients. */
export function total(recipe: Recipe): Cents {
  return recipe.ingredients.reduce((sum, { price }) => sum + (price ?? 0), 0);
}
