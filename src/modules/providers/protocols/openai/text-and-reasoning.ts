import { type JsonObject, listOf, objectOf, nonEmptyText, walkedListOf } from '../../json-values.js';
import { ProviderError } from '../../provider-error.js';

/** What a model said in a message, or in a part of one. */
export interface TextAndReasoning {
  readonly content: string | null | undefined;
  readonly reasoning: string | undefined;
}

/**
 * Reads what a model said. Its reasoning stands in `reasoning`, `reasoning_content` or `thinking`, or as parts of the
 * content, which may be texts themselves.
 *
 * @throws ProviderError for a content that is not a text
 */
export function textAndReasoningOf(message: JsonObject): TextAndReasoning {
  const { content } = message;
  const reasoning =
    nonEmptyText(message['reasoning']) ??
    nonEmptyText(message['reasoning_content']) ??
    nonEmptyText(message['thinking']);
  if (typeof content === 'string') return { content, reasoning };
  if (content === null || content === undefined) return { content, reasoning };
  if (!Array.isArray(content))
    throw new ProviderError('invalid', 'The provider’s answer has a content that is no text.');
  const parts = walkedListOf(content).map(partOf);
  const thought = parts.flatMap((part) => (part?.['type'] === 'thinking' ? listOf(part['thinking']) : []));
  return {
    content: textsOf(parts.filter(isTextPart)),
    reasoning: reasoning ?? nonEmptyText(textsOf(thought.map(objectOf))),
  };
}

function partOf(part: unknown): JsonObject | undefined {
  return typeof part === 'string' ? { type: 'text', text: part } : objectOf(part);
}

function isTextPart(part: JsonObject | undefined): boolean {
  return part?.['type'] === 'text' || part?.['type'] === 'output_text';
}

function textsOf(parts: readonly (JsonObject | undefined)[]): string {
  return parts.map((part) => nonEmptyText(part?.['text']) ?? '').join('');
}
