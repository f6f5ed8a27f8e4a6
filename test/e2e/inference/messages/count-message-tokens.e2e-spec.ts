import type { Answer } from '../../../support/network/api-client.js';
import { QUESTION } from '../test-gateway.js';
import { type Failure, messagesRequests, WRITER } from './messages-requests.js';

const PATH = '/messages/count_tokens';

interface Count {
  readonly input_tokens: number;
}

describe('countMessageTokens', () => {
  const { gateway, organization, key } = messagesRequests();

  const count = <Body = Count>(fields: object = {}, by = key): Promise<Answer<Body>> =>
    gateway.app.api.post<Body>(PATH, { key: by.plaintext, json: { model: WRITER, messages: QUESTION, ...fields } });

  const received = (): number => gateway.alpha.received.length + gateway.beta.received.length;

  const recordsOf = ({ id }: typeof key): Promise<unknown[]> =>
    gateway.app.rows('SELECT id FROM generations WHERE key_id = $1', [id]);

  it('answers 200 with a token for four bytes, and more for other than Latin letters, asks no provider, and leaves no record', async () => {
    const before = received();
    const [question, longer, described] = [
      await count(),
      await count({ messages: [{ role: 'user', content: '文'.repeat(200) }] }),
      await count({ system: 'x'.repeat(400), tools: [{ name: 'go', input_schema: { type: 'object' } }] }),
    ];

    expect([question.status, longer.status, described.status]).toEqual([200, 200, 200]);
    expect([question.body, longer.body]).toEqual([{ input_tokens: 3 }, { input_tokens: 200 }]);
    expect(described.body.input_tokens).toBeGreaterThan(103);
    expect(question.headers.get('x-generation-id')).toBeNull();
    expect(received()).toBe(before);
    expect(await recordsOf(key)).toEqual([]);
  });

  it('answers 200 to a key in X-Api-Key', async () => {
    const json = { model: WRITER, messages: QUESTION };

    expect((await gateway.app.api.post(PATH, { headers: { 'x-api-key': key.plaintext }, json })).status).toBe(200);
  });

  it('answers 200 with the tokens of what content filters leave', async () => {
    const settings = { content_filter_builtins: [{ slug: 'email', action: 'redact' }] };
    const guarded = await gateway.guardedKey(organization, settings);
    const messages = [{ role: 'user', content: `${'j'.repeat(60)}@example.com` }];
    const [whole, redacted] = [await count({ messages }), await count({ messages }, guarded)];

    expect([whole.status, redacted.status]).toEqual([200, 200]);
    expect([whole.body, redacted.body]).toEqual([{ input_tokens: 18 }, { input_tokens: 2 }]);
  });

  it.each([
    [403, 'content_blocked', { content_filter_builtins: [{ slug: 'email', action: 'block' }] }],
    [404, 'no_endpoints', { allowed_models: ['acme/spare'] }],
  ])(
    'answers %i (%s) where a guardrail refuses the message, and leaves no record',
    async (status, reason, settings) => {
      const guarded = await gateway.guardedKey(organization, settings);
      const refused = await count<Failure>({ messages: [{ role: 'user', content: 'jane.doe@example.com' }] }, guarded);

      expect(refused.status).toBe(status);
      expect(refused.body).toMatchObject({ type: 'error', error: { metadata: { reason } }, request_id: null });
      expect(await recordsOf(guarded)).toEqual([]);
    },
  );

  it('answers 400 for a message that has no form', async () => {
    const refused = await count<Failure>({ messages: [{ role: 'judge', content: 'Hello' }] });

    expect(refused.status).toBe(400);
    expect(refused.body.error.metadata).toMatchObject({ issues: [{ path: 'messages[0].role' }] });
  });

  it('answers 429 where a limit per minute leaves no room for a request, and takes none of its tokens', async () => {
    const limited = await gateway.app.factory.key(organization, { requestsPerMinute: 2, tokensPerMinute: 3 });
    const [first, second, third] = [await count({}, limited), await count({}, limited), await count({}, limited)];

    expect([first.status, second.status, third.status]).toEqual([200, 200, 429]);
    expect(second.headers.get('anthropic-ratelimit-requests-remaining')).toBe('0');
  });
});
