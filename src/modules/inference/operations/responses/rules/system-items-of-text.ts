import { joinPath, type IssueWithReason } from '../../../../../http/errors/issue.js';
import { isObject } from '../../../../../http/validation/constraints.js';
import { isInstructing } from '../../../../codecs/chat/chat-completion.js';

/** The types of the parts that have a text. */
const TEXTS: ReadonlySet<unknown> = new Set(['input_text', 'output_text']);

/** Messages of `system` and `developer` must be text, so that they can become the system prompt (docs/interface/presets.md#creating-a-version). */
export function systemItemsOfText({ input }: Readonly<Record<string, unknown>>): IssueWithReason[] {
  if (!Array.isArray(input)) return [];
  return input.flatMap((item: unknown, index) =>
    isObject(item) && isInstructing(item.role) && !isText(item.content)
      ? [{ path: joinPath(joinPath('input', index), 'content'), message: 'must be a text or a list of texts' }]
      : [],
  );
}

function isText(content: unknown): boolean {
  // Another rule refuses a list of malformed parts.
  if (!Array.isArray(content)) return true;
  return content.every((part: unknown) => !isObject(part) || TEXTS.has(part.type));
}
