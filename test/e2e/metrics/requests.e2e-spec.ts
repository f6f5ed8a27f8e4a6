import { DataSource } from 'typeorm';
import { exchangeBytes } from '../../support/network/raw-connection.js';
import { disconnectBeforeAnswer } from '../../support/network/disconnected-client.js';
import { interfaceOf, type Operation } from '../../support/openapi/described-operations.js';
import { type Sample, scrape, type Scrape, valueOf } from './scrape.js';
import { completeOrganization } from '../../operations/complete-organization.js';
import { filledBefore } from '../../support/application/filled-before.js';
import { sharedApplication } from '../../support/application/shared-application.js';

const TOKEN = 'token-for-tests';
const DURATION = 'gatehouse_http_request_duration_seconds';

/** These ask the provider of a connection, which is the application itself in tests, for its models. */
const PROBING = ['connectProvider', 'testProviderConnection'];

describe('the metrics', () => {
  const app = sharedApplication({
    variables: { METRICS_TOKEN: TOKEN, KEY_DELETION_RATE_LIMIT: '2', DATABASE_POOL_SIZE: '3' },
  });
  const organization = filledBefore(beforeAll, () => completeOrganization(app));
  let startedAt: number;

  beforeAll(() => {
    startedAt = performance.now();
  });

  const scraped = (): Promise<Scrape> => scrape(`${app.origin}/metrics`, TOKEN);

  /** How often each operation was answered with each status so far: `getModel 200`. */
  const counts = async (): Promise<Record<string, number>> => {
    const { samples } = await scraped();
    const ofOperations = samples.filter(({ name }) => name === `${DURATION}_count`);
    return Object.fromEntries(
      ofOperations.map(({ labels, value }) => [`${labels['operation']} ${labels['status']}`, value]),
    );
  };

  /** What some requests add to the counts, once all of them are counted: that is after their answer is out. */
  const addedBy = async (requests: () => Promise<unknown>, total: number): Promise<Record<string, number>> => {
    const before = await counts();
    await requests();
    for (;;) {
      const after = await counts();
      const added = Object.entries(after)
        // The scrapes themselves.
        .filter(([series]) => series !== 'other 200')
        .map(([series, count]) => [series, count - (before[series] ?? 0)] as const)
        .filter(([, count]) => count > 0);
      if (added.reduce((sum, [, count]) => sum + count, 0) >= total) return Object.fromEntries(added);
    }
  };

  it('count requests by operationId and status, 200, 201 or 204', async () => {
    const { operations } = await interfaceOf(app.application);
    const success = ({ answers, bodiless }: Operation): number =>
      [...answers.keys(), ...bodiless].find((status) => status < 300)!;
    const probes = PROBING.length;

    const added = await addedBy(async () => {
      for (const { method, path, ...options } of Object.values(organization.requests)) {
        await app.api.send(method, path, options);
      }
    }, operations.length + probes);

    expect(added).toEqual({
      ...Object.fromEntries(operations.map((operation) => [`${operation.operationId} ${success(operation)}`, 1])),
      'getModels 200': 1 + probes,
    });
  });

  it('count requests that are answered 400, 401, 403 and 404 under the operation of their path', async () => {
    const { managementKey: key, apiKey } = organization;

    const added = await addedBy(async () => {
      await app.api.get('/guardrails');
      await app.api.get('/guardrails', { key: apiKey });
      await app.api.get('/guardrails?limit=0', { key });
      await app.api.get('/guardrails?limit=0', { key });
      await app.api.get('/model/no/such', { key });
    }, 5);

    expect(added).toEqual({
      'listGuardrails 401': 1,
      'listGuardrails 403': 1,
      'listGuardrails 400': 2,
      'getModel 404': 1,
    });
  });

  it('count every 404 for an unknown path in one series', async () => {
    const paths = [
      '/nowhere',
      '/api/v1/nowhere',
      '/api/v1/guardrails/no-such/thing',
      '/wp-login.php?x=1',
      '/%ff',
      '/metrics/x',
    ];

    const added = await addedBy(async () => {
      for (const path of paths) await fetch(`${app.origin}${path}`);
      await fetch(`${app.origin}/api/v1/guardrails`, { method: 'PROPFIND' });
    }, paths.length + 1);

    expect(added).toEqual({ 'other 404': paths.length + 1 });
    expect((await scraped()).text).not.toMatch(/nowhere|no-such|wp-login|PROPFIND/);
  });

  it('count health checks (200) apart from unknown paths', async () => {
    const added = await addedBy(async () => {
      await fetch(`${app.origin}/health/live`);
      await fetch(`${app.origin}/health/ready`);
    }, 2);

    expect(added).toEqual({ 'live 200': 1, 'ready 200': 1 });
  });

  it('count bytes that are no request by the status of the answer, 400 or 404', async () => {
    const name = 'gatehouse_http_unreadable_requests_total';
    const bytes = ['hello', 'hello again', 'MYSTERY / HTTP/1.1', `GET /${'x'.repeat(20_000)} HTTP/1.1`];

    const added = await addedBy(async () => {
      for (const line of bytes) await exchangeBytes(app.origin, [`${line}\r\n\r\n`], 'closed');
      await exchangeBytes(app.origin, ['CONNECT x:443 HTTP/1.1\r\nHost: x\r\n\r\n'], 'closed');
    }, 1);

    const { samples } = await scraped();
    const counted = samples
      .filter((sample) => sample.name === name)
      .map(({ labels, value }) => [labels['status'], value]);
    expect(Object.fromEntries(counted)).toEqual({ 400: 2, 404: 1, 431: 1 });
    // One for a tunnel is a request.
    expect(added).toEqual({ 'other 404': 1 });
  });

  it('count a request whose client disconnects before the answer as 499', async () => {
    const added = await addedBy(() => disconnectBeforeAnswer(app, organization.managementKey), 1);

    expect(added).toEqual({ 'listGuardrails 499': 1 });
  });

  it('time every request, with 200 or an error, in cumulative buckets', async () => {
    const { managementKey: key } = organization;
    await addedBy(() => app.api.get('/images/models', { key }), 1);
    const secondsSinceStart = (performance.now() - startedAt) / 1_000;

    const result = await scraped();
    const labels = { operation: 'listImageModels', status: '200' };
    const buckets = result.samples.filter(
      (sample) => sample.name === `${DURATION}_bucket` && isOf(sample, labels) && sample.labels['le'] !== '+Inf',
    );
    const count = valueOf(result, `${DURATION}_count`, labels);

    expect(buckets.map((sample) => Number(sample.labels['le']))).toEqual([
      0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
    ]);
    const values = buckets.map(({ value }) => value);
    expect(values).toEqual([...values].sort((one, other) => one - other));
    expect(valueOf(result, `${DURATION}_bucket`, { ...labels, le: '+Inf' })).toBe(count);
    // In seconds: one after the other, all of them were answered since the tests began.
    const sum = valueOf(result, `${DURATION}_sum`, labels);
    expect(sum).toBeGreaterThan(0);
    expect(sum).toBeLessThan(secondsSinceStart);
  });

  it('count requests that the rate limit answers 429', async () => {
    const { managementKey: key } = await app.factory.organization();
    const name = 'gatehouse_rate_limit_hits_total';
    expect((await scraped()).samples.filter((sample) => sample.name === name)).toEqual([]);

    const statuses: number[] = [];
    for (let count = 0; count < 5; count += 1) {
      statuses.push((await app.api.delete(`/keys/${'0'.repeat(64)}`, { key })).status);
    }

    expect(statuses).toEqual([404, 404, 429, 429, 429]);
    expect(valueOf(await scraped(), name, { limit: 'key_deletion_rate_limit' })).toBe(3);
  });

  it('show used and idle connections of the pool, and requests that wait for one', async () => {
    const pool = 'gatehouse_database_pool';
    const runners = Array.from({ length: 3 }, () => app.application.get(DataSource).createQueryRunner());
    for (const runner of runners) await runner.connect();

    const waiting = app.api.get('/guardrails', { key: organization.managementKey });
    let busy = await scraped();
    while (valueOf(busy, `${pool}_waiting`) === 0) busy = await scraped();
    await Promise.all(runners.map((runner) => runner.release()));
    // There was one to be had soon enough, or the pool has given the request up: not what is looked at here.
    await waiting;
    const idle = await scraped();

    // Work behind the requests may wait as well.
    expect(valueOf(busy, `${pool}_waiting`)).toBeGreaterThanOrEqual(1);
    expect(valueOf(busy, `${pool}_connections`)).toBe(3);
    expect(valueOf(busy, `${pool}_idle_connections`)).toBe(0);
    expect(valueOf(busy, `${pool}_max_connections`)).toBe(3);
    expect(valueOf(idle, `${pool}_waiting`)).toBe(0);
    expect(valueOf(idle, `${pool}_idle_connections`)).toBeGreaterThan(0);
  });

  it('show the process and its event loop', async () => {
    const result = await scraped();

    expect(valueOf(result, 'process_resident_memory_bytes')).toBeGreaterThan(1e6);
    expect(valueOf(result, 'process_cpu_seconds_total')).toBeGreaterThan(0);
    expect(valueOf(result, 'process_start_time_seconds')).toBeGreaterThan(1.7e9);
    expect(valueOf(result, 'nodejs_eventloop_lag_p99_seconds')).toBeGreaterThan(0);
    expect(valueOf(result, 'nodejs_heap_size_used_bytes')).toBeGreaterThan(1e6);
  });

  it('contain no id, name, path or credential', async () => {
    const { text } = await scraped();

    const theirs = [
      organization.organizationId,
      organization.userId,
      organization.workspaceId,
      ...organization.secrets,
    ];
    for (const value of [...theirs, TOKEN, app.database.url]) expect(text).not.toContain(value);
    expect(text).not.toMatch(/[0-9a-f]{64}|gate-v\d/);
  });
});

function isOf(sample: Sample, labels: Readonly<Record<string, string>>): boolean {
  return Object.entries(labels).every(([name, value]) => sample.labels[name] === value);
}
