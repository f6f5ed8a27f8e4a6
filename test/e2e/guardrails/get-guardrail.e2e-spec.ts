import { defaultGuardrailIdOf } from '../../../src/database/identifiers.js';
import type { GetGuardrailResponse } from '../../../src/modules/guardrails/dto/guardrail.dto.js';
import type { NewOrganization } from '../../../src/modules/installation/installation.service.js';
import type { Answer } from '../../support/api-client.js';
import { expectToFitContract } from '../../support/contract.js';
import { expectRefusal } from '../../support/refusal.js';
import { TestApplication } from '../../support/test-application.js';
import { TIMESTAMP, UNKNOWN_UUID } from '../../support/wire-forms.js';
import { describeWhoMayCall } from '../../support/who-may-call.js';

describe('GET /guardrails/{id}', () => {
  let app: TestApplication;
  let organization: NewOrganization;

  beforeAll(async () => {
    app = await TestApplication.start();
    await app.factory.starterCatalog();
    organization = await app.factory.organization();
  });

  afterAll(() => app.stop());

  const get = (id: string, { managementKey: key } = organization): Promise<Answer<GetGuardrailResponse>> =>
    app.api.get(`/guardrails/${id}`, { key, headers: { 'x-request-id': 'the-same' } });

  const expectNotFound = (answer: Answer): void => {
    expectRefusal(answer, { status: 404, reason: 'guardrail_not_found', userId: organization.userId });
    expectToFitContract('getGuardrail', 404, answer.body);
  };

  it('answers what creating it answered', async () => {
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

  it('takes an id in capitals', async () => {
    const made = await app.factory.guardrail(organization);

    expect((await get(made.id.toUpperCase())).body.data).toEqual(made);
  });

  it('answers a legacy guardrail of no workspace', async () => {
    const { id } = await app.factory.guardrail(organization);
    await app.rows('UPDATE guardrails SET workspace_id = NULL WHERE id = $1', [id]);

    expect((await get(id)).body.data).toMatchObject({ id, workspace_id: null });
  });

  describe('the default guardrail of a workspace', () => {
    it('is there from the start, restricts nothing, and is not stored', async () => {
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

    it('is the same at every look, in capitals too', async () => {
      const id = defaultGuardrailIdOf(organization.workspaceId);

      expect((await get(id)).text).toBe((await get(id)).text);
      expect((await get(id.toUpperCase())).text).toBe((await get(id)).text);
    });

    it('is gone with its workspace', async () => {
      const workspaceId = await app.factory.workspace(organization);
      await app.rows('DELETE FROM workspaces WHERE id = $1', [workspaceId]);

      expectNotFound(await get(defaultGuardrailIdOf(workspaceId)));
    });
  });

  it("answers another organization's guardrails with the bytes of none", async () => {
    const other = await app.factory.organization();
    const theirs = await app.factory.guardrail(other);
    const missing = await get(UNKNOWN_UUID);

    expectNotFound(missing);
    expect((await get(theirs.id)).text).toBe(missing.text);
    expect((await get(defaultGuardrailIdOf(other.workspaceId))).text).toBe(missing.text);
  });

  it.each(['default', 'null', '0', `${UNKNOWN_UUID}0`, `urn:uuid:${UNKNOWN_UUID}`, '%7B%7D'])(
    'knows no guardrail of the id %s',
    async (id) => {
      expectNotFound(await get(id));
    },
  );

  it('takes no query', async () => {
    const { id } = await app.factory.guardrail(organization);
    const answer = await app.api.get(`/guardrails/${id}?expand=1`, { key: organization.managementKey });

    expectRefusal(answer, {
      status: 400,
      reason: 'invalid_parameters',
      paths: ['expand'],
      userId: organization.userId,
    });
  });

  describeWhoMayCall(['management_key'], async () => ({
    app,
    organization,
    operationId: 'getGuardrail',
    method: 'GET',
    path: `/guardrails/${(await app.factory.guardrail(organization)).id}`,
  }));
});
