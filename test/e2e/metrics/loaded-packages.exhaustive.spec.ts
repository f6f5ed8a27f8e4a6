import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { Metrics } from '../../../src/telemetry/metrics/metrics.js';
import { Tracing } from '../../../src/telemetry/tracing/tracing.js';
import { TestApplication } from '../../support/application/test-application.js';

describe('a service without metrics and traces', () => {
  /** The packages that an application with these variables has loaded. */
  const loadedWith = async (variables: Readonly<Record<string, string>>): Promise<readonly string[]> => {
    const words = ['test/e2e/metrics/loaded-packages.mjs', JSON.stringify(variables)];
    const { stdout } = await promisify(execFile)(process.execPath, words);
    return JSON.parse(stdout) as string[];
  };

  it('loads no package of Prometheus or OpenTelemetry', async () => {
    expect(await loadedWith({})).toEqual([]);
    expect(await loadedWith({ METRICS_HOST: '127.0.0.1', OTEL_SERVICE_NAME: 'gatehouse' })).toEqual([]);
  }, 120_000);

  it('loads them when metrics and traces are configured', async () => {
    const metrics = await loadedWith({ METRICS_TOKEN: 'token' });
    expect(metrics).toContain('prom-client');
    expect(metrics).not.toContain('@opentelemetry/sdk-trace');
    const traces = await loadedWith({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://localhost:4318' });
    expect(traces).toContain('@opentelemetry/sdk-trace');
    expect(traces).not.toContain('prom-client');
  }, 120_000);

  it('has no metrics registry and no tracer', async () => {
    const app = await TestApplication.start();

    for (const observer of [Metrics, Tracing])
      expect(() => app.application.get<unknown>(observer)).toThrow(/could not find/);

    await app.stop();
  });
});
