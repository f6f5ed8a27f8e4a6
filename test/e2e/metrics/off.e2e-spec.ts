import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { Metrics } from '../../../src/http/metrics/metrics.js';
import { Tracing } from '../../../src/http/tracing/tracing.js';
import { TestApplication } from '../../support/test-application.js';

describe('a service that nobody observes', () => {
  /** The packages that an application with these variables has loaded. */
  const loadedWith = async (variables: Readonly<Record<string, string>>): Promise<readonly string[]> => {
    const words = ['test/support/loaded-packages.mjs', JSON.stringify(variables)];
    const { stdout } = await promisify(execFile)(process.execPath, words);
    return JSON.parse(stdout) as string[];
  };

  it('does not even load what it would be observed with', async () => {
    expect(await loadedWith({})).toEqual([]);
    expect(await loadedWith({ METRICS_HOST: '127.0.0.1', OTEL_SERVICE_NAME: 'gatehouse' })).toEqual([]);
  });

  it('loads it where it is asked for', async () => {
    const metrics = await loadedWith({ METRICS_TOKEN: 'token' });
    expect(metrics).toContain('prom-client');
    expect(metrics).not.toContain('@opentelemetry/sdk-trace');
    const traces = await loadedWith({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://localhost:4318' });
    expect(traces).toContain('@opentelemetry/sdk-trace');
    expect(traces).not.toContain('prom-client');
  });

  it('has nothing to record with', async () => {
    const app = await TestApplication.start();

    for (const observer of [Metrics, Tracing])
      expect(() => app.application.get<unknown>(observer)).toThrow(/could not find/);

    await app.stop();
  });
});
