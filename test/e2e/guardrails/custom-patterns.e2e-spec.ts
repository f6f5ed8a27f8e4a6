import { PatternCompiler } from '../../../src/modules/guardrails/content-filters/pattern-rule.js';
import type { Answer } from '../../support/network/api-client.js';
import { expectEnvelope, expectRefusal } from '../../support/expectations/error-envelope.js';
import { holdCompiler } from './held-compiler.js';
import { COSTLY_PATTERNS, DEEP_PATTERNS, LARGE_PATTERNS } from './large-patterns.js';
import { REAL_PATTERNS } from './realistic-patterns.js';
import { startedWorkers } from '../../support/processes/worker-threads.js';
import { TestApplication } from '../../support/application/test-application.js';
import { until } from '../../support/time/until.js';
import { sharedApplication } from '../../support/application/shared-application.js';
import { sharedOrganization } from '../../support/application/shared-organization.js';

/** Close to the greatest size of all patterns of a request together. */
const LARGEST_LEGAL = Array.from({ length: 5 }, (_, index) => `(x){0,999}(y){0,999}(z){0,900}${index}`);

/** Many requests wait for the compiler, and one has it. */
const WAITING = 16;

describe('patterns of custom content filters', () => {
  const app = sharedApplication();
  const organization = sharedOrganization(app);

  afterEach(() => jest.restoreAllMocks());

  const create = (patterns: readonly string[], key = organization.managementKey, name = 'Test'): Promise<Answer> =>
    app.api.post('/guardrails', {
      key,
      json: { name, content_filters: patterns.map((pattern) => ({ pattern, action: 'flag' })) },
    });

  const guardrailsNamed = async (name: string): Promise<number> =>
    (await app.rows('SELECT 1 FROM guardrails WHERE name = $1', [name])).length;

  it.each(Object.entries(REAL_PATTERNS))('answers 201 for %s', async (_name, pattern) => {
    const answer = await create([pattern]);

    expect(answer.status).toBe(201);
  });

  it('answers 201 for a hundred patterns of one guardrail, and 200 for a PATCH with the same', async () => {
    const patterns = Object.values(REAL_PATTERNS);
    const { status, body } = await create(patterns);
    const { data } = body as { data: { id: string; content_filters: object[] } };
    const { content_filters } = data;

    const again = await app.api.patch(`/guardrails/${data.id}`, {
      key: organization.managementKey,
      json: { content_filters },
    });

    expect([status, again.status]).toEqual([201, 200]);
    expect(content_filters).toHaveLength(patterns.length);
  });

  describe('that are too large to compile', () => {
    it.each([
      ...Object.entries(LARGE_PATTERNS).map(([name, pattern]) => ['pattern_too_large', name, pattern]),
      ...Object.entries(DEEP_PATTERNS).map(([name, pattern]) => ['pattern_nested_too_deep', name, pattern]),
    ])('are answered 400 with %s without being compiled: %s', async (reason, _name, pattern) => {
      const compiler = app.application.get(PatternCompiler, { strict: false });
      const compiled = [jest.spyOn(compiler, 'compileAtOnce'), jest.spyOn(compiler, 'compileInTurn')];

      const answer = await create([pattern], organization.managementKey, 'hostile');

      expectRefusal(answer, {
        status: 400,
        reason,
        paths: ['content_filters[0].pattern'],
        userId: organization.userId,
      });
      expect(compiled.flatMap(({ mock }) => mock.calls.map(([patterns]) => patterns)).flat()).toEqual([]);
      expect(await guardrailsNamed('hostile')).toBe(0);
    });

    it('are answered 400 with the size of the pattern and the limit', async () => {
      const { error } = expectEnvelope(await create(['(x){0,999}'.repeat(200)]), 400);

      expect(error.metadata.issues).toEqual([
        { path: 'content_filters[0].pattern', message: expect.stringMatching(/ 7992\d\d .* 12000 /) as unknown },
      ]);
    });

    it('are answered 400 patterns_too_large when each pattern is legal and all together are too large', async () => {
      const answer = await create([...LARGEST_LEGAL, ...LARGEST_LEGAL], organization.managementKey, 'hostile');

      expectRefusal(answer, {
        status: 400,
        reason: 'patterns_too_large',
        paths: ['content_filters'],
        userId: organization.userId,
      });
      expect(await guardrailsNamed('hostile')).toBe(0);
    });

    it('are answered 400 with every issue of the body, among them patterns of every size', async () => {
      const answer = await app.api.post('/guardrails', {
        key: organization.managementKey,
        json: {
          name: '',
          surprise: true,
          content_filters: [
            ...LARGEST_LEGAL.map((pattern) => ({ pattern, action: 'flag' })),
            { pattern: '(', action: 'flag' },
            { pattern: 'x{1000}'.repeat(100), action: 'flag' },
            { pattern: `${'('.repeat(101)}a${')'.repeat(101)}`, action: 'burn' },
          ],
        },
      });

      expectRefusal(answer, {
        status: 400,
        reason: 'invalid_parameters',
        paths: [
          'name',
          'surprise',
          'content_filters[5].pattern',
          'content_filters[6].pattern',
          'content_filters[7].action',
          'content_filters[7].pattern',
        ],
        userId: organization.userId,
      });
    });
  });

  it('are answered 201 while another organization has the thread with patterns that cost more than their size tells', async () => {
    const other = await app.factory.organization();
    const costly = Object.values(COSTLY_PATTERNS).map((pattern) => create([pattern], other.managementKey, 'costly'));
    const words = Array.from({ length: 250 }, (_, index) => `word${index}`);

    expect((await create(words)).status).toBe(201);
    const answers = await Promise.all(costly);
    expect(answers.filter(({ status }) => status !== 201 && status !== 400)).toEqual([]);
    // The thread that such patterns have ended is replaced.
    expect((await create(words)).status).toBe(201);
  });

  describe('in many requests at once', () => {
    it('are answered 429 with Retry-After beyond the queue, while another organization is answered 201', async () => {
      const other = await app.factory.organization();
      const compiler = holdCompiler();
      const requests = Array.from({ length: 64 }, () => create(LARGEST_LEGAL, organization.managementKey, 'busy'));
      const refused: Answer[] = [];
      for (const request of requests) {
        void request.then((answer) => {
          if (answer.status === 429) refused.push(answer);
        });
      }
      await until(() => Promise.resolve(refused.length === requests.length - WAITING - 1));

      const words = Array.from({ length: 250 }, (_, index) => `word${index}`);
      const created = create(words, other.managementKey, 'of words');
      const reads = await Promise.all(
        Array.from({ length: 20 }, () => app.api.get('/guardrails', { key: other.managementKey })),
      );
      expect(reads.map(({ status }) => status)).toEqual(Array(20).fill(200));
      await waiting(other.organizationId);
      compiler.release();

      expect((await created).status).toBe(201);
      const answers = await Promise.all(requests);
      expect(answers.filter(({ status }) => status === 201)).toHaveLength(WAITING + 1);
      expect(await guardrailsNamed('busy')).toBe(WAITING + 1);
      expect(await guardrailsNamed('of words')).toBe(1);
      // The other organization comes at the latest behind one more request of the first one.
      expect(compiler.given.indexOf('word0')).toBeLessThanOrEqual(2);
      for (const answer of refused) {
        expectRefusal(answer, { status: 429, reason: 'pattern_check_limit', userId: organization.userId });
        expect(answer.headers.get('retry-after')).toBe('1');
      }
    });

    it('leave the queue when their client disconnects before its turn, and the next request is answered 201', async () => {
      const compiler = holdCompiler();
      const first = create(['first', ...LARGEST_LEGAL]);
      await until(() => Promise.resolve(compiler.given.length === 1));
      const gone = new AbortController();
      const abandoned = fetch(`${app.origin}/api/v1/guardrails`, {
        method: 'POST',
        signal: gone.signal,
        headers: { authorization: `Bearer ${organization.managementKey}`, 'content-type': 'application/json' },
        body: JSON.stringify({
          name: 'abandoned',
          content_filters: ['abandoned', ...LARGEST_LEGAL].map((pattern) => ({ pattern, action: 'flag' })),
        }),
      }).catch((error: unknown) => error);
      await waiting(organization.organizationId);
      gone.abort();
      await abandoned;
      await until(() => Promise.resolve(app.logLines.some((line) => line.includes('"status":499'))));
      compiler.release();

      expect((await first).status).toBe(201);
      expect((await create(['last', ...LARGEST_LEGAL])).status).toBe(201);
      expect(compiler.given).toEqual(['first', 'last']);
      expect(await guardrailsNamed('abandoned')).toBe(0);
      expect(app.logLines.filter((line) => line.includes('"level":"error"'))).toEqual([]);
    });

    it('leave no worker thread behind when the service stops after a 201', async () => {
      const workers = startedWorkers();
      const another = await TestApplication.start();
      const { managementKey } = await another.factory.organization();
      const answer = await another.api.post('/guardrails', {
        key: managementKey,
        json: { name: 'x', content_filters: [{ pattern: 'x{500}', action: 'flag' }] },
      });
      expect(answer.status).toBe(201);
      expect(workers).toHaveLength(1);

      await another.stop();

      // The id of a thread that has ended.
      expect(workers[0]!.threadId).toBe(-1);
    });
  });

  /** Waits until a request of an organization waits for its turn. */
  async function waiting(organizationId: string): Promise<void> {
    const compiler: unknown = app.application.get(PatternCompiler, { strict: false });
    const { queue } = compiler as { queue: { lanes: Map<string, { waiting: Set<unknown> }> } };
    await until(() => Promise.resolve((queue.lanes.get(organizationId)?.waiting.size ?? 0) > 0));
  }
});
