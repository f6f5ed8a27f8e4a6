import type { Answer } from '../../../support/network/api-client.js';
import { QUESTION } from '../test-gateway.js';
import { keyPerTest, organizationPerTest } from '../../../support/application/shared-organization.js';
import { sharedGateway } from '../shared-gateway.js';

/** A whole message, as far as tests look into it. */
interface Message {
  readonly id: string;
  readonly type: string;
  readonly content: readonly Record<string, unknown>[];
  readonly usage: { readonly cost: number } & Record<string, unknown>;
  readonly [field: string]: unknown;
}

export interface Failure {
  readonly error: { readonly message: string; readonly metadata: { readonly reason: string } };
  readonly request_id: string | null;
}

/** By Alpha, a provider of the form of chat completions, and by Beta, one of the Messages form. */
export const WRITER = 'acme/writer';

export const SPARE = 'acme/spare';

const CACHE_WRITES = { ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: 0 };

/** An answer of Beta. */
export const ANSWER = {
  id: 'msg_upstream',
  type: 'message',
  role: 'assistant',
  model: 'upstream-model',
  content: [
    { type: 'thinking', thinking: 'I look.', signature: 'c2lnbmVk' },
    { type: 'text', text: 'Looking.' },
    { type: 'tool_use', id: 'toolu_1', name: 'weather', input: { city: 'Ulm' } },
  ],
  stop_reason: 'tool_use',
  stop_sequence: null,
  usage: {
    input_tokens: 4,
    output_tokens: 5,
    cache_read_input_tokens: 6,
    cache_creation: CACHE_WRITES,
    service_tier: 'standard',
  },
};

/** {@link ANSWER} as a stream. */
export const ANSWER_EVENTS = [
  { type: 'message_start', message: { ...ANSWER, content: [], stop_reason: null } },
  { type: 'ping' },
  { type: 'content_block_start', index: 0, content_block: { type: 'thinking', thinking: '', signature: '' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'thinking_delta', thinking: 'I look.' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'signature_delta', signature: 'c2lnbmVk' } },
  { type: 'content_block_stop', index: 0 },
  { type: 'content_block_start', index: 1, content_block: { type: 'text', text: '' } },
  { type: 'content_block_delta', index: 1, delta: { type: 'text_delta', text: 'Looking.' } },
  { type: 'content_block_stop', index: 1 },
  { type: 'message_delta', delta: { stop_reason: 'end_turn', stop_sequence: null }, usage: { output_tokens: 5 } },
  { type: 'message_stop' },
];

export const written = (events: readonly { readonly type: string; readonly [field: string]: unknown }[]): string =>
  events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('');

/** What the tests of createMessages send, and what they look at. */
export function messagesRequests() {
  const gateway = sharedGateway({ topic: 'messages-requests', variables: { PROVIDER_BETA_PROTOCOL: 'anthropic' } });
  const organization = organizationPerTest(gateway);
  const key = keyPerTest(gateway, organization);

  const ask = <Body = Message>(fields: object, headers = {}, by = key): Promise<Answer<Body>> => {
    const json = { model: WRITER, max_tokens: 100, messages: QUESTION, provider: { order: ['alpha'] }, ...fields };
    return gateway.app.api.post<Body>('/messages', { key: by.plaintext, json, headers });
  };

  return { gateway, organization, key, ask };
}
