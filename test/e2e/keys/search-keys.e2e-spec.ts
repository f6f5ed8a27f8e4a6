import type { ListKeysResponse } from '../../../src/modules/keys/dto/key.dto.js';
import { expectToFitContract } from '../../support/contract/contract-answers.js';
import { organizationPerTest } from '../../support/application/shared-organization.js';
import { sharedGateway } from '../inference/shared-gateway.js';
import { dayBefore, keepRecordsBefore, recordUsed, REFUSED, rollUpUsage } from '../usage/used-generations.js';

const DAY_MS = 86_400_000;

describe('list (GET /keys)', () => {
  const gateway = sharedGateway();
  const organization = organizationPerTest(gateway);

  const list = async (query = ''): Promise<ListKeysResponse['data']> => {
    const { status, body } = await gateway.app.api.get<ListKeysResponse>(`/keys${query}`, {
      key: organization.managementKey,
    });
    expect(status).toBe(200);
    expectToFitContract('list', 200, body);
    return body.data;
  };

  const names = async (query: string): Promise<string[]> => (await list(query)).map(({ name }) => name);

  it('answers 200 with the keys that have a text in their name or label, or a hash that begins with it', async () => {
    const { factory } = gateway.app;
    const key = await factory.key(organization, { name: 'Billing 100%' });
    await factory.key(organization, { name: 'Search_Index' });
    const { label } = (await list())[0]!;

    expect(await names('?search=BILL')).toEqual(['Billing 100%']);
    expect(await names('?search=%25')).toEqual(['Billing 100%']);
    expect(await names('?search=_')).toEqual(['Search_Index']);
    expect(await names(`?search=${encodeURIComponent(label)}`)).toEqual(['Billing 100%']);
    expect(await names(`?search=${key.hash.slice(0, 12).toUpperCase()}`)).toEqual(['Billing 100%']);
    expect(await names(`?search=${key.hash.slice(1, 13)}`)).toEqual([]);
    expect(await names('?search=key')).toEqual([]);
    expect(await names(`?search=${encodeURIComponent("' OR true --")}`)).toEqual([]);
  });

  it('answers 200 with the keys of a member, of a status and of a workspace, page by page', async () => {
    const { factory } = gateway.app;
    const userId = await factory.member(organization.organizationId);
    const workspaceId = await factory.workspace(organization);
    const past = new Date(Date.now() - 1000);
    await factory.key(organization, { name: 'plain' });
    await factory.key(organization, { name: 'disabled', disabled: true });
    await factory.key(organization, { name: 'expired', expiresAt: past });
    await factory.key(organization, { name: 'both', disabled: true, expiresAt: past });
    await factory.key(organization, { name: 'suspended', suspensionCauses: ['workspace_membership'] });
    await factory.key(organization, { name: 'member', userId, workspaceId });
    await factory.key(organization, { kind: 'management_key', name: 'management' });

    expect(await names('?status=active')).toEqual(['plain', 'member']);
    expect(await names('?status=disabled')).toEqual(['disabled', 'both']);
    expect(await names('?status=expired')).toEqual(['expired', 'both']);
    expect(await names('?status=suspended')).toEqual(['suspended']);
    expect(await names(`?user_id=${userId}`)).toEqual(['member']);
    expect(await names(`?user_id=${organization.userId}`)).toEqual(['plain', 'expired', 'suspended']);
    expect(await names(`?user_id=${organization.userId}&include_disabled=true&offset=1&limit=2`)).toEqual([
      'disabled',
      'expired',
    ]);
    expect(await names(`?status=active&workspace_id=${workspaceId}`)).toEqual(['member']);
    expect(await names(`?status=active&workspace_id=${organization.workspaceId}`)).toEqual(['plain']);
    expect(await names('?user_id=user_nobody')).toEqual([]);
  });

  it('answers 200 with the keys that have used a share of their limit, in the window of the limit and as it counts own provider keys', async () => {
    const { factory, api } = gateway.app;
    const limited = async (name: string, json: object, generation: object): Promise<void> => {
      const key = await factory.key(organization, { name });
      const path = `/keys/${key.hash}`;
      expect((await api.patch(path, { key: organization.managementKey, json })).status).toBe(200);
      await recordUsed(gateway.app, organization, key, [generation]);
    };
    await keepRecordsBefore(gateway.app, 40);
    await limited('met', { limit: 1 }, { costUsd: '1' });
    await limited('near', { limit: 1, limit_reset: 'daily' }, { costUsd: '0.8' });
    await limited('far', { limit: 1 }, { costUsd: '0.79' });
    await limited('ended', { limit: 1, limit_reset: 'monthly' }, { costUsd: '1', createdAt: dayBefore(40) });
    await limited('own', { limit: 1 }, { costUsd: '1', isByok: true });
    await limited('own counted', { limit: 1, include_byok_in_limit: true }, { costUsd: '1', isByok: true });
    await factory.key(organization, { name: 'unlimited' });

    expect(await names('?limit_used=0.8')).toEqual(['met', 'near', 'own counted']);
    expect(await names('?limit_used=1')).toEqual(['met', 'own counted']);
    expect(await names('?limit_used=0.8&search=near')).toEqual(['near']);
  });

  it.each(['-0.1', '1.1', 'much', ''])('answers 400 for a share that is none: %p', async (share) => {
    const answer = await gateway.app.api.get(`/keys?limit_used=${share}`, { key: organization.managementKey });
    expect(answer.status).toBe(400);
  });

  it('answers 200 with when each key was last used, from additions, and totals of minutes, hours and days', async () => {
    const { factory } = gateway.app;
    const [fresh, old, resting] = [
      await factory.key(organization, { name: 'fresh' }),
      await factory.key(organization, { name: 'old' }),
      await factory.key(organization, { name: 'resting' }),
    ];
    await factory.key(organization, { name: 'never' });
    for (const days of [0, 1, 40, 200]) await keepRecordsBefore(gateway.app, days);
    const today = Math.floor(Date.now() / DAY_MS) * DAY_MS;
    await recordUsed(gateway.app, organization, resting, [{ createdAt: dayBefore(200, 3_700_000) }]);
    await recordUsed(gateway.app, organization, old, [{ createdAt: dayBefore(40, 3_700_000) }]);
    await recordUsed(gateway.app, organization, fresh, [{ ...REFUSED, createdAt: dayBefore(1, 61_000) }]);
    await rollUpUsage(gateway.app);
    const lastUses = async (): Promise<Record<string, string | null>> =>
      Object.fromEntries((await list()).map(({ name, last_used_at: at }) => [name, at]));
    const expected = {
      fresh: dayBefore(1, 60_000).toISOString(),
      old: dayBefore(40, 3_600_000).toISOString(),
      resting: dayBefore(200).toISOString(),
      never: null,
    };
    expect(await lastUses()).toEqual(expected);

    await recordUsed(gateway.app, organization, fresh, [{}, {}]);
    const [single] = await list('?search=fresh');
    expect(Date.parse(single!.last_used_at!)).toBeGreaterThanOrEqual(today);
  });

  it('answers 200 in the order that is asked for, page by page, also of those that match', async () => {
    const { organizationId, userId } = organization;
    await gateway.app.rows(
      `INSERT INTO api_keys (id, organization_id, user_id, kind, hash, name, label, created_at)
       SELECT gen_random_uuid(), $1, $2, 'api_key', sha256(convert_to($1 || n, 'UTF8')), 'n' || n, '', now() + n * interval '1 s'
       FROM generate_series(1, 4) AS n`,
      [organizationId, userId],
    );
    const ordered = async (query: string): Promise<string[]> => {
      const { status, body } = await gateway.app.api.get<{ data: { name: string }[] }>(`/keys${query}`, {
        key: organization.managementKey,
      });
      expect(status).toBe(200);
      return body.data.map(({ name }) => name);
    };
    expect(await ordered('?sort=-created_at')).toEqual(['n4', 'n3', 'n2', 'n1']);
    expect(await ordered('?newest_first=true')).toEqual(['n4', 'n3', 'n2', 'n1']);
    expect(await ordered('?newest_first=true&sort=created_at')).toEqual(['n1', 'n2', 'n3', 'n4']);
    expect(await ordered('?sort=-created_at&limit=2&offset=1')).toEqual(['n3', 'n2']);
    expect(await ordered('?sort=-created_at&search=n2')).toEqual(['n2']);
    expect(await ordered('')).toEqual(['n1', 'n2', 'n3', 'n4']);

    await gateway.app.rows(
      `UPDATE api_keys SET expires_at = CASE name WHEN 'n3' THEN now() + interval '1 h' WHEN 'n1' THEN now() + interval '2 h' END
       WHERE organization_id = $1 AND kind = 'api_key'`,
      [organizationId],
    );
    await gateway.app.rows(
      `INSERT INTO key_spend (organization_id, key_id, day, amount_usd, byok_amount_usd)
       SELECT organization_id, id, current_date, CASE name WHEN 'n2' THEN 5 ELSE 3 END, 0 FROM api_keys
       WHERE organization_id = $1 AND name IN ('n2', 'n4')`,
      [organizationId],
    );
    // Those that do not expire are in the order of their ids, which are random here.
    expect((await ordered('?sort=expires_at')).slice(0, 2)).toEqual(['n3', 'n1']);
    expect((await ordered('?sort=-spent')).slice(0, 2)).toEqual(['n2', 'n4']);
  });
});
