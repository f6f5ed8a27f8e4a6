import { TestApplication } from '../../support/test-application.js';
import { TraceCollector } from '../../support/trace-collector.js';

describe('traces on the way to their collector', () => {
  let collector: TraceCollector;

  afterEach(() => collector.stop());

  /** Lists guardrails so many times. @returns the log */
  const listGuardrails = async (variables: Readonly<Record<string, string>>, times = 1): Promise<readonly string[]> => {
    const app = await TestApplication.start({ variables });
    const { managementKey: key } = await app.factory.organization();
    for (let count = 0; count < times; count += 1) {
      expect((await app.api.get('/guardrails', { key })).status).toBe(200);
    }
    await app.stop();
    return app.logLines;
  };

  it('are sent when the service stops, under the name gatehouse', async () => {
    collector = await TraceCollector.start();

    await listGuardrails({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url });

    expect(collector.exports).toMatchObject([{ path: '/v1/traces', resource: { 'service.name': 'gatehouse' } }]);
    expect(collector.spans).toHaveLength(3);
  });

  it('carry the headers and the name that are configured, to the path below the endpoint', async () => {
    collector = await TraceCollector.start();

    await listGuardrails({
      OTEL_EXPORTER_OTLP_ENDPOINT: `${collector.url}/collector/`,
      OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Basic%20dXNlcjpwYXNz, x-scope-orgid = tenant',
      OTEL_SERVICE_NAME: 'gatehouse-eu',
    });

    expect(collector.exports).toMatchObject([
      {
        path: '/collector/v1/traces',
        headers: { authorization: 'Basic dXNlcjpwYXNz', 'x-scope-orgid': 'tenant' },
        resource: { 'service.name': 'gatehouse-eu' },
      },
    ]);
  });

  it('are dropped with one line in the log when they are refused, and no request is the worse for it', async () => {
    collector = await TraceCollector.start(400);

    const log = await listGuardrails(
      {
        OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
        OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20collector-secret',
      },
      // More spans than go into one export.
      200,
    );

    expect(collector.exports.length).toBeGreaterThan(1);
    expect(log.filter((line) => line.includes('Traces do not reach their collector'))).toHaveLength(1);
    expect(log.join('')).not.toContain('collector-secret');
  });
});
