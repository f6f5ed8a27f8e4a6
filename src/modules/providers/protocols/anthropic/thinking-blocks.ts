import { type JsonObject, nonEmptyText } from '../../json-values.js';
import { ANTHROPIC_FORMAT } from '../reasoning-format.js';
import type { ContentBlock } from './content-blocks.js';

/**
 * Writes the reasoning of an earlier answer as the blocks that it came from, in order. The parts that a stream cut a block
 * into are put together again. Details of other forms, and those without the provider's signature, are left out, because the
 * provider would refuse them.
 *
 * @param details reasoning_details that a client sent back
 */
export function thinkingBlocksOf(details: readonly JsonObject[]): readonly ContentBlock[] {
  return wholeThoughtsOf(details).flatMap(thinkingBlock);
}

/** The details of this form, each of a whole block: the parts that a stream cut one into are put together again. */
export function wholeThoughtsOf(details: readonly JsonObject[]): readonly JsonObject[] {
  return joined(details.filter(isOfMessagesForm));
}

/** Whether a detail came from a block of the Messages form, whole or a part of one. */
export function isOfMessagesForm({ format }: JsonObject): boolean {
  return format === ANTHROPIC_FORMAT;
}

/** The detail of a block of reasoning, whole or a part of one. @param fields `id`: see `idOfThought` */
export function reasoningText(
  index: number,
  fields: { readonly id?: string; readonly text?: string; readonly signature?: string },
): JsonObject {
  return { type: 'reasoning.text', format: ANTHROPIC_FORMAT, index, ...fields };
}

/** The detail of a block of reasoning that only the provider can read. @param id see `idOfThought` */
export function encryptedReasoning(index: number, data: string, id?: string): JsonObject {
  return { type: 'reasoning.encrypted', format: ANTHROPIC_FORMAT, index, ...(id !== undefined && { id }), data };
}

function thinkingBlock({ type, data, text, signature }: JsonObject): readonly ContentBlock[] {
  if (type === 'reasoning.encrypted') return [{ type: 'redacted_thinking', data }];
  if (nonEmptyText(signature) === undefined) return [];
  return [{ type: 'thinking', thinking: text ?? '', signature }];
}

function joined(details: readonly JsonObject[]): readonly JsonObject[] {
  const blocks: { detail: JsonObject; texts: string[] }[] = [];
  for (const detail of details) {
    const open = blocks.at(-1);
    if (open !== undefined && continues(open.detail, detail)) {
      open.texts.push(nonEmptyText(detail['text']) ?? '');
      open.detail = { ...open.detail, signature: nonEmptyText(detail['signature']) ?? open.detail['signature'] };
    } else {
      blocks.push({ detail, texts: [nonEmptyText(detail['text']) ?? ''] });
    }
  }
  return blocks.map(({ detail, texts }) => ({ ...detail, text: texts.join('') }));
}

/** A signature ends a block, so what follows it begins another, even where a client has left out the indexes. */
function continues(open: JsonObject, next: JsonObject): boolean {
  return (
    open['type'] === 'reasoning.text' &&
    next['type'] === 'reasoning.text' &&
    open['index'] === next['index'] &&
    nonEmptyText(open['signature']) === undefined
  );
}
