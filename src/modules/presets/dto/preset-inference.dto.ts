import { joinPath, type IssueWithReason } from '../../../http/errors/issue.js';
import { BODY_LIMITS, BodyLimit } from '../../../http/input/body-limit.js';
import { finiteNumbers } from '../../../http/validation/finite-numbers.js';
import { Rules } from '../../../http/validation/rules.js';
import { FreeObjectListField, TextField, TextListField } from '../../../http/validation/fields.js';
import { AdditionalProperties } from '../../../http/validation/dto-fields.js';

type Body = Readonly<Record<string, unknown>>;

/** `developer` is the newer name of `system`. */
const INSTRUCTING_ROLES: ReadonlySet<unknown> = new Set(['system', 'developer']);

/** Messages of `system` and `developer` must be text, so that they can become the system prompt. */
function systemMessagesOfText({ messages }: Body): IssueWithReason[] {
  if (!Array.isArray(messages)) return [];
  return messages.flatMap((message: unknown, index) =>
    isInstruction(message) && messageText(message.content) === undefined
      ? [{ path: joinPath(joinPath('messages', index), 'content'), message: 'must be a text or a list of texts' }]
      : [],
  );
}

/** The system prompt: all messages of `system` and `developer`, joined by an empty line. Null without one. */
export function systemPromptOf(messages: readonly unknown[]): string | null {
  const texts = messages.flatMap((message) => (isInstruction(message) ? [messageText(message.content) ?? ''] : []));
  const prompt = texts.filter((text) => text !== '').join('\n\n');
  return prompt === '' ? null : prompt;
}

function isInstruction(message: unknown): message is { readonly content?: unknown } {
  return typeof message === 'object' && message !== null && 'role' in message && INSTRUCTING_ROLES.has(message.role);
}

/** The text of a message, which may consist of parts. */
function messageText(content: unknown): string | undefined {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return undefined;
  const texts = content.map((part: unknown) =>
    typeof part === 'object' && part !== null && 'text' in part && typeof part.text === 'string'
      ? part.text
      : undefined,
  );
  return texts.includes(undefined) ? undefined : texts.join('');
}

/** The body of a chat completion, that becomes a version of a preset. */
@BodyLimit(BODY_LIMITS.large)
@AdditionalProperties()
@Rules(finiteNumbers, systemMessagesOfText)
export class PresetInferenceRequest {
  @TextField({ description: 'The model.', example: 'openai/gpt-5.5', optional: true })
  model?: string;

  @TextListField({
    description: 'Models to try one after the other.',
    example: ['openai/gpt-5.5', 'anthropic/claude-sonnet-4.6'],
    optional: true,
  })
  models?: readonly string[];

  @FreeObjectListField({
    description: 'Not stored, except messages with the role system or developer, which become the system prompt.',
    example: [{ role: 'system', content: 'You are helpful.' }],
    optional: true,
  })
  messages?: readonly Readonly<Record<string, unknown>>[];

  /** Configuration of any name. */
  readonly [name: string]: unknown;
}
