import { sharedApplication } from '../../support/application/shared-application.js';
import type { IssuedKeyResponse } from '../../../src/modules/keys/dto/key.dto.js';
import type { Answer } from '../../support/network/api-client.js';
import { auditEventsOf } from '../../support/expectations/audit-events.js';
import { sha256 } from '../../support/resources/authorization-codes.js';
import { expectToFitContract } from '../../support/contract/contract-answers.js';
import { keyRowOf, labelOf, newKey, ZERO_USAGE, statusOfCurrentKey } from '../../support/resources/keys.js';
import { malformedBodies } from '../../support/requests/malformed-bodies.js';
import { expectRefusal } from '../../support/expectations/error-envelope.js';
import { TIMESTAMP, UNKNOWN_UUID, UUID_V7 } from '../../support/expectations/formats.js';
import { sharedOrganization } from '../../support/application/shared-organization.js';

describe('createKeys', () => {
  const app = sharedApplication({ topic: 'suite' });
  const organization = sharedOrganization(app);

  const post = (json: object): Promise<Answer<IssuedKeyResponse>> =>
    app.api.post('/keys', { key: organization.managementKey, json });

  const countKeys = async (): Promise<number> => (await app.rows('SELECT id FROM api_keys')).length;

  /** Refused, and neither a key nor an event more. */
  const expectRefused = async (json: object, reason: string, ...paths: string[]): Promise<void> => {
    const stored = async (): Promise<unknown> => [
      await countKeys(),
      await app.rows('SELECT count(*) FROM audit_events'),
    ];
    const before = await stored();
    const answer = await post(json);
    expectRefusal(answer, { status: 400, reason, paths, userId: organization.userId });
    expectToFitContract('createKeys', 400, answer.body);
    expect(await stored()).toEqual(before);
  };

  it('answers 201 with a working API key of the default workspace for a name alone', async () => {
    const before = Date.now();
    const { status, body } = await post({ name: 'Production' });

    expect(status).toBe(201);
    expectToFitContract('createKeys', status, body);
    expect(body).toEqual({
      key: expect.stringMatching(/^sk-gate-v2-[0-9A-Za-z]{22}-[0-9a-f]{72}$/) as unknown,
      data: {
        hash: sha256(body.key),
        name: 'Production',
        label: labelOf(body.key),
        last_used_at: null,
        disabled: false,
        suspension_causes: [],
        allowed_addresses: null,
        limit: null,
        limit_remaining: null,
        limit_reset: null,
        include_byok_in_limit: false,
        rate_limits: null,
        ...ZERO_USAGE,
        created_at: expect.stringMatching(TIMESTAMP) as unknown,
        updated_at: null,
        expires_at: null,
        creator_user_id: organization.userId,
        workspace_id: organization.workspaceId,
        external_user: null,
      },
    });
    expect(Date.parse(body.data.created_at)).toBeGreaterThanOrEqual(before);
    const { id, ...row } = await keyRowOf(app, body.data.hash);
    expect(id).toMatch(UUID_V7);
    expect(row).toEqual({
      organization_id: organization.organizationId,
      user_id: organization.userId,
      kind: 'api_key',
      scopes: null,
      follows_owner_role: true,
      hash: Buffer.from(sha256(body.key), 'hex'),
      previous_hash: null,
      previous_hash_expires_at: null,
      name: 'Production',
      label: body.data.label,
      suspension_causes: [],
      allowed_addresses: null,
      labels: null,
      bound_user: null,
      workspace_id: organization.workspaceId,
      connect_client_id: null,
      disabled: false,
      limit_usd: null,
      limit_reset: null,
      include_byok_in_limit: false,
      requests_per_minute: null,
      tokens_per_minute: null,
      expires_at: null,
      external_user: null,
      external_api_key_hash: null,
      created_at: new Date(body.data.created_at),
      updated_at: null,
      version: 1,
    });
    const current = await app.api.get<{ data: object }>('/key', { key: body.key });
    expect(current.body.data).toMatchObject({ label: body.data.label, is_management_key: false });
  });

  it('answers 201 with every field of the request', async () => {
    const memberId = await app.factory.member(organization.organizationId);
    const workspaceId = await app.factory.workspace(organization);

    const { data } = await newKey(app, organization.managementKey, {
      name: '\u{1f511}'.repeat(256),
      creator_user_id: memberId,
      workspace_id: workspaceId.toUpperCase(),
      limit: 12.5,
      limit_reset: 'weekly',
      include_byok_in_limit: true,
      expires_at: '2099-01-01T01:00:00.123+01:00',
    });

    expect(data).toMatchObject({
      name: '\u{1f511}'.repeat(256),
      creator_user_id: memberId,
      workspace_id: workspaceId,
      limit: 12.5,
      limit_remaining: 12.5,
      limit_reset: 'weekly',
      include_byok_in_limit: true,
      expires_at: '2099-01-01T00:00:00.123Z',
    });
    const answer = await app.api.get<{ data: object }>(`/keys/${data.hash}`, { key: organization.managementKey });
    expect(answer.body.data).toEqual(data);
  });

  it('answers 201 with null for fields that are null, and 0 for a limit of 0', async () => {
    const nothing = { limit: null, limit_reset: null, expires_at: null, creator_user_id: null };

    expect((await newKey(app, organization.managementKey, nothing)).data).toMatchObject({
      ...nothing,
      creator_user_id: organization.userId,
    });
    expect((await newKey(app, organization.managementKey, { limit: 0 })).data).toMatchObject({
      limit: 0,
      limit_remaining: 0,
    });
  });

  it.each([
    [undefined, null],
    [null, null],
    [{}, null],
    [{ requests_per_minute: null, tokens_per_minute: null }, null],
    [{ requests_per_minute: 1 }, { requests_per_minute: 1, tokens_per_minute: null }],
    [{ tokens_per_minute: 1_000_000_000 }, { requests_per_minute: null, tokens_per_minute: 1_000_000_000 }],
  ])(
    'answers 201 to limits per minute of %j with %j, shows them in the list and records them',
    async (given, shown) => {
      const { data, key: made } = await newKey(app, organization.managementKey, { rate_limits: given });

      expect(data.rate_limits).toEqual(shown);
      const listed = await app.api.get<{ data: { hash: string }[] }>('/keys?limit=100', {
        key: organization.managementKey,
      });
      expect(listed.body.data.find(({ hash }) => hash === data.hash)).toEqual(data);
      const current = await app.api.get<{ data: object }>('/key', { key: made });
      expect(current.body.data).toMatchObject({ rate_limits: shown });
      const [event] = await auditEventsOf(app, data.hash);
      expect((event!.changes as Record<string, unknown>)['rate_limits']).toEqual(
        shown === null ? undefined : { after: shown },
      );
    },
  );

  it('answers 201 and records the creation without the key, with its hash only once', async () => {
    const { data, key: made } = await newKey(app, organization.managementKey, {
      name: 'Recorded',
      limit: 5,
      limit_reset: 'daily',
    });

    const events = await auditEventsOf(app, data.hash);
    expect(events).toEqual([
      {
        action: 'key.create',
        target_type: 'key',
        target_id: data.hash,
        actor_kind: 'management_key',
        actor_id: organization.userId,
        changes: {
          name: { after: 'Recorded' },
          label: { after: data.label },
          disabled: { after: false },
          creator_user_id: { after: organization.userId },
          workspace_id: { after: organization.workspaceId },
          limit: { after: 5 },
          limit_reset: { after: 'daily' },
          include_byok_in_limit: { after: false },
        },
      },
    ]);
    expect(JSON.stringify(events)).not.toContain(made.slice(-40));
    expect(app.logLines.join('')).not.toContain(made.slice(-40));
  });

  describe('answers 400 for', () => {
    it('a creator who is not a member and a workspace of another organization, both at once', async () => {
      const other = await app.factory.organization();

      await expectRefused({ name: 'x', creator_user_id: 'user_nobody' }, 'user_not_found', 'creator_user_id');
      await expectRefused({ name: 'x', creator_user_id: other.userId }, 'user_not_found', 'creator_user_id');
      await expectRefused({ name: 'x', workspace_id: UNKNOWN_UUID }, 'workspace_not_found', 'workspace_id');
      await expectRefused({ name: 'x', workspace_id: other.workspaceId }, 'workspace_not_found', 'workspace_id');
      await expectRefused(
        { name: 'x', workspace_id: other.workspaceId, creator_user_id: other.userId },
        'invalid_parameters',
        'creator_user_id',
        'workspace_id',
      );
    });

    it('a missing workspace_id once the default workspace is deleted', async () => {
      const bereft = await app.factory.organization();
      await app.rows('DELETE FROM workspaces WHERE id = $1', [bereft.workspaceId]);

      const answer = await app.api.post('/keys', { key: bereft.managementKey, json: { name: 'x' } });

      const refusal = { status: 400, reason: 'default_workspace_deleted', paths: ['workspace_id'] };
      expectRefusal(answer, { ...refusal, userId: bereft.userId });
    });

    it.each([
      ['no name', { name: undefined }, 'name'],
      ['an empty name', { name: '' }, 'name'],
      ['a name of 257 characters', { name: 'x'.repeat(257) }, 'name'],
      ['a name of null', { name: null }, 'name'],
      ['a name with NUL', { name: 'a\u0000' }, 'name'],
      ['a negative limit', { limit: -0.01 }, 'limit'],
      ['a limit of text', { limit: '5' }, 'limit'],
      ['another reset', { limit_reset: 'yearly' }, 'limit_reset'],
      ['limits per minute of text', { rate_limits: '5' }, 'rate_limits'],
      ['a list of limits per minute', { rate_limits: [] }, 'rate_limits'],
      ['no request per minute', { rate_limits: { requests_per_minute: 0 } }, 'rate_limits.requests_per_minute'],
      ['half a token', { rate_limits: { tokens_per_minute: 0.5 } }, 'rate_limits.tokens_per_minute'],
      ['more tokens than may be', { rate_limits: { tokens_per_minute: 1e9 + 1 } }, 'rate_limits.tokens_per_minute'],
      ['another limit', { rate_limits: { requests_per_day: 5 } }, 'rate_limits.requests_per_day'],
      ['an empty creator', { creator_user_id: '' }, 'creator_user_id'],
      ['a switch of null', { include_byok_in_limit: null }, 'include_byok_in_limit'],
      ['an expiry in the past', { expires_at: '2020-01-01T00:00:00Z' }, 'expires_at'],
      ['an expiry that is after the year 9999 in UTC', { expires_at: '9999-12-31T23:59:59-23:59' }, 'expires_at'],
      ['an expiry that is no time', { expires_at: 'tomorrow' }, 'expires_at'],
      ['a workspace of null', { workspace_id: null }, 'workspace_id'],
      ['a workspace by its slug', { workspace_id: 'default' }, 'workspace_id'],
      ['a kind', { kind: 'management_key' }, 'kind'],
      ['a hash', { hash: 'a'.repeat(64) }, 'hash'],
      ['disabled', { disabled: true }, 'disabled'],
    ])('%s', async (_, fields, path) => {
      await expectRefused({ name: 'x', ...fields }, 'invalid_parameters', path);
    });

    it('several faulty fields, with every issue at once', async () => {
      const json = { name: '', limit: -1, expires_at: 'yesterday', workspace_id: 1, surprise: 1 };

      await expectRefused(json, 'invalid_parameters', 'name', 'limit', 'expires_at', 'workspace_id', 'surprise');
    });

    it.each(malformedBodies({ name: 'x' }))('%s, or 413 or 415', async (_, request, refusal) => {
      expectRefusal(await app.api.post('/keys', { key: organization.managementKey, ...request }), {
        ...refusal,
        userId: organization.userId,
      });
    });
  });

  it('answers 201 to many requests at the same time, each with another key', async () => {
    const made = await Promise.all(Array.from({ length: 20 }, () => newKey(app, organization.managementKey)));

    expect(new Set(made.map(({ data }) => data.hash)).size).toBe(20);
    expect(new Set(await Promise.all(made.map(({ key: plaintext }) => statusOfCurrentKey(app, plaintext))))).toEqual(
      new Set([200]),
    );
  });
});
