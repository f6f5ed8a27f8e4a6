import { expectToFitContract } from '../../../support/contract/contract-answers.js';
import type { ErrorBody } from '../../../support/network/api-client.js';
import { respond } from './responses-answers.js';
import { responsesRequests } from './responses-requests.js';

describe('createResponses', () => {
  const { gateway, organization, key } = responsesRequests();

  it('answers 503 as JSON where every provider fails before the first token', async () => {
    for (const provider of [gateway.alpha, gateway.beta]) provider.answerJson({ error: {} }, 500);
    const answer = await respond<ErrorBody>(gateway, key, { stream: true });

    expect(answer.status).toBe(503);
    expect(answer.body).toMatchObject({
      error: { metadata: { reason: 'provider_unavailable', error_type: 'provider_overloaded' } },
      error_type: 'provider_overloaded',
    });
    expectToFitContract('createResponses', 503, answer.body);
    expect(await gateway.record(answer, key)).toMatchObject({ status: 503, total_cost: 0 });
  });

  it.each([
    ['store', { store: true }],
    ['previous_response_id', { previous_response_id: 'resp_1' }],
    ['conversation', { conversation: false }],
    ['background', { background: true }],
    [
      'input[1]',
      {
        input: [
          { role: 'user', content: 'Hello' },
          { type: 'item_reference', id: 'msg_1' },
        ],
      },
    ],
    ['tools[0].type', { tools: [{ type: 'file_search' }] }],
    ['tools[0].type', { tools: [{ type: 'tool_search' }] }],
    [
      'input[0].tools[0].tools[0].name',
      {
        tools: [{ type: 'function', name: 'rooms__book' }],
        input: [
          {
            type: 'tool_search_output',
            call_id: 'call_1',
            tools: [{ type: 'namespace', name: 'rooms', tools: [{ type: 'function', name: 'book' }] }],
          },
        ],
      },
    ],
    ['input', { input: undefined }],
    ['input', { input: null }],
    ['input', { input: [] }],
    ['metadata.a', { metadata: { a: 1 } }],
    ['provider.sort', { provider: { sort: 'beauty' } }],
    ['temperature', { temperature: 3 }],
  ])('answers 400 for what is wrong with %s, and asks no provider', async (path, fields) => {
    const before = gateway.alpha.received.length;
    const answer = await respond<ErrorBody>(gateway, key, fields);

    expect(answer.status).toBe(400);
    expect(answer.body.error.metadata.issues).toMatchObject([{ path }]);
    expect(answer.body).toMatchObject({ error_type: 'invalid_request' });
    expectToFitContract('createResponses', 400, answer.body);
    expect(gateway.alpha.received).toHaveLength(before);
  });

  it('answers 403 where a content filter blocks the input', async () => {
    const filters = { content_filter_builtins: [{ slug: 'email', action: 'block' }] };
    const guarded = await gateway.guardedKey(organization, filters);
    const answer = await respond<ErrorBody>(gateway, guarded, { input: 'Write to jane.doe@example.com' });

    expect(answer.status).toBe(403);
    expect(answer.body.error.message).toBe('Request blocked by content filter: [EMAIL]');
    expectToFitContract('createResponses', 403, answer.body);
  });

  it('answers 404 for a preset of another organization', async () => {
    const other = await gateway.app.factory.organization();
    await gateway.app.factory.preset(other, other.workspaceId, 'theirs', [{ model: 'acme/writer' }]);

    expect((await respond(gateway, key, { preset: 'theirs' })).status).toBe(404);
  });
});
