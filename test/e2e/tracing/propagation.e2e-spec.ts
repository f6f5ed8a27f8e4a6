import { TestApplication } from '../../support/application/test-application.js';
import { type ReceivedSpan, TraceCollector } from './trace-collector.js';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const CALLER = '00f067aa0ba902b7';
const TAKEN = `00-${TRACE}-${CALLER}-01`;
const NOT_TAKEN = `00-${TRACE}-${CALLER}-00`;

describe('traces for a caller with W3C Trace Context', () => {
  let collector: TraceCollector;

  beforeEach(async () => {
    collector = await TraceCollector.start();
  });

  afterEach(() => collector.stop());

  /** Lists guardrails once for each of these headers. @returns the spans of the requests, in this order */
  const listGuardrails = async (
    traceparents: readonly string[],
    variables: Readonly<Record<string, string>> = {},
  ): Promise<readonly ReceivedSpan[]> => {
    const app = await TestApplication.start({
      variables: { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, ...variables },
    });
    const { managementKey: key } = await app.factory.organization();
    for (const traceparent of traceparents) {
      expect((await app.api.get('/guardrails', { key, headers: { traceparent } })).status).toBe(200);
    }
    await app.stop();
    return collector.spans.filter(({ name }) => name === 'GET /api/v1/guardrails');
  };

  it('continue the trace of the caller (200), with all statements', async () => {
    const spans = await listGuardrails([TAKEN]);

    expect(spans).toMatchObject([{ traceId: TRACE, parentSpanId: CALLER }]);
    expect(collector.spans).toHaveLength(3);
    for (const { traceId } of collector.spans) expect(traceId).toBe(TRACE);
  });

  it('are not recorded (200) when the caller does not record', async () => {
    await listGuardrails([NOT_TAKEN]);

    expect(collector.spans).toEqual([]);
  });

  it('begin anew (200) when the header of the caller is malformed', async () => {
    const spans = await listGuardrails([
      '',
      `00-${TRACE}-${CALLER}`,
      `00-${'0'.repeat(32)}-${CALLER}-01`,
      `00-${TRACE}-${'0'.repeat(16)}-01`,
      `ff-${TRACE}-${CALLER}-01`,
      `${TAKEN}, ${TAKEN}`,
    ]);

    expect(spans).toHaveLength(6);
    expect(new Set([TRACE, '0'.repeat(32), ...spans.map(({ traceId }) => traceId)]).size).toBe(8);
    for (const { parentSpanId = '' } of spans) expect(parentSpanId).toBe('');
  });

  it.each([
    ['always_on', 2],
    ['traceidratio', 0],
  ])('are chosen by the sampler %s (200), whatever the caller says', async (sampler, count) => {
    const variables = { OTEL_TRACES_SAMPLER: sampler, OTEL_TRACES_SAMPLER_ARG: '0' };

    expect(await listGuardrails([TAKEN, NOT_TAKEN], variables)).toHaveLength(count);
  });
});
