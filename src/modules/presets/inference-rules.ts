import { joinPath, type ReasonedIssue } from '../../http/errors/issue.js';

type Body = Readonly<Record<string, unknown>>;

/** An object or a list, and where it stands. */
interface Container {
  readonly path: string;
  readonly value: object;
}

/** What is kept is what JSON can tell again: numbers have an end. */
export function finiteNumbers(body: Body): ReasonedIssue[] {
  const issues: ReasonedIssue[] = [];
  const containers: Container[] = [{ path: '', value: body }];
  // The list grows while it is walked through.
  for (const { path, value } of containers) {
    for (const [name, part] of partsOf(value)) {
      if (typeof part === 'object' && part !== null) containers.push({ path: joinPath(path, name), value: part });
      else if (typeof part === 'number' && !Number.isFinite(part)) {
        issues.push({ path: joinPath(path, name), message: 'must be a finite number' });
      }
    }
  }
  return issues;
}

/** A system message is text, so that it can be the system prompt. */
export function systemMessagesOfText({ messages }: Body): ReasonedIssue[] {
  if (!Array.isArray(messages)) return [];
  return messages.flatMap((message: unknown, index) =>
    isSystemMessage(message) && textOf(message.content) === undefined
      ? [{ path: joinPath(joinPath('messages', index), 'content'), message: 'must be a text or a list of texts' }]
      : [],
  );
}

/** The system prompt that messages hold: all their system messages, one after the other. Null when there is none. */
export function systemPromptOf(messages: readonly unknown[]): string | null {
  const texts = messages.flatMap((message) => (isSystemMessage(message) ? [textOf(message.content) ?? ''] : []));
  const prompt = texts.filter((text) => text !== '').join('\n\n');
  return prompt === '' ? null : prompt;
}

function isSystemMessage(message: unknown): message is { readonly role: 'system'; readonly content?: unknown } {
  return typeof message === 'object' && message !== null && 'role' in message && message.role === 'system';
}

/** The text of a message's content, which may come in parts. */
function textOf(content: unknown): string | undefined {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return undefined;
  const texts = content.map((part: unknown) =>
    typeof part === 'object' && part !== null && 'text' in part && typeof part.text === 'string'
      ? part.text
      : undefined,
  );
  return texts.includes(undefined) ? undefined : texts.join('');
}

function partsOf(value: object): readonly (readonly [string | number, unknown])[] {
  return Array.isArray(value) ? value.map((part: unknown, index) => [index, part] as const) : Object.entries(value);
}
