import type { NewOrganization } from '../../../src/modules/installation/installation.service.js';
import type { IssuedCredential } from '../../../src/modules/keys/keys.service.js';
import { TestGateway, PROVIDER_KEY } from '../inference/test-gateway.js';
import { chunk, completion, STREAM_HEAD } from '../inference/provider-answers.js';
import { type ReceivedSpan, TraceCollector } from './trace-collector.js';

const CLIENT = 3;
const UNSET = 0;
const ERROR = 2;

/** What neither a caller nor a provider may find in a trace. */
const SAID = 'Where is the treasure of ada@example.com?';
const ANSWERED = 'Under the third stone.';

describe('the traces of calls of providers', () => {
  let gateway: TestGateway;
  let collector: TraceCollector;
  let organization: NewOrganization;
  let key: IssuedCredential;

  // All that is looked at below is done here, and sent when the application stops.
  beforeAll(async () => {
    collector = await TraceCollector.start();
    gateway = await TestGateway.start({ variables: { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url } });
    organization = await gateway.app.factory.organization();
    key = await gateway.app.factory.key(organization);
    // The span of an answer that breaks off ends with its connection, which the service must still see closed.
    for (const [name, work] of Object.entries({ brokenOff, whole, streamed, fallback })) {
      gateway.reset();
      await work(name);
    }
    await gateway.stop();
  });

  afterAll(() => collector.stop());

  const ask = (name: string, fields: object = {}): Promise<unknown> =>
    gateway.ask(key, { messages: [{ role: 'user', content: SAID }], ...fields }, { 'x-request-id': name });

  async function whole(name: string): Promise<void> {
    const usage = {
      prompt_tokens: 10,
      completion_tokens: 5,
      total_tokens: 15,
      prompt_tokens_details: { cached_tokens: 4 },
      completion_tokens_details: { reasoning_tokens: 3 },
    };
    gateway.alpha.answerJson(completion(ANSWERED, { usage }));
    await ask(name);
  }

  async function streamed(name: string): Promise<void> {
    await ask(name, { stream: true });
  }

  async function fallback(name: string): Promise<void> {
    gateway.alpha.answerJson({ error: { message: ANSWERED } }, 429);
    await ask(name);
  }

  async function brokenOff(name: string): Promise<void> {
    gateway.alpha.answerWith((response) => void response.writeHead(200, STREAM_HEAD).end(chunk({ content: ANSWERED })));
    await ask(name, { stream: true });
  }

  /** The spans of the calls that a request has made, in their order. */
  const callsOf = (requestId: string): readonly ReceivedSpan[] => {
    const request = collector.spans.find(({ attributes }) => attributes['gatehouse.request_id'] === requestId)!;
    return collector.spans.filter(
      ({ parentSpanId, attributes }) =>
        parentSpanId === request.spanId && attributes['gen_ai.operation.name'] !== undefined,
    );
  };

  it('have a span for a call (200) that says who answered, and how many tokens were used', () => {
    const calls = callsOf('whole');

    expect(calls).toMatchObject([{ name: 'chat acme/writer', kind: CLIENT, status: { code: UNSET } }]);
    expect(calls[0]!.attributes).toEqual({
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': 'alpha',
      'gen_ai.request.model': 'writer',
      'gen_ai.request.stream': false,
      'gen_ai.response.id': 'chatcmpl-upstream',
      'gen_ai.response.finish_reasons': ['stop'],
      'gen_ai.usage.input_tokens': 10,
      'gen_ai.usage.output_tokens': 5,
      'gen_ai.usage.cache_read.input_tokens': 4,
      'gen_ai.usage.reasoning.output_tokens': 3,
      'gatehouse.model': 'acme/writer',
      'gatehouse.endpoint': 'alpha',
      'gatehouse.generation_id': expect.stringMatching(/^gen-\d+-\w{20}$/),
      'http.response.status_code': 200,
    });
  });

  it('say of a stream when its first token came', () => {
    const [{ attributes }] = callsOf('streamed') as [ReceivedSpan];

    expect(attributes).toMatchObject({
      'gen_ai.request.stream': true,
      'gen_ai.response.time_to_first_chunk': expect.any(Number),
      'gen_ai.response.finish_reasons': ['stop'],
      'gen_ai.usage.output_tokens': 5,
    });
  });

  it('have one span for each attempt, with the status (429) of the one that failed', () => {
    const [failed, answered, ...others] = callsOf('fallback');

    expect(others).toEqual([]);
    expect(failed).toMatchObject({
      status: { code: ERROR },
      attributes: { 'gen_ai.provider.name': 'alpha', 'http.response.status_code': 429, 'error.type': '429' },
    });
    expect(answered).toMatchObject({ status: { code: UNSET }, attributes: { 'gen_ai.provider.name': 'beta' } });
    expect(answered!.attributes['gatehouse.generation_id']).toBe(failed!.attributes['gatehouse.generation_id']);
  });

  it('say of a stream (200) that broke off that it did', () => {
    expect(callsOf('brokenOff')).toMatchObject([
      { status: { code: ERROR }, attributes: { 'error.type': 'unreachable', 'gen_ai.provider.name': 'alpha' } },
    ]);
  });

  it('contain nothing that was said, and no credential', () => {
    for (const secret of [SAID, 'ada@example.com', ANSWERED, 'All is well.', 'treasure', PROVIDER_KEY, key.plaintext]) {
      expect(collector.text).not.toContain(secret);
    }
  });
});
