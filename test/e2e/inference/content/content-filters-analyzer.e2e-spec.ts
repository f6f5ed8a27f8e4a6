import type { NewOrganization } from '../../../../src/modules/installation/installation.service.js';
import type { IssuedCredential } from '../../../../src/modules/keys/keys.service.js';
import type { Answer } from '../../../support/network/api-client.js';
import type { TestApplication } from '../../../support/application/test-application.js';
import { until } from '../../../support/time/until.js';
import { ProviderServer } from '../../../support/network/provider-server.js';
import { CHAT, TestGateway } from '../test-gateway.js';
import type { WholeAnswer } from '../read-answers.js';
import type { ErrorBody } from './filtered-texts.js';

/** With a character of two code units ahead, whose offsets analyzers count as one. */
const TEXT = '😀 Ask Jane Doe at 1 Main Street.';

/** What an analyzer finds in {@link TEXT}. */
const ENTITIES = [
  { entity_type: 'PERSON', start: 6, end: 14, score: 0.85 },
  { entity_type: 'LOCATION', start: 18, end: 31, score: 0.85 },
];

describe('the content filters person-name and address', () => {
  let analyzer: ProviderServer;
  let gateway: TestGateway;
  let organization: NewOrganization;

  beforeAll(async () => {
    analyzer = await ProviderServer.start();
    gateway = await TestGateway.start({
      variables: {
        CONTENT_ANALYZER_URL: new URL(analyzer.baseUrl).origin,
        CONTENT_ANALYZER_TIMEOUT_MS: '600000',
      },
    });
  });

  beforeEach(async () => {
    gateway.reset();
    analyzer.answerJson(ENTITIES);
    organization = await gateway.app.factory.organization();
  });

  afterAll(async () => {
    await gateway.stop();
    await analyzer.stop();
  });

  const messages = [{ role: 'user', content: TEXT }];

  const guarded = (nameAction: string, addressAction = nameAction): Promise<IssuedCredential> =>
    gateway.guardedKey(organization, {
      content_filter_builtins: [
        { slug: 'person-name', action: nameAction },
        { slug: 'address', action: addressAction },
      ],
    });

  it('answer 200 without what the analyzer finds, which gets the text and nothing else', async () => {
    const key = await guarded('redact');
    const answer = await gateway.ask(key, { messages });

    expect(answer.status).toBe(200);
    expect((gateway.alpha.received[0]!.body as WholeAnswer)['messages']).toEqual([
      { role: 'user', content: '😀 Ask [PERSON_NAME] at [ADDRESS].' },
    ]);
    expect(analyzer.received).toMatchObject([
      { method: 'POST', path: '/analyze', body: { text: TEXT, language: 'en', entities: ['PERSON', 'LOCATION'] } },
    ]);
    expect(await gateway.record(answer, key)).toMatchObject({
      guardrail_actions: [
        { filter: 'person-name', action: 'redact', count: 1 },
        { filter: 'address', action: 'redact', count: 1 },
      ],
    });
  });

  it('answer 403 for what the analyzer finds where that is blocked', async () => {
    const key = await guarded('flag', 'block');
    const answer = await gateway.ask<ErrorBody>(key, { messages });

    expect(answer.status).toBe(403);
    expect(answer.body.error.message).toBe('Request blocked by content filter: [ADDRESS]');
    expect(gateway.alpha.received).toEqual([]);
  });

  describe('leave the other requests of the organization their slots (200) while the analyzer', () => {
    const expectOthersAnswered = async (wait: () => Promise<{ readonly status: number }>): Promise<void> => {
      const plain = await gateway.app.factory.key(organization);
      let answerAll: () => void = () => undefined;
      const released = new Promise<void>((resolve) => (answerAll = resolve));
      analyzer.answerWith(async (response) => {
        await released;
        response.writeHead(200, { 'content-type': 'application/json' }).end('[]');
      });
      const waiting = Array.from({ length: 30 }, wait);
      await until(() => Promise.resolve(analyzer.received.length >= 5));
      const other = await gateway.ask(plain, { messages });
      answerAll();

      expect(other.status).toBe(200);
      expect((await Promise.all(waiting)).map(({ status }) => status)).toEqual(waiting.map(() => 200));
    };

    it('lets many requests wait', async () => {
      const named = await guarded('redact');
      await expectOthersAnswered(() => gateway.ask(named, { messages }));
    });

    it('lets many evaluations of a guardrail wait', async () => {
      const { id } = await gateway.app.factory.guardrail(organization, {
        content_filter_builtins: [{ slug: 'person-name', action: 'redact' }],
      });
      const json = { request: { model: 'acme/writer', messages } };
      await expectOthersAnswered(() =>
        gateway.app.api.post(`/guardrails/${id}/evaluate`, { key: organization.managementKey, json }),
      );
    });
  });

  describe('answer 503 and ask no provider, or 200 where such requests pass, when the analyzer', () => {
    let strict: TestApplication;
    let lenient: TestApplication;

    beforeAll(async () => {
      const variables = { CONTENT_ANALYZER_URL: new URL(analyzer.baseUrl).origin, CONTENT_ANALYZER_TIMEOUT_MS: '100' };
      strict = await gateway.replica(variables);
      lenient = await gateway.replica({ ...variables, CONTENT_ANALYZER_ON_FAILURE: 'pass' });
    });

    afterAll(async () => {
      await strict.stop();
      await lenient.stop();
    });

    it.each([
      ['fails', () => analyzer.answerJson({}, 503)],
      ['does not speak its protocol', () => analyzer.answerJson({ found: [] })],
      [
        'finds something outside of the text',
        () => analyzer.answerJson([{ entity_type: 'PERSON', start: 0, end: 99 }]),
      ],
      ['breaks off', () => analyzer.answerWith((response) => void response.destroy())],
      ['does not answer in time', () => analyzer.answerWith(() => undefined)],
    ])('%s', async (_, answerAsAnalyzer) => {
      const key = await guarded('redact');
      answerAsAnalyzer();
      const json = { model: 'acme/writer', messages, provider: { order: ['alpha'] } };
      const ask = (app: TestApplication): Promise<Answer<ErrorBody>> =>
        app.api.post(CHAT, { key: key.plaintext, json });
      const [refused, asked] = [await ask(strict), gateway.alpha.received.length];
      const passed = await ask(lenient);

      expect(refused.status).toBe(503);
      expect(refused.body.error).toMatchObject({
        message: 'Content filter unavailable',
        metadata: { reason: 'content_analyzer_unavailable' },
      });
      expect(asked).toBe(0);
      expect(await gateway.record(refused, key)).toMatchObject({
        status: 503,
        refusal: 'content_analyzer_unavailable',
      });
      expect(passed.status).toBe(200);
      expect((gateway.alpha.received[0]!.body as WholeAnswer)['messages']).toEqual(messages);
      const { guardrail_actions: actions } = await gateway.record(passed, key);
      expect(actions).toMatchObject([
        { filter: 'person-name', count: 0 },
        { filter: 'address', count: 0 },
      ]);
    });
  });

  it('answer 503 without an analyzer, and 200 to requests under other filters', async () => {
    const without = await gateway.replica({ CONTENT_ANALYZER_URL: '' });
    const [named, plain] = [await guarded('flag'), await gateway.app.factory.key(organization)];
    const json = { model: 'acme/writer', messages, provider: { order: ['alpha'] } };
    const statuses = [];
    for (const { plaintext } of [named, plain]) {
      statuses.push((await without.api.post(CHAT, { key: plaintext, json })).status);
    }
    await without.stop();

    expect(statuses).toEqual([503, 200]);
  });
});
