import { sharedApplication } from '../../../support/application/shared-application.js';
import type { GenerationResponse } from '../../../../src/modules/generations/dto/generation.dto.js';
import { organizationPerTest } from '../../../support/application/shared-organization.js';
import { expectToFitContract } from '../../../support/contract/contract-answers.js';
import { auditEventsOf } from '../../../support/expectations/audit-events.js';
import { expectRefusal } from '../../../support/expectations/error-envelope.js';
import type { Answer } from '../../../support/network/api-client.js';

describe('submitGenerationFeedback', () => {
  const app = sharedApplication({ topic: 'suite' });
  const organization = organizationPerTest(app);
  let id: string;

  beforeEach(async () => {
    await app.factory.starterCatalog();
    const { plaintext: key } = await app.factory.key(organization);
    const json = { model: 'gatehouse/echo', messages: [{ role: 'user', content: 'Hello' }] };
    id = (await app.api.post<{ id: string }>('/chat/completions', { key, json })).body.id;
  });

  const submit = (json: object, key = organization.managementKey): Promise<Answer> =>
    app.api.post('/generation/feedback', { key, json: { generation_id: id, ...json } });

  const feedback = async (): Promise<unknown[]> => {
    const { managementKey: key } = organization;
    const { body } = await app.api.get<GenerationResponse>(`/generation?id=${id}`, { key });
    expectToFitContract('getGeneration', 200, body);
    return body.data.feedback.map(({ category, comment, created_at: at }) => [
      category,
      comment,
      new Date(at) > new Date(0),
    ]);
  };

  it('answers 200, and the record has it once for each category', async () => {
    expect(await feedback()).toEqual([]);

    const answer = await submit({ category: 'incorrect_response', comment: 'No such “citation”.' });
    expect([answer.status, answer.body]).toEqual([200, { data: { success: true } }]);
    expect((await submit({ category: 'latency' })).status).toBe(200);
    expect((await submit({ category: 'incorrect_response', comment: '' })).status).toBe(200);

    expect(await feedback()).toEqual([
      ['latency', null, true],
      ['incorrect_response', '', true],
    ]);
    const events = await auditEventsOf(app, id);
    expect(events[0]).toMatchObject({
      action: 'generation.submit_feedback',
      actor_id: organization.userId,
      changes: { category: { after: 'incorrect_response' } },
    });
    expect(JSON.stringify(events)).not.toContain('citation');
  });

  it('answers 200 to feedback of several people at once, and loses none', async () => {
    const categories = ['latency', 'incoherence', 'formatting', 'billing', 'api_error', 'other'];
    const answers = await Promise.all(categories.map((category) => submit({ category, comment: category })));
    expect(answers.map(({ status }) => status)).toEqual(categories.map(() => 200));
    expect(await feedback()).toEqual(categories.map((category) => [category, category, true]));
  });

  it('answers 400 for what is no feedback, and 404 for a generation that there is not', async () => {
    const refused = [{}, { category: 'rude' }, { category: 'other', comment: 'x'.repeat(1_001) }, { category: null }];
    for (const json of refused) expect([json, (await submit(json)).status]).toEqual([json, 400]);
    for (const unknown of ['gen-1795219200-00000000000000000000', 'gen-99999999999-0', 'x']) {
      expectRefusal(await submit({ category: 'other', generation_id: unknown }), {
        status: 404,
        reason: 'generation_not_found',
        userId: organization.userId,
      });
    }
    expect(await feedback()).toEqual([]);
  });

  it('answers 403 without the permission, and a member 404 for the record of someone else', async () => {
    const reader = await app.factory.key(organization, { kind: 'management_key', scopes: ['usage_read'] });
    expect((await submit({ category: 'other' }, reader.plaintext)).status).toBe(403);
    const userId = await app.factory.member(organization.organizationId);
    const member = await app.factory.key(organization, { kind: 'management_key', userId });
    expect((await submit({ category: 'other' }, member.plaintext)).status).toBe(404);
    await app.rows('UPDATE generations SET user_id = $2 WHERE id = $1', [id, userId]);
    expect((await submit({ category: 'other' }, member.plaintext)).status).toBe(200);
  });
});
