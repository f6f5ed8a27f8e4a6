import type { RE2JS } from 're2js';

/** The states that the engine has made for an expression, and keeps for the next text: up to 8 MiB unless they are forgotten. */
interface LazyAutomaton {
  readonly stateBudget: number;
  readonly memBudget: number;
  clearCache(): void;
}

/**
 * Forgets the states of an expression's automaton where they take much memory: those of thousands of patterns would fill it. They are
 * made again when they are needed.
 *
 * A thread runs the source of this function, so it uses nothing but its parameters.
 *
 * @param maximum the bytes that may be kept, as the engine counts them
 * @returns the bytes that are kept
 */
export function boundAutomatonMemory(expression: RE2JS, maximum: number): number {
  const { lazyDFA } = expression.re2() as unknown as { readonly lazyDFA: LazyAutomaton | null };
  if (lazyDFA === null) return 0;
  if (lazyDFA.stateBudget - lazyDFA.memBudget > maximum) lazyDFA.clearCache();
  return lazyDFA.stateBudget - lazyDFA.memBudget;
}
