import { sharedApplication } from '../../support/application/shared-application.js';
import { defaultGuardrailIdOf } from '../../../src/persistence/identifiers.js';
import type { GetGuardrailResponse } from '../../../src/modules/guardrails/dto/guardrail.dto.js';
import type { Answer } from '../../support/network/api-client.js';
import { expectToFitContract } from '../../support/contract/contract-answers.js';
import { expectRefusal } from '../../support/expectations/error-envelope.js';
import { TIMESTAMP, UNKNOWN_UUID } from '../../support/expectations/formats.js';
import { sharedOrganization } from '../../support/application/shared-organization.js';

describe('getGuardrail', () => {
  const app = sharedApplication({ topic: 'suite' });
  const organization = sharedOrganization(app);

  beforeAll(() => app.factory.starterCatalog());

  const get = (id: string, { managementKey: key } = organization): Promise<Answer<GetGuardrailResponse>> =>
    app.api.get(`/guardrails/${id}`, { key, headers: { 'x-request-id': 'the-same' } });

  const expectNotFound = (answer: Answer): void => {
    expectRefusal(answer, { status: 404, reason: 'guardrail_not_found', userId: organization.userId });
    expectToFitContract('getGuardrail', 404, answer.body);
  };

  it('answers 200 with the body that creating it answered', async () => {
    const made = await app.factory.guardrail(organization, {
      description: 'All that there is',
      limit_usd: 12.34,
      reset_interval: 'weekly',
      allowed_models: ['openai/gpt-oss-120b:free'],
      ignored_providers: ['groq'],
      enforce_zdr: true,
      enforce_zdr_vendor_b: null,
      content_filter_builtins: [{ slug: 'email', action: 'block' }],
      content_filters: [{ pattern: 'a', action: 'flag' }],
    });

    const answer = await get(made.id);

    expect(answer.status).toBe(200);
    expectToFitContract('getGuardrail', 200, answer.body);
    expect(answer.body).toEqual({ data: made });
  });

  it('answers 200 for an id in capitals', async () => {
    const made = await app.factory.guardrail(organization);

    expect((await get(made.id.toUpperCase())).body.data).toEqual(made);
  });

  it('answers 200 for a guardrail of an earlier release without a workspace', async () => {
    const { id } = await app.factory.guardrail(organization);
    await app.rows('UPDATE guardrails SET workspace_id = NULL WHERE id = $1', [id]);

    expect((await get(id)).body.data).toMatchObject({ id, workspace_id: null });
  });

  describe('for the default guardrail of a workspace', () => {
    it('answers 200 from the start, without restrictions, although no row is stored', async () => {
      const workspaceId = await app.factory.workspace(organization);
      const id = defaultGuardrailIdOf(workspaceId);

      const answer = await get(id);

      expect(answer.status).toBe(200);
      expectToFitContract('getGuardrail', 200, answer.body);
      const { created_at: createdAt, ...rest } = answer.body.data;
      expect(createdAt).toMatch(TIMESTAMP);
      expect(rest).toMatchObject({
        id,
        name: `Workspace ${workspaceId} Default`,
        workspace_id: workspaceId,
        include_byok_in_budgets: false,
        updated_at: null,
      });
      const set = Object.entries(rest).filter(([, value]) => value !== null && value !== false);
      expect(set.map(([field]) => field).sort()).toEqual(['id', 'name', 'workspace_id']);
      expect(await app.rows('SELECT id FROM guardrails WHERE id = $1', [id])).toEqual([]);
    });

    it('answers 200 with the same body each time, for capitals too', async () => {
      const id = defaultGuardrailIdOf(organization.workspaceId);

      expect((await get(id)).text).toBe((await get(id)).text);
      expect((await get(id.toUpperCase())).text).toBe((await get(id)).text);
    });

    it('answers 404 once its workspace is deleted', async () => {
      const workspaceId = await app.factory.workspace(organization);
      await app.rows('DELETE FROM workspaces WHERE id = $1', [workspaceId]);

      expectNotFound(await get(defaultGuardrailIdOf(workspaceId)));
    });
  });

  it("answers 404 with the same body for another organization's guardrails and for missing ones", async () => {
    const other = await app.factory.organization();
    const theirs = await app.factory.guardrail(other);
    const missing = await get(UNKNOWN_UUID);

    expectNotFound(missing);
    expect((await get(theirs.id)).text).toBe(missing.text);
    expect((await get(defaultGuardrailIdOf(other.workspaceId))).text).toBe(missing.text);
  });

  it.each(['default', 'null', '0', `${UNKNOWN_UUID}0`, `urn:uuid:${UNKNOWN_UUID}`, '%7B%7D'])(
    'answers 404 for a guardrail with the id %s',
    async (id) => {
      expectNotFound(await get(id));
    },
  );

  it('answers 400 for a query', async () => {
    const { id } = await app.factory.guardrail(organization);
    const answer = await app.api.get(`/guardrails/${id}?expand=1`, { key: organization.managementKey });

    expectRefusal(answer, {
      status: 400,
      reason: 'invalid_parameters',
      paths: ['expand'],
      userId: organization.userId,
    });
  });
});
