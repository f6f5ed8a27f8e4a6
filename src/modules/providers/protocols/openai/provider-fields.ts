import type { ChatMessage, ChatRequest, ContentPart } from '../../chat-completion.js';
import { contentWithName } from '../named-text.js';

// What only some providers of this form take. Others refuse a request with such a field, or take no notice of it
// (docs/interface/providers.md#openai).

/** Providers of OpenAI's own interface. */
const OPENAI: ReadonlySet<string> = new Set(['azure', 'openai']);

/** Providers that keep a prompt in their cache up to a mark of the caller. */
const KNOW_CACHE_CONTROL: ReadonlySet<string> = new Set(['alibaba', 'anthropic']);

/** The longest answer in tokens, under the name that the provider knows; no field where there is none. */
export function longestAnswerField(
  tokens: number | undefined,
  provider: string,
): Pick<ChatRequest, 'max_completion_tokens' | 'max_tokens'> {
  if (tokens === undefined) return {};
  return OPENAI.has(provider) ? { max_completion_tokens: tokens } : { max_tokens: tokens };
}

/** A request, a tool or a part of a message without the fields for caches that the provider does not know. */
export function withoutUnknownMarks<Marked extends object>(marked: Marked, provider: string): Marked {
  const unknown = [
    ...(KNOW_CACHE_CONTROL.has(provider) ? [] : ['cache_control']),
    ...(OPENAI.has(provider) ? [] : ['prompt_cache_breakpoint', 'prompt_cache_options']),
  ];
  if (!unknown.some((field) => field in marked)) return marked;
  return Object.fromEntries(Object.entries(marked).filter(([field]) => !unknown.includes(field))) as Marked;
}

/** A message with a role, a name and marks that the provider knows. */
export function messageFor(message: ChatMessage, provider: string): ChatMessage {
  const known = OPENAI.has(provider) ? message : withoutOpenAiFields(message);
  if (!Array.isArray(known.content)) return known;
  const content = known.content as readonly ContentPart[];
  return { ...known, content: content.map((part) => withoutUnknownMarks(part, provider)) };
}

/**
 * Without the role `developer` and the name of the author, which only OpenAI knows. The name of a tool stays in the message with its result,
 * where some providers want it.
 */
function withoutOpenAiFields(message: ChatMessage): ChatMessage {
  const { name, ...others } = message;
  const role = message.role === 'developer' ? 'system' : message.role;
  if (name === undefined || role === 'tool') return role === message.role ? message : { ...message, role };
  return { ...others, role, content: contentWithName(message) ?? null };
}
