import type { PlanImpact } from './configuration-plan.js';
import type { ModelsOfKey } from './models-of-keys.js';

/** How many keys an answer names, and how many models of each. */
const NAMED_KEYS = 20;
const NAMED_MODELS = 10;

/** What keys lose, by what they may use before and after. A key that is deleted is in the plan itself. */
export function impactOf(before: readonly ModelsOfKey[], after: readonly ModelsOfKey[]): PlanImpact {
  const now = new Map(after.map((key) => [key.hash, key.models]));
  const losing = before.flatMap(({ hash, name, models }) => {
    const left = now.get(hash);
    const lost = left === undefined ? [] : [...models].filter((model) => !left.has(model)).sort();
    if (lost.length === 0) return [];
    return [{ hash, name, models: lost.slice(0, NAMED_MODELS), model_count: lost.length }];
  });
  return { keys_checked: before.length, keys_losing_models: losing.length, keys: losing.slice(0, NAMED_KEYS) };
}
