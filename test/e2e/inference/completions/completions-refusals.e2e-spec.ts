import { expectToFitContract } from '../../../support/contract/contract-answers.js';
import type { ErrorBody } from '../../../support/network/api-client.js';
import { complete } from './completions-answers.js';
import { completionsRequests, ADDRESS } from './completions-requests.js';

describe('createCompletions', () => {
  const { gateway, organization, key } = completionsRequests();

  it('answers 503 as JSON where every provider fails before the first token', async () => {
    for (const provider of [gateway.alpha, gateway.beta]) provider.answerJson({ error: {} }, 500);
    const answer = await complete<ErrorBody>(gateway, key, { stream: true });

    expect(answer.status).toBe(503);
    expectToFitContract('createCompletions', 503, answer.body);
    expect(answer.body.error.metadata).toMatchObject({ reason: 'provider_unavailable' });
    expect(await gateway.record(answer, key)).toMatchObject({ status: 503, total_cost: 0 });
  });

  it.each([
    ['prompt', { prompt: undefined }],
    ['prompt', { prompt: null }],
    ['prompt', { prompt: '' }],
    ['prompt', { prompt: 7 }],
    ['prompt', { prompt: [] }],
    ['prompt', { prompt: ['One', 'Two'] }],
    ['prompt', { prompt: [1, 2, 3] }],
    ['prompt', { prompt: [[1, 2], [3]] }],
    ['prompt[0]', { prompt: [''] }],
    ['prompt[0]', { prompt: [{ text: 'One' }] }],
    ['n', { n: 0 }],
    ['n', { n: 129 }],
    ['best_of', { best_of: 2 }],
    ['best_of', { n: 2, best_of: 1 }],
    ['logprobs', { logprobs: 6 }],
    ['logprobs', { logprobs: true }],
    ['echo', { echo: true, logprobs: 0 }],
    ['echo', { echo: true, n: 2 }],
    ['suffix', { suffix: 'The end.' }],
    ['max_tokens', { max_tokens: 0 }],
    ['stop', { stop: ['1', '2', '3', '4', '5'] }],
    ['metadata.a', { metadata: { a: 1 } }],
    ['provider.sort', { provider: { sort: 'beauty' } }],
  ])('answers 400 for what is wrong with %s, and asks no provider', async (path, fields) => {
    const before = gateway.alpha.received.length;
    const answer = await complete<ErrorBody>(gateway, key, fields);

    expect(answer.status).toBe(400);
    expect(answer.body.error.metadata.issues).toMatchObject([{ path }]);
    expectToFitContract('createCompletions', 400, answer.body);
    expect(gateway.alpha.received).toHaveLength(before);
  });

  it('answers 403 where a content filter blocks the prompt', async () => {
    const filters = { content_filter_builtins: [{ slug: 'email', action: 'block' }] };
    const guarded = await gateway.guardedKey(organization, filters);
    const answer = await complete<ErrorBody>(gateway, guarded, { prompt: [`Write to ${ADDRESS}`] });

    expect(answer.status).toBe(403);
    expect(answer.body.error.message).toBe('Request blocked by content filter: [EMAIL]');
    expectToFitContract('createCompletions', 403, answer.body);
  });

  it('answers 404 for a preset of another organization as for none', async () => {
    const other = await gateway.app.factory.organization();
    await gateway.app.factory.preset(other, other.workspaceId, 'theirs', [{ temperature: 0.2 }]);
    const [theirs, none] = await Promise.all(
      ['theirs', 'nobodys'].map((preset) => complete<ErrorBody>(gateway, key, { preset })),
    );

    expect([theirs!.status, none!.status]).toEqual([404, 404]);
    expect(theirs!.body.error).toEqual({
      ...none!.body.error,
      message: none!.body.error.message.replace('nobodys', 'theirs'),
    });
  });

  it('answers 402 where the longest answers, or so many of them, cost more than the limit of the key leaves', async () => {
    const limited = await gateway.app.factory.key(organization, { limitUsd: 0.001 });
    const answers = [{ max_tokens: 5 }, { max_tokens: 1_000 }, { max_tokens: 5, n: 128 }, { max_tokens: 5, n: 2 }];
    const statuses: number[] = [];
    for (const fields of answers) statuses.push((await complete(gateway, limited, fields)).status);

    expect(statuses).toEqual([200, 402, 402, 200]);
  });

  it('answers 200 and 429 to a key with one request a minute', async () => {
    const limited = await gateway.app.factory.key(organization, { requestsPerMinute: 1 });
    const [answer, refused] = [await complete(gateway, limited), await complete<ErrorBody>(gateway, limited)];

    expect([answer.status, refused.status]).toEqual([200, 429]);
    expectToFitContract('createCompletions', 429, refused.body);
    expect(answer.headers.get('x-ratelimit-remaining-requests')).toBe('0');
  });
});
