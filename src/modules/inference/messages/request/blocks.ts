import type { JsonObject } from '../../../providers/json-values.js';

/** A block of a message, a result or an instruction, after its form was checked. */
export type Block = JsonObject & { readonly type: string };

/** What may stand where blocks can: a text, or blocks. */
export type BlockContent = string | readonly Block[];

/** A message of a request, after its form was checked. */
export interface MessageParam {
  readonly role: 'user' | 'assistant' | 'system';
  readonly content: BlockContent;
}
