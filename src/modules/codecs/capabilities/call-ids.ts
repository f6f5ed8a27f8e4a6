import { createHash } from 'node:crypto';
import type { ModelCapabilities } from '../../catalog/capabilities/model-capabilities.js';
import type { ChatMessage } from '../chat/chat-completion.js';
import { portableCallId } from '../chat/tool-call-ids.js';

/** Letters and digits, of which the ids of some providers are. */
const ALPHANUMERIC = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const ALPHANUMERIC_9 = /^[A-Za-z0-9]{9}$/;

/** The longest id that OpenAI takes, in characters. */
const LONGEST = 40;

/** Characters of the hash that stands for a longer one. */
const HASH_LENGTH = 32;

/**
 * The messages of a request with ids of calls that its provider takes, the same in a call and its result. An id becomes the same in every
 * request, so that prompts that are cached stay what they are.
 *
 * @param messages whose results stand behind their calls
 */
export function withCallIds(
  messages: readonly ChatMessage[],
  { tool_call_ids: form = 'any', unique_call_ids: areUnique = false }: ModelCapabilities,
): readonly ChatMessage[] {
  if (form === 'any' && !areUnique) return messages;
  const ids = new SentIds(form, areUnique);
  return messages.map((message) => {
    const { tool_calls: calls, tool_call_id: id } = message;
    const sent = calls?.map((call) => {
      const its = ids.ofCall(call.id);
      return its === call.id ? call : { ...call, id: its };
    });
    const isChanged = sent?.some((call, index) => call !== calls![index]) === true;
    const answered = id === undefined ? undefined : ids.ofResult(id);
    if (!isChanged && answered === id) return message;
    return {
      ...message,
      ...(isChanged && { tool_calls: sent }),
      ...(answered !== undefined && { tool_call_id: answered }),
    };
  });
}

/** The ids that a provider gets for those of the conversation. */
class SentIds {
  /** What a provider got for the last call with an id, by that id. */
  private readonly last = new Map<string, string>();
  private readonly used = new Set<string>();
  /** The last number that was tried behind each id that is not unique. */
  private readonly tried = new Map<string, number>();

  constructor(
    private readonly form: NonNullable<ModelCapabilities['tool_call_ids']>,
    private readonly areUnique: boolean,
  ) {}

  ofCall(id: string): string {
    const sent = this.areUnique ? this.unused(this.fitting(id)) : this.fitting(id);
    this.last.set(id, sent);
    return sent;
  }

  ofResult(id: string): string {
    return this.last.get(id) ?? this.fitting(id);
  }

  private fitting(id: string): string {
    if (this.form === 'alphanumeric_9') return ALPHANUMERIC_9.test(id) ? id : alphanumeric(id);
    if (this.form === 'at_most_40' && id.length > LONGEST) return `call_${hashOf(id)}`;
    return id;
  }

  /** Some servers number the calls of each answer anew, so that their ids repeat in a conversation. */
  private unused(id: string): string {
    // Ids that differ only in what other forms do not know would be the same there.
    const portable = portableCallId(id);
    let free = id;
    let number = this.tried.get(portable) ?? 1;
    while (this.used.has(portableCallId(free))) free = `${id}_${(number += 1)}`;
    if (number > 1) this.tried.set(portable, number);
    this.used.add(portableCallId(free));
    return free;
  }
}

function alphanumeric(id: string): string {
  const bytes = createHash('sha256').update(id).digest();
  return Array.from({ length: 9 }, (_, at) => ALPHANUMERIC[bytes[at]! % ALPHANUMERIC.length]).join('');
}

function hashOf(id: string): string {
  return createHash('sha256').update(id).digest('hex').slice(0, HASH_LENGTH);
}
