import {
  CANARY,
  FAILED_GENERATION,
  generationEvent,
  outgoing,
} from '../../../../../test/support/delivery/generation-events.js';
import { sharedReceiver, targetOf } from '../../../../../test/support/delivery/receiver.js';
import { DATADOG_ADAPTER } from './datadog.js';

describe('Datadog', () => {
  const receiver = sharedReceiver();

  async function sent(...generations: ReturnType<typeof outgoing>[]) {
    receiver.answer = () => ({ status: 202 });
    const config = { apiKey: 'dd-key-0123456789', mlApp: 'Gateway Łódź', url: 'https://api.datadoghq.eu' };
    await expect(DATADOG_ADAPTER.deliver(generations, targetOf(config), receiver)).resolves.toEqual({
      outcome: 'delivered',
    });
    const { data } = JSON.parse(receiver.last.body.toString()) as {
      data: { type: string; attributes: { ml_app: string; spans: Record<string, never>[] } };
    };
    return data;
  }

  it('gets a generation as a span of a model', async () => {
    const { type, attributes } = await sent(outgoing());
    expect([type, attributes.ml_app]).toEqual(['span', 'gateway łódź']);
    expect(attributes.spans).toMatchObject([
      {
        name: 'chat',
        trace_id: expect.stringMatching(/^[0-9a-f]{32}$/),
        span_id: expect.stringMatching(/^[0-9a-f]{16}$/),
        parent_id: 'undefined',
        duration: 2_345_000_000,
        status: 'ok',
        session_id: 'session-1',
        tags: ['user_id:customer-1', 'api_key_name:production', 'blue', 'green'],
        meta: {
          kind: 'llm',
          input: {
            messages: [
              { role: 'system', content: `Be brief. ${CANARY}` },
              { role: 'user', content: `Weather in Łódź 🌧️? ${CANARY}\n[image_url]` },
              { role: 'assistant', tool_calls: [{ name: 'place', arguments: { a: CANARY }, tool_id: 'call-0' }] },
              { role: 'tool', content: `51.77 ${CANARY}` },
            ],
          },
          output: { messages: [{ role: 'assistant', content: `Rain. ${CANARY}` }] },
          tool_definitions: [{ name: 'weather', description: CANARY }],
          metadata: {
            generation_id: generationEvent().id,
            model_name: 'openai/gpt-5.5-2026-08-01',
            model_provider: 'openai',
            temperature: 0.2,
            provider_name: 'Azure',
            feature: 'search',
          },
        },
        metrics: {
          input_tokens: 120,
          output_tokens: 30,
          total_tokens: 150,
          cache_read_input_tokens: 100,
          cache_write_input_tokens: 8,
          reasoning_output_tokens: 12,
          time_to_first_token: 0.8125,
          input_cost: 0.0003,
          output_cost: 0.0009,
          total_cost: 0.0012,
        },
      },
    ]);
    // All its digits, which a double in other forms would not have.
    expect(receiver.last.body.toString()).toContain('"start_ns":1795703072198000000');
    const { meta } = attributes.spans[0] as unknown as { meta: { metadata: object } };
    const metadata = Object.values(meta.metadata);
    expect(metadata.every((value) => typeof value !== 'object')).toBe(true);
  });

  it('gets errors, embeddings and several generations', async () => {
    const content = { input: { prompt: 'a text' }, output: { completion: null, reasoning: null, toolCalls: [] } };
    const { attributes } = await sent(
      outgoing(FAILED_GENERATION),
      outgoing({ operation: 'embeddings', content, sessionId: null, externalUser: null }),
      outgoing({ isCancelled: true }),
    );
    expect(attributes.spans).toMatchObject([
      {
        status: 'error',
        meta: { error: { type: 'provider_error', message: `The provider said: ${CANARY}` } },
        metrics: {},
      },
      { name: 'embeddings', status: 'ok', meta: { kind: 'embedding', input: { value: 'a text' } } },
      { status: 'error', meta: { error: { type: 'client_disconnected', message: 'The client has disconnected' } } },
    ]);
    expect(attributes.spans[1]).not.toHaveProperty('session_id');
  });

  it('is told that content was left out', async () => {
    const content = { ...generationEvent().content!, input: { prompt: 'x'.repeat(3_000_000) } };
    const { attributes } = await sent(outgoing({ content }));
    expect(attributes.spans).toMatchObject([{ collection_errors: ['dropped_io'], meta: { input: expect.anything() } }]);
  });
});
