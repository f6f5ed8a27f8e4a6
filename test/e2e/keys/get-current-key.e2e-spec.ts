import { sharedApplication } from '../../support/application/shared-application.js';
import { PERMISSIONS } from '../../../src/auth/permissions.js';
import { DATA_REGIONS, type DataRegion } from '../../../src/config/data-region.js';
import { defaultGuardrailIdOf } from '../../../src/persistence/identifiers.js';
import type { EffectiveGuardrailsResponse } from '../../../src/modules/guardrails/effective-policy/effective-guardrails.dto.js';
import type { NewOrganization } from '../../../src/modules/installation/installation.service.js';
import type { CurrentKeyResponse } from '../../../src/modules/keys/dto/key.dto.js';
import type { IssuedCredential } from '../../../src/modules/keys/keys.service.js';
import { expectToFitContract } from '../../support/contract/contract-answers.js';
import { TIMESTAMP } from '../../support/expectations/formats.js';
import { newKey, ZERO_USAGE } from '../../support/resources/keys.js';
import { expectRefusal } from '../../support/expectations/error-envelope.js';
import { sharedOrganization } from '../../support/application/shared-organization.js';

const UNRESTRICTED = {
  allowed_data_regions: ['global', 'europe', 'us'],
  free_model_daily_requests: { limit: 0, used: 0, remaining: 0 },
};

/** The limit of a key without an interval. */
const KEY_BUDGET = {
  scope: 'key_limit',
  budget_id: null,
  guardrail_id: null,
  reset_interval: null,
  resets_at: null,
  include_byok: false,
  spend_usd: 0,
};

const KEY_LIMIT = {
  ...KEY_BUDGET,
  reset_interval: 'weekly',
  resets_at: expect.stringMatching(TIMESTAMP) as unknown,
  include_byok: true,
  limit_usd: 7,
  remaining_usd: 7,
};

const NO_BUDGETS = { budgets: [], effective_budget: null };

const RATE_LIMIT = { requests: -1, interval: '10s', note: 'This field is deprecated and safe to ignore.' };

describe('getCurrentKey', () => {
  const app = sharedApplication({ topic: 'suite' });
  const organization = sharedOrganization(app);

  const current = async (key: string): Promise<unknown> => {
    const answer = await app.api.get<CurrentKeyResponse>('/key', { key });
    expect(answer.status).toBe(200);
    expectToFitContract('getCurrentKey', 200, answer.body);
    expect(Object.keys(answer.body)).toEqual(['data']);
    return answer.body.data;
  };

  it('answers 200 with the API key of the request', async () => {
    const memberId = await app.factory.member(organization.organizationId);
    const { data, key } = await newKey(app, organization.managementKey, {
      creator_user_id: memberId,
      limit: 7,
      limit_reset: 'weekly',
      include_byok_in_limit: true,
      rate_limits: { tokens_per_minute: 9 },
      expires_at: '2099-01-01T00:00:00Z',
    });

    expect(await current(key)).toEqual({
      label: data.label,
      limit: 7,
      limit_remaining: 7,
      limit_reset: 'weekly',
      include_byok_in_limit: true,
      rate_limits: { requests_per_minute: null, tokens_per_minute: 9 },
      ...ZERO_USAGE,
      is_free_tier: false,
      permissions: null,
      is_management_key: false,
      is_provisioning_key: false,
      expires_at: '2099-01-01T00:00:00.000Z',
      creator_user_id: memberId,
      rate_limit: RATE_LIMIT,
      organization_id: organization.organizationId,
      workspace_id: organization.workspaceId,
      ...UNRESTRICTED,
      budgets: [KEY_LIMIT],
      effective_budget: KEY_LIMIT,
    });
  });

  it('answers 200 with the management key of the request', async () => {
    expect(await current(organization.managementKey)).toEqual({
      label: expect.stringMatching(/^mk-gate-v2-[0-9a-f]{3}\.\.\.[0-9a-f]{3}$/) as unknown,
      limit: null,
      limit_remaining: null,
      limit_reset: null,
      include_byok_in_limit: false,
      rate_limits: null,
      ...ZERO_USAGE,
      is_free_tier: false,
      permissions: PERMISSIONS,
      is_management_key: true,
      is_provisioning_key: true,
      expires_at: null,
      creator_user_id: organization.userId,
      rate_limit: RATE_LIMIT,
      organization_id: organization.organizationId,
      workspace_id: organization.workspaceId,
      ...UNRESTRICTED,
      ...NO_BUDGETS,
    });
  });

  it('answers 200 with every budget that applies, the broadest first, and with the one of which the least is left', async () => {
    const own = await app.factory.organization();
    const userId = await app.factory.member(own.organizationId);
    const { key, data } = await newKey(app, own.managementKey, { creator_user_id: userId, limit: 5 });
    expect(await current(key)).toMatchObject({ budgets: [{ ...KEY_BUDGET, limit_usd: 5, remaining_usd: 5 }] });

    const managed = async (method: 'PATCH' | 'POST' | 'PUT', path: string, json: object): Promise<void> => {
      expect((await app.api.send(method, path, { key: own.managementKey, json })).status).toBe(200);
    };
    const workspace = `/workspaces/${own.workspaceId}/budgets`;
    await managed('PUT', `${workspace}/daily`, { limit_usd: 40 });
    await managed('PUT', `${workspace}/lifetime`, { limit_usd: 90 });
    const defaultId = defaultGuardrailIdOf(own.workspaceId);
    await managed('PATCH', `/guardrails/${defaultId}`, { limit_usd: 3, reset_interval: 'daily' });
    const ofMember = await app.factory.guardrail(own, { limit_usd: 20, reset_interval: 'monthly' });
    await managed('POST', `/guardrails/${ofMember.id}/assignments/members`, { member_user_ids: [userId] });
    const ofKey = await app.factory.guardrail(own, { limit_usd: 4, reset_interval: 'weekly' });
    await managed('POST', `/guardrails/${ofKey.id}/assignments/keys`, { key_hashes: [data.hash] });
    await app.rows(
      `INSERT INTO spend_windows (organization_id, subject, subject_id, "interval", first_day, amount_usd, byok_amount_usd)
        VALUES ($1, 'member', $2, 'monthly', date_trunc('month', now() AT TIME ZONE 'UTC')::date, 21.5, 7)`,
      [own.organizationId, userId],
    );

    const shown = (await current(key)) as Pick<CurrentKeyResponse['data'], 'budgets' | 'effective_budget'>;
    const now = new Date();
    const [year, month, day] = [now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()];
    const tomorrow = new Date(Date.UTC(year, month, day + 1)).toISOString();
    const monday = new Date(Date.UTC(year, month, day + 7 - ((now.getUTCDay() + 6) % 7))).toISOString();
    const nextMonth = new Date(Date.UTC(year, month + 1, 1)).toISOString();
    const id = expect.any(String) as unknown;
    const left = (usd: number): object => ({ limit_usd: usd, remaining_usd: usd });
    const [lifetime, daily] = [null, 'daily'].map((interval) => ({
      ...KEY_BUDGET,
      scope: 'workspace',
      budget_id: id,
      reset_interval: interval,
    }));
    const member = {
      ...KEY_BUDGET,
      scope: 'member',
      guardrail_id: ofMember.id,
      reset_interval: 'monthly',
      resets_at: nextMonth,
      limit_usd: 20,
      spend_usd: 21.5,
      remaining_usd: -1.5,
    };
    expect(shown.budgets).toEqual([
      { ...lifetime, ...left(90) },
      { ...daily, ...left(40), resets_at: tomorrow },
      { ...KEY_BUDGET, ...left(5) },
      member,
      {
        ...KEY_BUDGET,
        ...left(4),
        scope: 'api_key',
        guardrail_id: ofKey.id,
        reset_interval: 'weekly',
        resets_at: monday,
      },
      {
        ...KEY_BUDGET,
        ...left(3),
        scope: 'workspace_default_key',
        guardrail_id: defaultId,
        reset_interval: 'daily',
        resets_at: tomorrow,
      },
    ]);
    expect(shown.effective_budget).toEqual(member);
  });

  it('answers 200 with the workspace of the key, and null for a management key once the default workspace is deleted', async () => {
    const other = await app.factory.organization();
    const workspaceId = await app.factory.workspace(other);
    const { key } = await newKey(app, other.managementKey, { workspace_id: workspaceId });
    await app.rows('DELETE FROM workspaces WHERE id = $1', [other.workspaceId]);

    const organizationId = other.organizationId;
    expect(await current(key)).toMatchObject({ organization_id: organizationId, workspace_id: workspaceId });
    expect(await current(other.managementKey)).toMatchObject({
      organization_id: organizationId,
      workspace_id: null,
      ...UNRESTRICTED,
    });
  });

  describe('allowed_data_regions', () => {
    interface Fixture {
      readonly own: NewOrganization;
      readonly memberId: string;
      readonly key: IssuedCredential;
      /** Restricts the default guardrail of the workspace, the owner and the key; null leaves one alone. */
      readonly restrict: (lists: Partial<Record<'workspace' | 'member' | 'key', DataRegion[]>>) => Promise<void>;
      readonly regions: (as?: string) => Promise<unknown>;
    }

    /** An organization of its own, with a key in a workspace, or in the default one. */
    const fixture = async (inDefaultWorkspace: boolean): Promise<Fixture> => {
      const own = await app.factory.organization();
      const memberId = await app.factory.member(own.organizationId);
      const workspaceId = inDefaultWorkspace ? own.workspaceId : await app.factory.workspace(own);
      const key = await app.factory.key(own, { userId: memberId, ...(!inDefaultWorkspace && { workspaceId }) });
      const send = async (method: 'PATCH' | 'POST', path: string, json: object): Promise<void> => {
        expect((await app.api.send(method, path, { key: own.managementKey, json })).status).toBe(200);
      };
      return {
        own,
        memberId,
        key,
        restrict: async (lists) => {
          if (lists.workspace) {
            const path = `/guardrails/${defaultGuardrailIdOf(workspaceId)}`;
            await send('PATCH', path, { allowed_data_regions: lists.workspace });
          }
          if (lists.member) {
            const { id } = await app.factory.guardrail(own, {
              workspace_id: workspaceId,
              allowed_data_regions: lists.member,
            });
            await send('POST', `/guardrails/${id}/assignments/members`, { member_user_ids: [memberId] });
          }
          if (lists.key) {
            const { id } = await app.factory.guardrail(own, { allowed_data_regions: lists.key });
            await send('POST', `/guardrails/${id}/assignments/keys`, { key_hashes: [key.hash] });
          }
        },
        regions: async (as = key.plaintext) => {
          const { allowed_data_regions: regions } = (await current(as)) as { allowed_data_regions: unknown };
          const answer = await app.api.get<EffectiveGuardrailsResponse>(`/guardrails/effective?key_hash=${key.hash}`, {
            key: own.managementKey,
          });
          const { value } = answer.body.data.allowed_data_regions;
          if (as === key.plaintext) expect(new Set(regions as string[])).toEqual(new Set(value ?? DATA_REGIONS));
          return regions;
        },
      };
    };

    it.each([true, false])(
      'are those that all guardrails of workspace, owner and key allow (200; key of the default workspace: %s)',
      async (inDefaultWorkspace) => {
        const { restrict, regions } = await fixture(inDefaultWorkspace);
        expect(await regions()).toEqual(['global', 'europe', 'us']);

        await restrict({ workspace: ['us', 'global'] });
        expect(await regions()).toEqual(['global', 'us']);
        await restrict({ member: ['us', 'europe'] });
        expect(await regions()).toEqual(['us']);
        await restrict({ key: ['us'] });
        expect(await regions()).toEqual(['us']);
        await restrict({ key: ['global'] });
        expect(await regions()).toEqual([]);
      },
    );

    it('of a management key are those of its owner and of the default workspace (200)', async () => {
      const { own, memberId, restrict, regions } = await fixture(true);
      const managementKey = await app.factory.key(own, { kind: 'management_key', userId: memberId });
      await restrict({ workspace: ['us', 'europe'], member: ['europe'], key: ['us'] });

      expect(await regions(managementKey.plaintext)).toEqual(['europe']);
      expect(await regions(own.managementKey)).toEqual(['europe', 'us']);
    });

    it('are not restricted (200) by guardrails without regions, nor by guardrails of others', async () => {
      const { own, key, restrict, regions } = await fixture(false);
      const other = await fixture(false);
      await other.restrict({ workspace: ['us'], member: ['us'], key: ['us'] });
      const { id } = await app.factory.guardrail(own, { enforce_zdr_other: true });
      const json = { key_hashes: [key.hash] };
      await app.api.post(`/guardrails/${id}/assignments/keys`, { key: own.managementKey, json });
      expect(await regions()).toEqual(['global', 'europe', 'us']);

      await restrict({ key: ['europe'] });
      expect(await regions()).toEqual(['europe']);
    });
  });

  it('answers 400 for a query', async () => {
    const answer = await app.api.get('/key?hash=x', { key: organization.managementKey });

    const refusal = { status: 400, reason: 'invalid_parameters', paths: ['hash'] };
    expectRefusal(answer, { ...refusal, userId: organization.userId });
  });
});
