import type { ChatMessage } from '../chat-completion.js';

/**
 * The content of a message with the name of its author before its text, for providers that have no field for a name. A content that
 * does not begin with a text stays as it is.
 */
export function contentWithName({ name, content }: ChatMessage): ChatMessage['content'] {
  if (typeof name !== 'string' || content === null || content === undefined) return content;
  if (typeof content === 'string') return isBlank(content) ? content : `${name}: ${content}`;
  const [first, ...rest] = content;
  if (first?.type !== 'text' || isBlank(first.text ?? '')) return content;
  return [{ ...first, text: `${name}: ${first.text}` }, ...rest];
}

function isBlank(text: string): boolean {
  return text.trim() === '';
}
