import type { ModelCapabilities } from '../../catalog/capabilities/model-capabilities.js';
import type { ChatChunk, ChatRequest } from '../chat/chat-completion.js';
import { KNOWN_MODEL } from '../chat/known-model.js';
import { RequestAdjustments } from '../chat/request-adjustments.js';
import type { ServerSentEvent, Upstream } from '../upstream-codec.js';
import { CONVERSE } from './codec.js';

export const UPSTREAM: Upstream = {
  provider: 'bedrock',
  baseUrl: 'http://127.0.0.1',
  apiKey: 'bedrock-key-0123456789',
  timeouts: { connect: 1, headers: 1, firstEvent: 1, gap: 1 },
};

/** What a model of Anthropic's can do, as far as Converse has a form of its own for it. */
export const CLAUDE: ModelCapabilities = {
  cache_marks: true,
  model_fields: { reasoning: 'thinking', top_k: 'top_k', tool_choice: true, betas: true, stop_sequence: true },
};

export const QUESTION = { role: 'user', content: 'Hi' } as const;

export const WEATHER = {
  type: 'function',
  function: { name: 'weather', parameters: { type: 'object', properties: { city: { type: 'string' } } } },
} as const;

/** A request of a model of which something is known. */
export function requestFor(known: ModelCapabilities, fields: object = {}): ChatRequest {
  return { model: 'vendor.model-v1:0', messages: [QUESTION], ...fields, [KNOWN_MODEL]: known };
}

/** What the provider gets, and what was left out or changed. */
interface Encoded {
  readonly path: string;
  readonly body: Readonly<Record<string, unknown>>;
  /** Where, and why. */
  readonly adjustments: readonly string[];
}

/** Encodes a request of a model of which something is known. */
export function encoded(known: ModelCapabilities, fields: object, isStreamed = false): Encoded {
  const adjustments = new RequestAdjustments();
  const { path, body } = CONVERSE.operations.chat.encode(requestFor(known, fields), isStreamed, adjustments)[0]!;
  return {
    path,
    body: JSON.parse(JSON.stringify(body)) as Record<string, unknown>,
    adjustments: adjustments.list.map(({ path: place, reason }) => `${place}: ${reason}`),
  };
}

/** The messages that the provider gets. */
export function sentMessages(known: ModelCapabilities, messages: readonly object[], fields: object = {}): unknown {
  return encoded(known, { messages, ...fields }).body['messages'];
}

/** What is read of the events of a stream, which then ends. */
export function streamed(
  events: readonly (readonly [type: string, payload: object])[],
  request = requestFor({}),
): ChatChunk[] {
  const decoder = CONVERSE.operations.chat.streamDecoder(request, UPSTREAM);
  const chunks: ChatChunk[] = [];
  for (const [event, payload] of events) {
    const given: ServerSentEvent = { event, data: JSON.stringify(payload) };
    const chunk = decoder.read(given);
    if (chunk !== undefined) chunks.push(chunk);
    if (decoder.isLast(given)) break;
  }
  decoder.ended();
  return chunks;
}
