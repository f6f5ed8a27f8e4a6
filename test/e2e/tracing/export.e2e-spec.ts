import { TestApplication } from '../../support/application/test-application.js';
import { TraceCollector } from './trace-collector.js';

describe('the export of traces', () => {
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

  it('sends those of answered requests (200) when the service stops, with the service name gatehouse', async () => {
    collector = await TraceCollector.start();

    await listGuardrails({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url });

    expect(collector.exports).toMatchObject([{ path: '/v1/traces', resource: { 'service.name': 'gatehouse' } }]);
    expect(collector.spans).toHaveLength(3);
  });

  it('sends those of answered requests (200) with the configured headers and service name to the path below the endpoint', async () => {
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

  it('drops them with one log line when the collector answers 400, and requests are not affected', async () => {
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
