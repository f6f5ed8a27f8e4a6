import type { ChatMessage, ContentPart } from '../../chat-completion.js';

/** The text for the result of a tool that has no text of its own. */
const RESULT_FOLLOWS = 'The result is in the next message.';

/**
 * Writes results of tools as this form has them: as texts. Images and files of results go into the message of the user that
 * follows them, behind a line that says which call they belong to: all results have to stand behind the calls without another
 * message between them (docs/interface/providers.md#openai).
 */
export function withTextResults(messages: readonly ChatMessage[]): readonly ChatMessage[] {
  if (!messages.some(hasMedia)) return messages;
  const written: ChatMessage[] = [];
  let media: ContentPart[] = [];
  for (const message of messages) {
    if (message.role === 'tool') {
      const { content, parts } = split(message);
      written.push({ ...message, content });
      media.push(...parts);
      continue;
    }
    const isUser = message.role === 'user';
    if (media.length > 0 && !isUser) written.push({ role: 'user', content: media });
    written.push(media.length > 0 && isUser ? { ...message, content: [...media, ...partsOf(message)] } : message);
    media = [];
  }
  return media.length === 0 ? written : [...written, { role: 'user', content: media }];
}

function hasMedia({ role, content }: ChatMessage): boolean {
  return role === 'tool' && Array.isArray(content) && content.some(isMedia);
}

function isMedia({ type }: ContentPart): boolean {
  return type !== 'text';
}

/** The texts of a result, and its other parts. */
function split(message: ChatMessage): Pick<ChatMessage, 'content'> & { readonly parts: readonly ContentPart[] } {
  if (!hasMedia(message)) return { content: message.content ?? '', parts: [] };
  const content = partsOf(message);
  const texts = content.filter((part) => !isMedia(part));
  return {
    content: texts.length === 0 ? RESULT_FOLLOWS : texts,
    parts: [{ type: 'text', text: `Result of the tool call ${message.tool_call_id}:` }, ...content.filter(isMedia)],
  };
}

function partsOf({ content }: ChatMessage): readonly ContentPart[] {
  if (typeof content === 'string') return content === '' ? [] : [{ type: 'text', text: content }];
  return content ?? [];
}
