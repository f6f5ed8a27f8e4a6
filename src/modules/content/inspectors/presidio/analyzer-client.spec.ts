import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as textOf } from 'node:stream/consumers';
import { readEnvironment } from '../../../../config/environment.js';
import type { FilterAction } from '../../content-filters.js';
import { ContentFilterUnavailable } from '../../content.errors.js';
import type { ContentResult } from '../../content-result.js';
import { ContentService } from '../../content.service.js';
import { CustomSearch } from '../../custom/custom-search.js';
import { LoopTurns } from '../../../../concurrency/loop-turns.js';
import { ClassifierClient } from '../classifier/classifier-client.js';
import { AnalyzerClient } from './analyzer-client.js';

const GUARDRAILS = { guardrailIds: ['guardrail-1'] };

/** Of a name that is none of ours. */
const OTHER_ENTITY = '{"entity_type":"DATE_TIME","start":0,"end":1}';

/** More than anything here takes on any machine. */
const TIME_LIMIT_MS = '600000';

interface Analysis {
  readonly text: string;
  readonly language: string;
  readonly entities: readonly string[];
}

interface InspectionOptions {
  /** Of the filter of names. */
  readonly action?: FilterAction;
  readonly variables?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

/** Knows two names and a place, and counts in code points as the analyzers that are written in Python do. */
function entitiesIn({ text, entities }: Analysis): object[] {
  const known: [string, string][] = [
    ['Mary Jones', 'PERSON'],
    ['Søren', 'PERSON'],
    ['12 Elm Street', 'LOCATION'],
    ['2024', 'DATE_TIME'],
  ];
  return known.flatMap(([name, type]) => {
    const unit = text.indexOf(name);
    if (unit === -1 || !(entities.includes(type) || type === 'DATE_TIME')) return [];
    const start = Array.from(text.slice(0, unit)).length;
    return [{ entity_type: type, start, end: start + Array.from(name).length, score: 0.85 }];
  });
}

describe('the filters that need an analyzer', () => {
  const requests: { url: string | undefined; body: Analysis }[] = [];
  const customSearch = new CustomSearch();
  let answer: (analysis: Analysis, response: ServerResponse) => void;
  const server = createServer((request: IncomingMessage, response) => {
    void textOf(request).then((body) => {
      const analysis = JSON.parse(body) as Analysis;
      requests.push({ url: request.url, body: analysis });
      answer(analysis, response);
    });
  });
  let url: string;

  const answerWith = (status: number, body: string) => (_analysis: Analysis, response: ServerResponse) => {
    response.writeHead(status, { 'Content-Type': 'application/json' }).end(body);
  };

  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  });

  beforeEach(() => {
    requests.length = 0;
    answer = (analysis, response) => answerWith(200, JSON.stringify(entitiesIn(analysis)))(analysis, response);
  });

  afterAll(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    await customSearch.onApplicationShutdown();
  });

  function inspect(
    texts: readonly string[],
    { action = 'redact', variables, signal }: InspectionOptions = {},
  ): Promise<ContentResult> {
    const environment = readEnvironment({
      CONTENT_ANALYZER_URL: url,
      CONTENT_ANALYZER_TIMEOUT_MS: TIME_LIMIT_MS,
      ...variables,
    });
    const filters = {
      contentFilterBuiltins: [
        { slug: 'email' as const, action: 'block' as const, ...GUARDRAILS },
        { slug: 'person-name' as const, action, ...GUARDRAILS },
        { slug: 'address' as const, action: 'redact' as const, ...GUARDRAILS },
      ],
      contentFilters: [],
    };
    return new ContentService(
      customSearch,
      new AnalyzerClient(environment),
      new ClassifierClient(environment),
      new LoopTurns(),
    )
      .compile('organization-1', filters)
      .inspect(
        texts.map((text) => ({ role: 'user', kind: 'text', text })),
        signal,
      );
  }

  it('replace names and addresses, also behind characters beyond the basic plane', async () => {
    const { texts, findings } = await inspect(['🎉🎉 Mary Jones and Søren live at 12 Elm Street 🎉', 'since 2024']);

    expect(texts).toEqual(['🎉🎉 [PERSON_NAME] and [PERSON_NAME] live at [ADDRESS] 🎉', 'since 2024']);
    expect(findings).toMatchObject([
      { filter: { slug: 'person-name' }, count: 2 },
      { filter: { slug: 'address' }, count: 1 },
    ]);
    expect(requests[0]).toEqual({
      url: '/analyze',
      body: { text: expect.stringContaining('Mary'), language: 'en', entities: ['PERSON', 'LOCATION'] },
    });
  });

  it('send a long text in pieces, and find what stands in each', async () => {
    const filler = 'word '.repeat(20_000);
    const { texts } = await inspect([`Mary Jones ${filler}🎉 Mary Jones`]);

    expect(requests.length).toBeGreaterThan(1);
    expect(requests.every(({ body }) => body.text.length <= 50_000)).toBe(true);
    expect(texts).toEqual([`[PERSON_NAME] ${filler}🎉 [PERSON_NAME]`]);
  });

  it('send nothing of a request that another filter blocks', async () => {
    expect((await inspect(['Mary Jones, mary@example.com'])).blocked?.label).toBe('[EMAIL]');
    expect(requests).toEqual([]);
  });

  it('refuse a request when a name is found and they block', async () => {
    expect((await inspect(['Mary Jones'], { action: 'block' })).blocked?.label).toBe('[PERSON_NAME]');
  });

  it.each([
    ['an error', () => answerWith(500, '{}')],
    ['no JSON', () => answerWith(200, 'hello')],
    ['no list', () => answerWith(200, '{"a":1}')],
    ['no objects', () => answerWith(200, '[1]')],
    ['objects that are no entities', () => answerWith(200, '[{}]')],
    ['lists', () => answerWith(200, '[[]]')],
    ['more values than are read', () => answerWith(200, `[${Array<string>(50_001).fill(OTHER_ENTITY).join(',')}]`)],
    ['an offset outside the text', () => answerWith(200, '[{"entity_type":"PERSON","start":0,"end":99}]')],
    ['an end before the start', () => answerWith(200, '[{"entity_type":"PERSON","start":2,"end":1}]')],
    ['a redirection', () => answerWith(302, '')],
    ['too much', () => answerWith(200, `[${' '.repeat(4_194_305)}]`)],
    ['nothing', () => (_analysis: Analysis, response: ServerResponse) => response.destroy()],
  ])('are unavailable when the analyzer answers with %s', async (_case, failing) => {
    answer = failing();

    await expect(inspect(['Mary Jones'])).rejects.toThrow(ContentFilterUnavailable);
  });

  it('are unavailable when the analyzer takes too long', async () => {
    answer = () => undefined;

    await expect(inspect(['Mary Jones'], { variables: { CONTENT_ANALYZER_TIMEOUT_MS: '100' } })).rejects.toThrow(
      ContentFilterUnavailable,
    );
  });

  it('are unavailable when all texts of a request take too long together, though none of them does', async () => {
    answer = (analysis, response) => void setTimeout(() => answerWith(200, '[]')(analysis, response), 30);
    const texts = Array<string>(100).fill('Mary Jones');

    await expect(inspect(texts, { variables: { CONTENT_ANALYZER_TOTAL_TIMEOUT_MS: '100' } })).rejects.toThrow(
      ContentFilterUnavailable,
    );
    expect(requests.length).toBeLessThan(texts.length);
  });

  it('end the requests for the other texts when one fails', async () => {
    const ended = new Promise<void>((resolve) => {
      answer = (analysis, response) => {
        if (analysis.text === 'first') response.once('close', resolve);
        else answerWith(500, '{}')(analysis, response);
      };
    });

    await expect(inspect(['first', 'second'])).rejects.toThrow(ContentFilterUnavailable);
    await ended;
  });

  it('are unavailable without an analyzer', async () => {
    await expect(inspect(['Mary Jones'], { variables: { CONTENT_ANALYZER_URL: '' } })).rejects.toMatchObject({
      status: 503,
      reason: 'content_analyzer_unavailable',
      shownMessage: 'Content filter unavailable',
    });
  });

  it('let a request pass, and say so, when the deployment wants that', async () => {
    answer = answerWith(500, '{}');
    const result = await inspect(['Mary Jones'], { variables: { CONTENT_ANALYZER_ON_FAILURE: 'pass' } });

    expect(result).toMatchObject({
      blocked: null,
      texts: ['Mary Jones'],
      findings: [
        { filter: { slug: 'person-name' }, count: 0, unavailable: true },
        { filter: { slug: 'address' }, count: 0, unavailable: true },
      ],
    });
  });

  it('end with the reason of the signal while the analyzer works', async () => {
    const controller = new AbortController();
    const reason = new Error('the client is gone');
    answer = () => controller.abort(reason);

    await expect(inspect(['Mary Jones'], { signal: controller.signal })).rejects.toBe(reason);
  });
});
