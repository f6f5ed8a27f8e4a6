import {
  CANARY,
  FAILED_GENERATION,
  generationEvent,
  outgoing,
} from '../../../../../test/support/delivery/generation-events.js';
import { sharedReceiver, targetOf } from '../../../../../test/support/delivery/receiver.js';
import { POSTHOG_ADAPTER } from './posthog.js';

interface CapturedEvent {
  readonly event: string;
  readonly uuid: string;
  readonly distinct_id: string;
  readonly timestamp: string;
  readonly properties: Record<string, unknown>;
}

describe('PostHog', () => {
  const receiver = sharedReceiver();

  async function sent(...generations: ReturnType<typeof outgoing>[]): Promise<CapturedEvent[]> {
    receiver.answer = () => ({ status: 200, body: '{"status":"Ok"}' });
    const config = { apiKey: 'phc_0123456789', endpoint: 'https://eu.i.posthog.com/' };
    const verdict = await POSTHOG_ADAPTER.deliver(generations, targetOf(config), receiver);
    expect(verdict).toEqual({ outcome: 'delivered' });
    expect(receiver.urls).toEqual(['https://eu.i.posthog.com/batch/']);
    const body = JSON.parse(receiver.last.body.toString()) as { api_key: string; batch: CapturedEvent[] };
    expect(body.api_key).toBe('phc_0123456789');
    return body.batch;
  }

  it('gets a generation as an event with exact costs', async () => {
    const trace = { trace_name: 'Support', feature: { a: { b: { c: { d: 1 } } } }, tags: ['blue'] };
    const [event] = await sent(outgoing({ trace }));
    expect(event).toMatchObject({
      event: '$ai_generation',
      uuid: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/),
      distinct_id: 'customer-1',
      timestamp: '2026-11-26T14:24:32.198Z',
      properties: {
        $ai_trace_id: expect.stringMatching(/^[0-9a-f]{32}$/),
        $ai_session_id: 'session-1',
        $ai_model: 'openai/gpt-5.5-2026-08-01',
        $ai_provider: 'openai',
        $ai_input: expect.arrayContaining([{ role: 'system', content: `Be brief. ${CANARY}` }]),
        $ai_output_choices: [
          {
            role: 'assistant',
            content: `Rain. ${CANARY}`,
            tool_calls: [{ id: 'call-1', type: 'function', function: { name: 'weather' } }],
          },
        ],
        $ai_tools: [{ type: 'function' }],
        $ai_input_tokens: 120,
        $ai_output_tokens: 30,
        $ai_cache_read_input_tokens: 100,
        $ai_cache_creation_input_tokens: 8,
        $ai_reasoning_tokens: 12,
        $ai_latency: 2.34525,
        $ai_time_to_first_token: 0.8125,
        $ai_http_status: 200,
        $ai_is_error: false,
        $ai_stream: true,
        $ai_input_cost_usd: 0.0003,
        $ai_output_cost_usd: 0.0009,
        $ai_total_cost_usd: 0.0012,
        $ai_model_parameters: { temperature: 0.2 },
        trace_name: 'Support',
        metadata_team: 'search',
        metadata_feature: { a: { b: { c: '[truncated]' } } },
        tags: ['blue'],
      },
    });
    expect(event!.properties).not.toHaveProperty('$process_person_profile');
  });

  it('gets one without a user as no person’s, and the same id for the same generation', async () => {
    const events = await sent(outgoing({ externalUser: null }), outgoing(), outgoing({ id: 'gen-1795703073-other' }));
    expect(events[0]!.distinct_id).toBe(events[0]!.properties['$ai_trace_id']);
    expect(events[0]!.properties['$process_person_profile']).toBe(false);
    expect(events[1]!.uuid).toBe(events[0]!.uuid);
    expect(events[2]!.uuid).not.toBe(events[0]!.uuid);
  });

  it('gets errors and embeddings', async () => {
    const content = { input: { prompt: 'a text' }, output: { completion: null, reasoning: null, toolCalls: [] } };
    const events = await sent(outgoing(FAILED_GENERATION), outgoing({ operation: 'embeddings', content }));
    expect(events).toMatchObject([
      {
        event: '$ai_generation',
        properties: { $ai_is_error: true, $ai_error: `The provider said: ${CANARY}`, $ai_http_status: 502 },
      },
      { event: '$ai_embedding', properties: { $ai_input: [{ role: 'user', content: 'a text' }] } },
    ]);
    expect(events[0]!.properties).not.toHaveProperty('$ai_input_tokens');
    expect(events[1]!.properties).not.toHaveProperty('$ai_output_choices');
  });

  it('gets no event that it would drop for its size', async () => {
    const content = { ...generationEvent().content!, input: { prompt: 'x'.repeat(3_000_000) } };
    const [small, large] = await sent(outgoing(), outgoing({ content }));
    expect(JSON.stringify(large).length).toBeLessThan(900_001);
    expect(large!.properties['content_dropped']).toBe(true);
    expect(small!.properties).not.toHaveProperty('content_dropped');
  });
});
