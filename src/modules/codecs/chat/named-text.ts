import type { ChatMessage } from './chat-completion.js';

/**
 * The content of a message with the name of its author before its text, for providers that have no field for a name. A content that
 * does not begin with a text stays as it is.
 */
export function contentWithName({ name, content }: ChatMessage): ChatMessage['content'] {
  if (typeof name !== 'string' || content === null || content === undefined) return content;
  if (typeof content === 'string') return isBlank(content) ? content : leadOf(name) + content;
  const [first, ...rest] = content;
  if (first?.type !== 'text' || isBlank(first.text ?? '')) return content;
  return [{ ...first, text: leadOf(name) + first.text! }, ...rest];
}

/** What stands in front of a text for its author's name. Content filters read it there too. */
export function leadOf(name: string): string {
  return `${name}: `;
}

function isBlank(text: string): boolean {
  return text.trim() === '';
}
