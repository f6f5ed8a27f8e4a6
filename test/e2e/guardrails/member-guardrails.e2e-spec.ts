import pg from 'pg';
import type { EffectiveGuardrailsResponse } from '../../../src/modules/guardrails/effective-policy/effective-guardrails.dto.js';
import { OLDER_APPLICATION_NAME } from '../../../src/persistence/connection-options.js';
import { newUuid } from '../../../src/persistence/identifiers.js';
import { MemberGuardrails1798864700000 } from '../../../src/persistence/migrations/1798864700000-member-guardrails.js';
import { filledBefore } from '../../support/application/filled-before.js';
import { sharedApplication } from '../../support/application/shared-application.js';
import { memberPerTest, organizationPerTest, workspacePerTest } from '../../support/application/shared-organization.js';
import { inOwnerTransaction } from '../../support/database/privileged-connections.js';
import type { Answer, ErrorBody } from '../../support/network/api-client.js';

const ECHO = 'gatehouse/echo';

interface ListedAssignment {
  readonly user_id: string;
  readonly guardrail_id: string;
  readonly applies_everywhere?: true;
}

describe('the guardrails of a member', () => {
  const app = sharedApplication();
  const organization = organizationPerTest(app);
  const member = memberPerTest(app, organization);
  const workspace = workspacePerTest(app, organization);
  /** A key of the member in the default workspace, and one in the other. */
  const here = filledBefore(beforeEach, () => app.factory.key(organization, { userId: member.id }));
  const there = filledBefore(beforeEach, () =>
    app.factory.key(organization, { userId: member.id, workspaceId: workspace.id }),
  );

  beforeAll(() => app.factory.starterCatalog());

  const send = <Body>(path: string, json?: object): Promise<Answer<Body>> =>
    app.api.send(json === undefined ? 'GET' : 'POST', path, {
      key: organization.managementKey,
      ...(json && { json }),
    });

  const assign = (id: string, userId = member.id): Promise<Answer<{ assigned_count: number } & ErrorBody>> =>
    send(`/guardrails/${id}/assignments/members`, { member_user_ids: [userId] });

  const remove = (id: string): Promise<Answer<{ unassigned_count: number }>> =>
    send(`/guardrails/${id}/assignments/members/remove`, { member_user_ids: [member.id] });

  const guardrail = async (fields: object = {}): Promise<string> =>
    (await app.factory.guardrail(organization, fields)).id;

  const inWorkspace = (fields: object = {}): Promise<string> => guardrail({ workspace_id: workspace.id, ...fields });

  /** One of no workspace, as guardrails from before workspaces are. */
  const ofNone = async (): Promise<string> => {
    const id = await guardrail();
    await app.rows('UPDATE guardrails SET workspace_id = NULL WHERE id = $1', [id]);
    return id;
  };

  /** The member's guardrails that apply to a key. */
  const applying = async ({ hash }: { readonly hash: string }): Promise<string[]> => {
    const { body } = await send<EffectiveGuardrailsResponse>(`/guardrails/effective?key_hash=${hash}`);
    return body.data.guardrails.map(({ id }) => id).sort();
  };

  const listed = async (): Promise<ListedAssignment[]> =>
    (await send<{ data: ListedAssignment[] }>('/guardrails/assignments/members')).body.data;

  const earlierRows = async (): Promise<string[]> =>
    (
      await app.rows<{ guardrail_id: string }>(
        'SELECT guardrail_id FROM guardrail_member_assignments WHERE organization_id = $1',
        [organization.organizationId],
      )
    ).map((row) => row.guardrail_id);

  /** Assigns as a replica of a release before does: one row a member, in place of another. */
  const assignAsBefore = async (guardrailId: string): Promise<void> => {
    const { organizationId, userId } = organization;
    await app.rows(
      'DELETE FROM guardrail_member_assignments WHERE organization_id = $1 AND user_id = $2 AND guardrail_id <> $3',
      [organizationId, member.id, guardrailId],
    );
    await app.rows(
      `INSERT INTO guardrail_member_assignments (id, organization_id, guardrail_id, user_id, assigned_by, created_at)
       VALUES ($1, $2, $3, $4, $5, now()) ON CONFLICT (organization_id, user_id) DO NOTHING`,
      [newUuid(), organizationId, guardrailId, member.id, userId],
    );
  };

  const ask = async ({ plaintext }: { readonly plaintext: string }): Promise<number> => {
    const json = { model: ECHO, messages: [{ role: 'user', content: 'PROJECT-1234' }] };
    return (await app.api.post('/chat/completions', { key: plaintext, json })).status;
  };

  it('are one for each workspace, and apply to the keys there (403 and 200)', async () => {
    const filter = { content_filters: [{ pattern: 'PROJECT-[0-9]{4}', action: 'block' as const }] };
    const [first, second] = [await guardrail(), await inWorkspace(filter)];

    expect([(await assign(first)).body, (await assign(second)).body]).toEqual([
      { assigned_count: 1 },
      { assigned_count: 1 },
    ]);

    expect([await applying(here), await applying(there)]).toEqual([[first], [second]]);
    expect([await ask(here), await ask(there)]).toEqual([200, 403]);
    expect(await listed()).toEqual([
      expect.objectContaining({ user_id: member.id, guardrail_id: first }),
      expect.objectContaining({ user_id: member.id, guardrail_id: second }),
    ]);
    expect((await listed()).filter((one) => 'applies_everywhere' in one)).toEqual([]);
    expect(await earlierRows()).toEqual([]);
  });

  it('are replaced by another one of the same workspace, which the trail tells, and leave those of others (200)', async () => {
    const [first, second, third] = [await guardrail(), await inWorkspace(), await inWorkspace()];
    for (const id of [first, second, third]) expect((await assign(id)).status).toBe(200);

    const { body } = await send<{ data: { target: { id: string }; changes: object }[] }>(
      '/audit-events?action=guardrail.assign_members',
    );

    expect([await applying(here), await applying(there)]).toEqual([[first], [third]]);
    expect(body.data.find((event) => event.target.id === third)!.changes).toEqual({
      member_user_ids: { after: [member.id] },
      replaced_guardrails: { before: { [member.id]: second } },
    });
  });

  it('of no workspace apply to all keys, and are replaced by another of none alone (200)', async () => {
    const [first, second, ofWorkspace] = [await ofNone(), await ofNone(), await inWorkspace()];
    await assign(first);
    await assign(ofWorkspace);

    expect([await applying(here), await applying(there)]).toEqual([[first], [first, ofWorkspace].sort()]);
    expect((await assign(second)).status).toBe(200);
    expect([await applying(here), await applying(there)]).toEqual([[second], [second, ofWorkspace].sort()]);
    expect((await listed()).find((one) => one.guardrail_id === second)).toMatchObject({ applies_everywhere: true });
  });

  it('that an earlier release has assigned apply to all keys, also when they are assigned again (200)', async () => {
    const [earlier, other] = [await inWorkspace(), await guardrail()];
    await assignAsBefore(earlier);
    expect(await listed()).toMatchObject([{ guardrail_id: earlier, applies_everywhere: true }]);

    const again = await assign(earlier);
    await assign(other);

    expect([again.status, again.body.assigned_count]).toEqual([200, 0]);
    expect([await applying(here), await applying(there)]).toEqual([[earlier, other].sort(), [earlier]]);
    expect(await earlierRows()).toEqual([earlier]);
  });

  it('that an earlier release has assigned end when another one of their workspace is assigned (200)', async () => {
    const [earlier, other] = [await inWorkspace(), await inWorkspace()];
    await assignAsBefore(earlier);

    expect((await assign(other)).status).toBe(200);

    expect([await applying(here), await applying(there), await earlierRows()]).toEqual([[], [other], []]);
  });

  it('that an earlier release has assigned end by removal, for that release too (200)', async () => {
    const [earlier, other] = [await inWorkspace(), await guardrail()];
    await assignAsBefore(earlier);
    await assign(other);

    const { status, body } = await remove(earlier);

    expect([status, body]).toEqual([200, { unassigned_count: 1 }]);
    expect([await applying(here), await applying(there), await earlierRows()]).toEqual([[other], [], []]);
  });

  it('that an earlier release assigns and removes meanwhile follow it, and leave those of other workspaces (200)', async () => {
    const [first, second, ofWorkspace] = [await guardrail(), await guardrail(), await inWorkspace()];
    await assign(ofWorkspace);
    await assign(first);

    await assignAsBefore(second);
    expect([await applying(here), await applying(there)]).toEqual([[second], [second, ofWorkspace].sort()]);

    await app.rows('DELETE FROM guardrail_member_assignments WHERE user_id = $1', [member.id]);
    expect([await applying(here), await applying(there)]).toEqual([[], [ofWorkspace]]);
    expect((await send<{ total_count: number }>('/guardrails/assignments/members')).body.total_count).toBe(1);
  });

  it('end with their guardrail and with the member', async () => {
    const [first, second, ofWorkspace] = [await guardrail(), await guardrail(), await inWorkspace()];
    await assignAsBefore(first);
    await assign(ofWorkspace);
    const rows = () => app.rows('SELECT id FROM member_guardrails WHERE user_id = $1', [member.id]);
    expect(await rows()).toHaveLength(2);

    await app.api.delete(`/guardrails/${first}`, { key: organization.managementKey });
    expect(await rows()).toHaveLength(1);
    await assign(second);
    await app.rows('DELETE FROM organization_members WHERE user_id = $1', [member.id]);
    expect(await rows()).toEqual([]);
  });

  it('are not assigned while a replica of an earlier release is connected (503 with Retry-After), and those of keys are (200)', async () => {
    const [id, assigned] = [await inWorkspace(), await guardrail()];
    await assign(assigned);
    const older = new pg.Client({ connectionString: app.database.url, application_name: OLDER_APPLICATION_NAME });
    await older.connect();
    let refused, again, ofKey;
    try {
      refused = await assign(id);
      again = await assign(assigned);
      ofKey = await send(`/guardrails/${id}/assignments/keys`, { key_hashes: [there.hash] });
    } finally {
      await older.end();
    }

    expect([refused.status, refused.body.error.metadata.reason]).toEqual([503, 'older_replicas']);
    expect(refused.headers.get('retry-after')).toBe('30');
    expect([again.status, ofKey.status]).toEqual([200, 200]);
    expect((await listed()).map((one) => one.guardrail_id)).toEqual([assigned]);
  });

  it('are taken over by the migration as they were, and the rows of before stay', async () => {
    const [first, ofWorkspace] = [await guardrail(), await inWorkspace()];
    const other = await app.factory.member(organization.organizationId);
    await inOwnerTransaction(app, async (runner) => {
      const migration = new MemberGuardrails1798864700000();
      await migration.down(runner);
      for (const [guardrailId, userId] of [
        [first, member.id],
        [ofWorkspace, other],
      ]) {
        await runner.query(
          `INSERT INTO guardrail_member_assignments (id, organization_id, guardrail_id, user_id, created_at)
           VALUES ($1, $2, $3, $4, now())`,
          [newUuid(), organization.organizationId, guardrailId, userId],
        );
      }
      await migration.up(runner);
    });

    expect(await listed()).toEqual([
      expect.objectContaining({ user_id: member.id, guardrail_id: first, applies_everywhere: true }),
      expect.objectContaining({ user_id: other, guardrail_id: ofWorkspace, applies_everywhere: true }),
    ]);
    expect(new Set(await earlierRows())).toEqual(new Set([first, ofWorkspace]));
  });

  it('have a budget that compares with what the member spends in all workspaces (200)', async () => {
    const id = await inWorkspace({ limit_usd: 10, reset_interval: 'monthly' });
    await assign(id);
    await app.rows(
      `INSERT INTO spend_windows (organization_id, subject, subject_id, "interval", first_day, amount_usd, byok_amount_usd)
       VALUES ($1, 'member', $2, 'monthly', date_trunc('month', now() AT TIME ZONE 'UTC'), 7, 0)`,
      [organization.organizationId, member.id],
    );

    const request = { model: ECHO, messages: [{ role: 'user', content: 'Hi' }] };
    const limitsOf = async (hash: string): Promise<object[]> => {
      const { status, body } = await send<{ data: { admission: { limits: object[] } } }>(
        `/guardrails/${await guardrail()}/evaluate`,
        { request, api_key_hash: hash },
      );
      expect(status).toBe(200);
      return body.data.admission.limits;
    };

    expect(await limitsOf(there.hash)).toMatchObject([{ guardrail_id: id, holder: 'member', spent_usd: 7 }]);
    expect(await limitsOf(here.hash)).toEqual([]);
  });

  describe('that are tried', () => {
    const tried = async (id: string, given: object): Promise<string[]> => {
      const request = { model: ECHO, messages: [{ role: 'user', content: 'Hi' }] };
      const { status, body } = await send<{ data: { guardrails: { id: string }[] } }>(`/guardrails/${id}/evaluate`, {
        request,
        ...given,
      });
      expect(status).toBe(200);
      return body.data.guardrails.map((one) => one.id).sort();
    };

    it('take the place of the one of the same workspace, for a key there, and leave the others (200)', async () => {
      const [everywhere, replaced, id] = [await ofNone(), await inWorkspace(), await inWorkspace()];
      await assign(everywhere);
      await assign(replaced);

      expect(await tried(id, { user_id: member.id })).toEqual([everywhere, id].sort());
      expect(await tried(id, { user_id: member.id, workspace_id: organization.workspaceId })).toEqual([everywhere]);
      expect(await applying(there)).toEqual([everywhere, replaced].sort());
    });

    it('apply in the workspace that they would be created in, if they are not there yet (200)', async () => {
      const request = { model: ECHO, messages: [{ role: 'user', content: 'Hi' }] };
      const json = { request, user_id: member.id, guardrail: { name: 'New', workspace_id: workspace.id } };

      const { body } = await send<{ data: { guardrails: { name: string }[] } }>('/guardrails/evaluate', json);

      expect(body.data.guardrails.map(({ name }) => name)).toEqual(['New']);
    });
  });
});
