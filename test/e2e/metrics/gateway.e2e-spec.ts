import { setTimeout as sleep } from 'node:timers/promises';
import { CachedResponsesRepository } from '../../../src/modules/response-cache/stores/cached-responses.repository.js';
import { until } from '../../support/time/until.js';
import { chunk, STREAM, STREAM_HEAD } from '../inference/provider-answers.js';
import { type Sample, scrape, type Scrape, valueOf } from './scrape.js';
import { filledBefore } from '../../support/application/filled-before.js';
import { sharedOrganization } from '../../support/application/shared-organization.js';
import { sharedGateway } from '../inference/shared-gateway.js';

const TOKEN = 'token-for-tests';
const PREFIX = 'gatehouse_inference';
const ALPHA = { provider: 'alpha', model: 'acme/writer' };
/** Of sums of seconds, which are written in decimals. */
const ROUNDING = 1e-6;
const BETA = { provider: 'beta', model: 'acme/writer' };

describe('the metrics of the gateway', () => {
  const gateway = sharedGateway({ variables: { METRICS_TOKEN: TOKEN } });
  const organization = sharedOrganization(gateway);
  const key = filledBefore(beforeAll, () => gateway.app.factory.key(organization));

  const scraped = (): Promise<Scrape> => scrape(`${gateway.app.origin}/metrics`, TOKEN);

  /** The value of a series; 0 before it has one. */
  const numberOf = (result: Scrape, name: string, labels: Readonly<Record<string, string>>): number =>
    result.samples.some((sample) => sample.name === name && isOf(sample, labels)) ? valueOf(result, name, labels) : 0;

  /** What some requests add to series: `name` of the metric and what it is counted by. */
  const addedBy = async (
    work: () => Promise<unknown>,
    series: readonly (readonly [name: string, labels: Readonly<Record<string, string>>])[],
  ): Promise<number[]> => {
    const before = await scraped();
    await work();
    const after = await scraped();
    return series.map(([name, labels]) => {
      const full = `${PREFIX}_${name}`;
      return numberOf(after, full, labels) - numberOf(before, full, labels);
    });
  };

  it('time the provider and the gateway for a whole answer (200), which has neither a first token nor gaps', async () => {
    const added = await addedBy(
      async () => expect((await gateway.ask(key)).status).toBe(200),
      [
        ['upstream_seconds_count', { ...ALPHA, outcome: 'answered' }],
        ['own_seconds_count', ALPHA],
        ['first_token_seconds_count', ALPHA],
        ['gap_seconds_count', ALPHA],
        ['upstream_seconds_count', { ...BETA, outcome: 'answered' }],
      ],
    );

    expect(added).toEqual([1, 1, 0, 0, 0]);
  });

  it('time the first token of a stream, and each wait behind it', async () => {
    // Behind the first word come the second, the reason of the end, and the usage.
    const added = await addedBy(
      () => gateway.stream(key),
      [
        ['first_token_seconds_count', ALPHA],
        ['gap_seconds_count', ALPHA],
        ['upstream_seconds_count', { ...ALPHA, outcome: 'answered' }],
        ['own_seconds_count', ALPHA],
      ],
    );

    expect(added).toEqual([1, 3, 1, 1]);
  });

  it('count a stream as active while it is open', async () => {
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    gateway.alpha.answerWith(async (response) => {
      response.writeHead(200, STREAM_HEAD).write(chunk({ content: 'All ' }));
      await released;
      response.end(STREAM);
    });
    const active = async (): Promise<number> => valueOf(await scraped(), `${PREFIX}_active_streams`);
    expect(await active()).toBe(0);

    const answer = await gateway.open(key);
    expect(await active()).toBe(1);
    release();
    await answer.text();

    await until(async () => (await active()) === 0);
  });

  it('count the time that a provider lets a stream wait as its own, and nothing of it as the time of the gateway', async () => {
    let release = (): void => undefined;
    gateway.alpha.answerWith((response) => {
      response.writeHead(200, STREAM_HEAD).write(chunk({ content: 'All ' }));
      release = () => void response.end(STREAM);
    });
    const before = await scraped();
    const start = performance.now();
    const reader = (await gateway.open(key)).body!.getReader();
    await reader.read();
    // The gateway waits for the next chunk from here on, at the latest.
    const waiting = performance.now();
    await sleep(100);
    const waited = (performance.now() - waiting) / 1000;
    release();
    while (!(await reader.read()).done);
    const total = (performance.now() - start) / 1000;
    const after = await scraped();
    const sum = (name: string, labels: Readonly<Record<string, string>>): number =>
      numberOf(after, `${PREFIX}_${name}_sum`, labels) - numberOf(before, `${PREFIX}_${name}_sum`, labels);

    expect(sum('gap_seconds', ALPHA)).toBeGreaterThanOrEqual(waited - ROUNDING);
    expect(sum('upstream_seconds', { ...ALPHA, outcome: 'answered' })).toBeGreaterThanOrEqual(waited - ROUNDING);
    expect(sum('own_seconds', ALPHA)).toBeGreaterThan(0);
    expect(sum('own_seconds', ALPHA)).toBeLessThanOrEqual(total - waited + ROUNDING);
  });

  it('tell what went wrong with a provider before another one answered (200)', async () => {
    gateway.alpha.answerJson({ error: { message: 'Too many.' } }, 429);
    const added = await addedBy(
      async () => expect((await gateway.ask(key)).status).toBe(200),
      [
        ['upstream_seconds_count', { ...ALPHA, outcome: 'refused' }],
        ['upstream_seconds_count', { ...BETA, outcome: 'answered' }],
        ['own_seconds_count', ALPHA],
        ['own_seconds_count', BETA],
      ],
    );

    expect(added).toEqual([1, 1, 0, 1]);
  });

  it.each([
    ['breaks off', 'unreachable', (): void => gateway.alpha.answerStream(chunk({ content: 'All ' }))],
    [
      'sends an error',
      'refused',
      (): void => gateway.alpha.answerStream(`${chunk({ content: 'All ' })}data: {"error":{"message":"Too hot."}}\n\n`),
    ],
    [
      'sends what is no JSON',
      'invalid',
      (): void => gateway.alpha.answerStream(`${chunk({ content: 'All ' })}data: {"choices"\n\n`),
    ],
  ])('tell that a stream that had begun %s: %s', async (_what, outcome, play) => {
    play();
    const added = await addedBy(
      () => gateway.stream(key),
      [
        ['upstream_seconds_count', { ...ALPHA, outcome }],
        ['upstream_seconds_count', { ...ALPHA, outcome: 'answered' }],
      ],
    );

    expect(added).toEqual([1, 0]);
  });

  it('count a stream whose client leaves as abandoned, and no longer as active', async () => {
    gateway.alpha.answerWith((response) => void response.writeHead(200, STREAM_HEAD).write(chunk({ content: 'All ' })));
    const leaving = new AbortController();
    const before = numberOf(await scraped(), `${PREFIX}_upstream_seconds_count`, { ...ALPHA, outcome: 'abandoned' });
    const answer = await gateway.open(key, {}, leaving.signal);
    await answer.body!.getReader().read();

    leaving.abort();

    await until(async () => valueOf(await scraped(), `${PREFIX}_active_streams`) === 0);
    const labels = { ...ALPHA, outcome: 'abandoned' };
    expect(numberOf(await scraped(), `${PREFIX}_upstream_seconds_count`, labels)).toBe(before + 1);
  });

  it('count refusals by reason: 400, 403 and 503', async () => {
    const blocked = await gateway.guardedKey(organization, {
      content_filter_builtins: [{ slug: 'email', action: 'block' }],
    });
    const added = await addedBy(async () => {
      const statuses = [
        (await gateway.ask(key, { model: 'acme/unknown' })).status,
        (await gateway.ask(blocked, { messages: [{ role: 'user', content: 'Ask ada@example.com' }] })).status,
      ];
      for (const provider of [gateway.alpha, gateway.beta]) provider.answerJson({}, 500);
      statuses.push((await gateway.ask(key)).status);
      expect(statuses).toEqual([400, 403, 503]);
    }, [
      ['refusals_total', { reason: 'model_not_found' }],
      ['refusals_total', { reason: 'content_blocked' }],
      ['refusals_total', { reason: 'provider_unavailable' }],
    ]);

    expect(added).toEqual([1, 1, 1]);
  });

  it('count requests that ask for the cache of answers (200) by what it has done, also where its store fails', async () => {
    const path = `/workspaces/${organization.workspaceId}`;
    const allow = async (isAllowed: boolean): Promise<void> => {
      const json = { is_response_cache_enabled: isAllowed };
      expect((await gateway.app.api.patch(path, { key: organization.managementKey, json })).status).toBe(200);
    };
    const store = gateway.app.application.get(CachedResponsesRepository, { strict: false });
    const said: (string | null)[] = [];
    const ask = async (headers: object = { 'x-cache': 'use' }): Promise<void> => {
      const answer = await gateway.ask(key, {}, headers);
      expect(answer.status).toBe(200);
      said.push(answer.headers.get('x-cache'));
    };
    const results = ['miss', 'hit', 'bypass', 'failed'];
    const added = await addedBy(
      async () => {
        await allow(true);
        for (let count = 0; count < 4; count += 1) await ask();
        const reading = jest.spyOn(store, 'read').mockRejectedValue(new Error('gone'));
        await ask();
        reading.mockRestore();
        await allow(false);
        for (let count = 0; count < 2; count += 1) await ask();
        await ask({});
      },
      results.map((result) => ['response_cache_requests_total', { result }] as const),
    );

    expect(added).toEqual([1, 3, 2, 1]);
    expect(said).toEqual(['miss', 'hit', 'hit', 'hit', 'miss', 'bypass', 'bypass', null]);
  });

  it('have series of models and providers of the catalog only, whatever callers ask for (400, 404)', async () => {
    await gateway.ask(key, { model: 'acme/no-such-model' });
    await gateway.ask(key, { model: 'acme/unconnected' });
    await gateway.ask(key, { provider: { only: ['no-such-provider'] } });
    const { samples, text } = await scraped();
    const named = samples.filter(({ labels }) => labels['provider'] !== undefined);

    expect(new Set(named.map(({ labels }) => `${labels['provider']} ${labels['model']}`))).toEqual(
      new Set(['alpha acme/writer', 'beta acme/writer']),
    );
    expect(text).not.toMatch(/no-such|unconnected/);
  });
});

function isOf({ labels }: Sample, wanted: Readonly<Record<string, string>>): boolean {
  return Object.entries(wanted).every(([name, value]) => labels[name] === value);
}
