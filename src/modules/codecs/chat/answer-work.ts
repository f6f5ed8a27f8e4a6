import type { WorkBudget } from '../../../http/input/work-budget.js';
import { answerBudget } from '../errors/answer-budget.js';

/** How much of a document or an event makes its budget larger, in bytes: long texts and vectors are handed on, and take no work. */
const MOST_BYTES = 2 * 1024 * 1024;

/** The nodes that an item counts as from which something of its own is made in every form: a call, a thought, a block. */
export const ITEM_NODES = 64;

/** The nodes that a smaller item counts as: a choice, a source, an image. */
export const SMALL_ITEM_NODES = 16;

/** The budget of the document or event that is read now; undefined while none is. One at a time is read, because reading waits for nothing. */
let budget: WorkBudget | undefined;

/**
 * Reads a document or an event of a provider within its budget of work (docs/limits.md#work).
 *
 * @param bytes of it, or its characters
 * @param read reads it, and counts what it visits and writes
 * @throws ProviderError of kind `invalid` for what takes more, and whatever `read` throws
 */
export function withinWork<Read>(bytes: number, read: () => Read): Read {
  const outer = budget;
  budget = answerBudget(Math.min(bytes, MOST_BYTES));
  try {
    return read();
  } finally {
    budget = outer;
  }
}

/** Counts nodes of an answer that are visited. @throws ProviderError when the budget is used up */
export function visited(nodes: number): void {
  budget?.visit(nodes);
}

/** Counts characters that are written for an answer besides those that are handed on as they came. @throws as {@link visited} does */
export function written(characters: number): void {
  budget?.write(characters);
}
