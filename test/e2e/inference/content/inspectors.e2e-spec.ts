import type { IssuedCredential } from '../../../../src/modules/keys/keys.service.js';
import { organizationPerTest } from '../../../support/application/shared-organization.js';
import { newInspector } from '../../../support/resources/inspectors.js';
import { sharedGuard } from '../../inspectors/inspector-interface.js';
import { chunk, completion, STREAM_HEAD } from '../provider-answers.js';
import { sharedGateway } from '../shared-gateway.js';
import type { ErrorBody } from './filtered-texts.js';

type Fields = Readonly<Record<string, unknown>>;

/** What a company's own guardrail is asked. */
interface AskedTexts {
  readonly texts: readonly string[];
  readonly input_type: 'request' | 'response';
}

const WORDS = 'The weather in Ulm is fine, and it stays so until the evening. '.repeat(10);

describe('inspectors of the guardrail of a key', () => {
  const gateway = sharedGateway({ variables: { ALLOW_PRIVATE_DESTINATIONS: 'true' } });
  const organization = organizationPerTest(gateway);
  const guarded = (settings: object): Promise<IssuedCredential> => gateway.guardedKey(organization, settings);
  const own = sharedGuard();

  const inspector = (fields: object): Promise<string> =>
    newInspector(gateway.app, organization, {
      name: 'Own guardrail',
      url: own.server.baseUrl,
      timeout_ms: 30_000,
      ...fields,
    });

  const keyUnder = async (fields: object): Promise<IssuedCredential> =>
    guarded({ inspector_ids: [await inspector(fields)] });

  /** Has the inspector block texts with one word, and put another one in the place of a second. */
  const judge = (): void =>
    own.server.answerWith((response, { body }) => {
      const { texts } = body as AskedTexts;
      const isBlocked = texts.some((text) => text.includes('grenade'));
      const changed = texts.map((text) => text.replaceAll('Ulm', '[CITY]'));
      const isChanged = changed.some((text, index) => text !== texts[index]);
      response.writeHead(200, { 'content-type': 'application/json' });
      const action = isBlocked ? 'BLOCKED' : isChanged ? 'GUARDRAIL_INTERVENED' : 'NONE';
      response.end(JSON.stringify({ action, ...(isChanged && { texts: changed }) }));
    });

  beforeEach(judge);

  const asked = (): (readonly string[])[] => own.server.received.map(({ body }) => (body as AskedTexts).texts);

  const say = (text: string): void =>
    gateway.alpha.answerWith((response, { body }) => {
      if ((body as Fields)['stream'] !== true) {
        response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(completion(text)));
        return;
      }
      const pieces = text.match(/[^]{1,7}/g)!.map((content) => chunk({ content }));
      response.writeHead(200, STREAM_HEAD).end(`${pieces.join('')}${chunk({}, 'stop')}data: [DONE]\n\n`);
    });

  const contentOf = (events: readonly unknown[]): string =>
    events
      .flatMap((event) => (event as { choices?: { delta?: { content?: string } }[] }).choices ?? [])
      .map(({ delta }) => delta?.content ?? '')
      .join('');

  describe('of requests', () => {
    it('answer 200 with what they change in the request, and record that', async () => {
      const key = await keyUnder({ applies_to: ['request'] });
      const answer = await gateway.ask(key, { messages: [{ role: 'user', content: 'Weather in Ulm?' }] });

      expect(answer.status).toBe(200);
      expect(gateway.alpha.received[0]!.body).toMatchObject({ messages: [{ content: 'Weather in [CITY]?' }] });
      expect(await gateway.record(answer, key)).toMatchObject({
        inspector_actions: [{ name: 'Own guardrail', place: 'request', outcome: 'changed', count: 1 }],
      });
    });

    it('answer 403 to what they block, which no provider gets', async () => {
      const key = await keyUnder({ applies_to: ['request'] });
      const answer = await gateway.ask<ErrorBody>(key, { messages: [{ role: 'user', content: 'Build a grenade.' }] });

      expect(answer.status).toBe(403);
      expect(answer.body.error).toMatchObject({
        message: 'Request blocked by content filter: Own guardrail',
        metadata: { reason: 'content_blocked' },
      });
      expect(gateway.alpha.received).toEqual([]);
      expect(await gateway.record(answer, key)).toMatchObject({
        refusal: 'content_blocked',
        inspector_actions: [{ outcome: 'blocked' }],
      });
    });

    it('answer 200 and judge nothing but results of tools where they apply to these', async () => {
      const key = await keyUnder({ applies_to: ['tool_result'] });
      const call = { id: 'a', type: 'function', function: { name: 'look', arguments: '{}' } };
      const messages = [
        { role: 'user', content: 'Weather in Ulm?' },
        { role: 'assistant', content: null, tool_calls: [call] },
        { role: 'tool', tool_call_id: 'a', content: 'Fine in Ulm.' },
      ];
      const answer = await gateway.ask(key, { messages });

      expect(answer.status).toBe(200);
      expect(asked()).toEqual([['Fine in Ulm.']]);
    });

    it('answer 503 where one fails that blocks then, and 200 where it passes', async () => {
      own.server.answerJson({}, 500);
      const messages = [{ role: 'user', content: 'Hello.' }];
      const blocking = await keyUnder({ applies_to: ['request'] });
      const refused = await gateway.ask<ErrorBody>(blocking, { messages });
      const passing = await keyUnder({ applies_to: ['request'], on_failure: 'pass' });
      const passed = await gateway.ask(passing, { messages });

      expect([refused.status, passed.status]).toEqual([503, 200]);
      expect(refused.body.error.metadata['reason']).toBe('content_analyzer_unavailable');
      expect(await gateway.record(passed, passing)).toMatchObject({ inspector_actions: [{ outcome: 'failed' }] });
    });

    it.each([
      ['they observe', { mode: 'observe' }, {}],
      ['their guardrail observes', {}, { enforcement: 'observe' }],
    ])('answer 200 and change nothing where %s', async (_, fields, settings) => {
      const id = await inspector({ applies_to: ['request'], ...fields });
      const key = await guarded({ inspector_ids: [id], ...settings });
      const answer = await gateway.ask(key, { messages: [{ role: 'user', content: 'Build a grenade.' }] });

      expect(answer.status).toBe(200);
      expect(await gateway.record(answer, key)).toMatchObject({
        inspector_actions: [{ outcome: 'blocked', observed: true }],
      });
    });

    it('answer 403 as soon as an inspector is changed to apply', async () => {
      const id = await inspector({ applies_to: ['response'] });
      const key = await guarded({ inspector_ids: [id] });
      const messages = [{ role: 'user', content: 'Build a grenade.' }];
      const before = await gateway.ask(key, { messages });
      const json = { applies_to: ['request'] };
      await gateway.app.api.patch(`/inspectors/${id}`, { key: organization.managementKey, json });
      const after = await gateway.ask(key, { messages });

      expect([before.status, after.status]).toEqual([200, 403]);
    });
  });

  describe('of answers', () => {
    it.each([false, true])('answer 200 with what they change (stream: %s)', async (stream) => {
      say(`${WORDS}Bye from Ulm.`);
      const key = await keyUnder({ applies_to: ['response'], window: { characters: 100, overlap: 20 } });
      const text = stream
        ? contentOf((await gateway.stream(key)).events)
        : (await gateway.ask(key)).body.choices[0]!.message.content;

      expect(text).toBe(`${WORDS}Bye from Ulm.`.replaceAll('Ulm', '[CITY]'));
      expect(own.server.received.length > 5).toBe(stream);
    });

    it.each([false, true])('answer 403 to an answer that begins with what they block (stream: %s)', async (stream) => {
      say('A grenade is made of.');
      const key = await keyUnder({ applies_to: ['response'] });
      const answer = await gateway.ask<ErrorBody>(key, { stream });

      expect([answer.status, answer.body.error.message]).toEqual([
        403,
        'Answer blocked by content filter: Own guardrail',
      ]);
      expect(await gateway.record(answer, key)).toMatchObject({ refusal: 'content_blocked' });
    });

    it('answer 200 and end a stream before the window in which something is blocked', async () => {
      say(`${WORDS}A grenade is made of. ${WORDS}`);
      const key = await keyUnder({ applies_to: ['response'], window: { characters: 100, overlap: 20 } });
      const answer = await gateway.stream(key);

      expect(answer.status).toBe(200);
      expect(answer.text).toMatch(/"finish_reason":"content_filter"/);
      expect(answer.text).not.toMatch(/grenade/);
      expect(contentOf(answer.events)).toMatch(/^The weather in \[CITY\]/);
    });

    it('answer 200 with a stream that breaks off where an inspector fails within it', async () => {
      say(WORDS);
      let count = 0;
      own.server.answerWith((response) => {
        count += 1;
        response.writeHead(count < 3 ? 200 : 500, { 'content-type': 'application/json' }).end('{"action":"NONE"}');
      });
      const key = await keyUnder({ applies_to: ['response'], window: { characters: 100, overlap: 20 } });
      const answer = await gateway.stream(key);

      expect(answer.text).toMatch(/"error":\{"code":503/);
      expect(answer.text).not.toMatch(/"finish_reason":"stop"|\[DONE\]/);
      expect(contentOf(answer.events).length).toBeLessThan(WORDS.length);
    });
  });
});
