import { defaultGuardrailIdOf } from '../../../src/persistence/identifiers.js';
import type { NewOrganization } from '../../../src/modules/installation/installation.service.js';
import type { Answer } from '../../support/network/api-client.js';
import { type AssignmentKind, Assignments } from './assignments.js';
import { auditEventsOf } from '../../support/expectations/audit-events.js';
import { expectToFitContract } from '../../support/contract/contract-answers.js';
import { LARGE_BODY, malformedBodies } from '../../support/requests/malformed-bodies.js';
import { INVALID_PAGE_QUERIES } from '../../support/requests/invalid-page-queries.js';
import { expectEveryPage } from '../../support/expectations/pages.js';
import { expectRefusal } from '../../support/expectations/error-envelope.js';
import { lockRows, untilWaitingForLock } from '../../support/database/row-locks.js';
import { applicationOfTopic } from '../../support/application/shared-by-topic.js';
import type { TestApplication } from '../../support/application/test-application.js';
import { TIMESTAMP, UNKNOWN_UUID, UUID_V7 } from '../../support/expectations/formats.js';

/** What the tests of one operation on assignments have at hand. */
interface Fixture {
  app: TestApplication;
  organization: NewOrganization;
  here: Assignments;
}

/** The tests of assigning a guardrail to many at once. */
export function describeBulkAssign(kind: AssignmentKind): void {
  describe(`POST /guardrails/{id}/assignments/${kind.segment}`, () => {
    const fixture = fixtureOf(kind);

    it('answers 200 with the count, assigns the guardrail to each, and records it', async () => {
      const { app, organization, here } = fixture;
      const guardrailId = await here.newGuardrail();
      const references = [await here.make(), await here.make()];

      const answer = await here.assign(guardrailId, references);

      expect(answer.status).toBe(200);
      expect(answer.body).toEqual({ assigned_count: 2 });
      expectToFitContract(kind.operations.assign, 200, answer.body);
      expect(await here.listed(guardrailId)).toEqual({
        pairs: expect.arrayContaining(references.map((reference) => [reference, guardrailId])) as unknown,
        total: 2,
      });
      expect((await here.rows()).map((row) => row['assigned_by'])).toEqual([organization.userId, organization.userId]);
      expect((await auditEventsOf(app, guardrailId)).at(-1)).toEqual({
        action: `guardrail.assign_${kind.segment}`,
        target_type: 'guardrail',
        target_id: guardrailId,
        actor_kind: 'management_key',
        actor_id: organization.userId,
        changes: { [kind.field]: { after: expect.arrayContaining(references) as unknown } },
      });
    });

    it('answers 200 and replaces an earlier guardrail, counting the changed assignments', async () => {
      const { app, here } = fixture;
      const [first, second] = [await here.newGuardrail(), await here.newGuardrail()];
      const [one, other] = [await here.make(), await here.make()];
      await here.assign(first, [one]);

      expect((await here.assign(second, [one, other])).body).toEqual({ assigned_count: 2 });

      expect(await here.listed(first)).toEqual({ pairs: [], total: 0 });
      expect((await here.listed(second)).total).toBe(2);
      expect((await auditEventsOf(app, second)).at(-1)?.changes).toEqual({
        [kind.field]: { after: expect.arrayContaining([one, other]) as unknown },
        replaced_guardrails: { before: { [one]: first } },
      });
    });

    it('answers 200 and counts a repeated name once, and an existing assignment not at all, which stays unchanged', async () => {
      const { app, here } = fixture;
      const guardrailId = await here.newGuardrail();
      const [one, other] = [await here.make(), await here.make()];
      expect((await here.assign(guardrailId, [one, one])).body).toEqual({ assigned_count: 1 });
      const [rows, events] = [await here.rows(), await auditEventsOf(app, guardrailId)];

      expect((await here.assign(guardrailId, [one])).body).toEqual({ assigned_count: 0 });
      expect(await here.rows()).toEqual(rows);
      expect(await auditEventsOf(app, guardrailId)).toEqual(events);

      expect((await here.assign(guardrailId, [other, one])).body).toEqual({ assigned_count: 1 });
      expect(await here.rows()).toEqual([...rows, expect.objectContaining({ guardrail_id: guardrailId })]);
    });

    it.each(kind.missing)(
      'answers 404 and assigns nothing when one of the names, %p, does not exist',
      async (missing) => {
        const { organization, here } = fixture;
        const [first, second] = [await here.newGuardrail(), await here.newGuardrail()];
        const [one, other] = [await here.make(), await here.make()];
        await here.assign(first, [one]);
        const before = await here.rows();

        const answer = await here.assign(second, [one, missing, other]);

        expectRefusal(answer, { status: 404, reason: kind.reason, userId: organization.userId });
        expectToFitContract(kind.operations.assign, 404, answer.body);
        expect(await here.rows()).toEqual(before);
      },
    );

    it("answers 404 with the same body for another organization's names and guardrails and for missing ones", async () => {
      const { app, here } = fixture;
      const theirs = new Assignments(kind, app, await app.factory.organization());
      const reference = await theirs.make();
      const [mine, foreign] = [await here.newGuardrail(), await theirs.newGuardrail()];
      const one = await here.make();

      expect((await here.assign(mine, [reference])).text).toBe((await here.assign(mine, [kind.missing[0]])).text);
      expect((await here.assign(foreign, [one])).text).toBe((await here.assign(UNKNOWN_UUID, [one])).text);
      expect(await theirs.rows()).toEqual([]);
    });

    it('answers 400 for the default guardrail of a workspace, stored or not', async () => {
      const { app, organization, here } = fixture;
      const id = defaultGuardrailIdOf(organization.workspaceId);
      const reference = await here.make();

      for (const description of [null, 'Stored']) {
        await app.api.patch(`/guardrails/${id}`, { key: organization.managementKey, json: { description } });
        expectRefusal(await here.assign(id, [reference]), {
          status: 400,
          reason: 'default_guardrail_not_assignable',
          paths: ['id'],
          userId: organization.userId,
        });
      }
    });

    describeGuardrailNotFound(fixture, kind.operations.assign, (here, id) => here.assign(id, [kind.missing[0]]));

    describeReferences(fixture, (here, id, references) => here.assign(id, references));

    it.each(malformedBodies({ [kind.field]: ['x'] }, LARGE_BODY))(
      'answers 400, 413 or 415 for %s',
      async (_, request, refusal) => {
        const { app, organization, here } = fixture;
        const path = here.path(await here.newGuardrail());
        const answer = await app.api.post(path, { key: organization.managementKey, ...request });

        expectRefusal(answer, { userId: organization.userId, ...refusal });
      },
    );

    it('answers 200 to many requests at the same time and leaves one row for each name, in whatever order they give them', async () => {
      const { here } = fixture;
      const guardrails = await Promise.all(Array.from({ length: 4 }, () => here.newGuardrail()));
      const references = await Promise.all(Array.from({ length: 6 }, () => here.make()));

      for (let round = 0; round < 5; round += 1) {
        const answers = await Promise.all(
          guardrails.map((id, index) => here.assign(id, index % 2 === 0 ? references : [...references].reverse())),
        );
        expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
        const mine = (await here.listed()).pairs.filter(([reference]) => references.includes(reference));
        expect(mine.map(([reference]) => reference).sort()).toEqual([...references].sort());
        // The last one has them all.
        expect(new Set(mine.map(([, guardrail]) => guardrail)).size).toBe(1);
      }
    });

    it('answers 200 in the order in which requests ask for the same name, and locks no other names meanwhile', async () => {
      const { app, here } = fixture;
      const { table, match } = kind.subjects;
      const guardrails = [await here.newGuardrail(), await here.newGuardrail()] as const;
      const [first, second] = [await here.make(), await here.make()];
      // The first one is stored behind the second from now on.
      await app.rows(`UPDATE ${table} SET created_at = created_at WHERE ${match}`, [first]);
      const hold = `SELECT 1 FROM ${table} WHERE ${match} FOR NO KEY UPDATE`;
      const release = await lockRows(app, hold, [first]);

      const both = Promise.all([
        here.assign(guardrails[0], [first, second]),
        here.assign(guardrails[1], [second, first]),
      ]);
      await untilWaitingForLock(app, 2);
      expect(await app.rows(`${hold} NOWAIT`, [second])).toHaveLength(1);
      await release();

      expect((await both).map(({ status }) => status)).toEqual([200, 200]);
      expect((await here.listed()).pairs.map(([reference]) => reference).sort()).toEqual([first, second].sort());
    });

    it('answers 404 for a guardrail that is deleted (200) while the request waits', async () => {
      const { app, organization, here } = fixture;
      const id = await here.newGuardrail();
      const reference = await here.make();
      const release = await lockRows(app, 'SELECT 1 FROM guardrails WHERE id = $1 FOR UPDATE', [id]);
      const deleting = app.api.delete(`/guardrails/${id}`, { key: organization.managementKey });
      await untilWaitingForLock(app, 1);
      const assigning = here.assign(id, [reference]);
      await untilWaitingForLock(app, 2);
      await release();

      expect((await deleting).status).toBe(200);
      expectRefusal(await assigning, {
        status: 404,
        reason: 'guardrail_not_found',
        userId: organization.userId,
      });
    });
  });
}

/** The tests of taking a guardrail from many at once. */
export function describeBulkUnassign(kind: AssignmentKind): void {
  describe(`POST /guardrails/{id}/assignments/${kind.segment}/remove`, () => {
    const fixture = fixtureOf(kind);

    it('answers 200 with the count, removes the assignments, and records it', async () => {
      const { app, organization, here } = fixture;
      const [guardrailId, elsewhere] = [await here.newGuardrail(), await here.newGuardrail()];
      const [one, other, without, kept] = [await here.make(), await here.make(), await here.make(), await here.make()];
      await here.assign(guardrailId, [one, kept]);
      await here.assign(elsewhere, [other]);

      const answer = await here.unassign(guardrailId, [one, one, other, without]);

      expect(answer.status).toBe(200);
      expect(answer.body).toEqual({ unassigned_count: 1 });
      expectToFitContract(kind.operations.unassign, 200, answer.body);
      expect(await here.listed(guardrailId)).toEqual({ pairs: [[kept, guardrailId]], total: 1 });
      expect(await here.listed(elsewhere)).toEqual({ pairs: [[other, elsewhere]], total: 1 });
      expect((await auditEventsOf(app, guardrailId)).at(-1)).toEqual({
        action: `guardrail.unassign_${kind.segment}`,
        target_type: 'guardrail',
        target_id: guardrailId,
        actor_kind: 'management_key',
        actor_id: organization.userId,
        changes: { [kind.field]: { before: [one] } },
      });
    });

    it('answers 200 and records nothing when nothing was assigned', async () => {
      const { app, here } = fixture;
      const guardrailId = await here.newGuardrail();
      const events = await auditEventsOf(app, guardrailId);

      expect((await here.unassign(guardrailId, [await here.make()])).body).toEqual({ unassigned_count: 0 });
      expect(await auditEventsOf(app, guardrailId)).toEqual(events);
    });

    it('answers 200 and removes nothing for the default guardrail of a workspace', async () => {
      const { organization, here } = fixture;
      const id = defaultGuardrailIdOf(organization.workspaceId);

      expect((await here.unassign(id, [await here.make()])).body).toEqual({ unassigned_count: 0 });
    });

    it.each(kind.missing)(
      'answers 404 and removes nothing when one of the names, %p, does not exist',
      async (missing) => {
        const { organization, here } = fixture;
        const guardrailId = await here.newGuardrail();
        const one = await here.make();
        await here.assign(guardrailId, [one]);
        const before = await here.rows();

        const answer = await here.unassign(guardrailId, [one, missing]);

        expectRefusal(answer, { status: 404, reason: kind.reason, userId: organization.userId });
        expect(await here.rows()).toEqual(before);
      },
    );

    it("answers 404 with the same body for another organization's names and guardrails and for missing ones, and removes nothing", async () => {
      const { app, here } = fixture;
      const theirs = new Assignments(kind, app, await app.factory.organization());
      const [mine, foreign] = [await here.newGuardrail(), await theirs.newGuardrail()];
      const [one, reference] = [await here.make(), await theirs.make()];
      await theirs.assign(foreign, [reference]);

      expect((await here.unassign(mine, [reference])).text).toBe((await here.unassign(mine, [kind.missing[0]])).text);
      expect((await here.unassign(foreign, [one])).text).toBe((await here.unassign(UNKNOWN_UUID, [one])).text);
      expect(await theirs.listed()).toEqual({ pairs: [[reference, foreign]], total: 1 });
    });

    describeGuardrailNotFound(fixture, kind.operations.unassign, (here, id) => here.unassign(id, [kind.missing[0]]));

    describeReferences(fixture, (here, id, references) => here.unassign(id, references));

    it.each(malformedBodies({ [kind.field]: ['x'] }, LARGE_BODY))(
      'answers 400, 413 or 415 for %s',
      async (_, request, refusal) => {
        const { app, organization, here } = fixture;
        const path = `${here.path(await here.newGuardrail())}/remove`;
        const answer = await app.api.post(path, { key: organization.managementKey, ...request });

        expectRefusal(answer, { userId: organization.userId, ...refusal });
      },
    );
  });
}

/** The tests of the list of all assignments of an organization. */
export function describeAssignmentList(kind: AssignmentKind, shownBeside: Readonly<Record<string, unknown>>): void {
  describe(`GET /guardrails/assignments/${kind.segment}`, () => {
    const fixture = fixtureOf(kind);

    it('answers 200 with an empty page at first', async () => {
      const { app, here } = fixture;
      const empty = new Assignments(kind, app, await app.factory.organization());

      expect(await empty.listed()).toEqual({ pairs: [], total: 0 });
      expect(await here.rows()).toEqual([]);
    });

    it('answers 200 with assignee, guardrail, time and author of each assignment', async () => {
      const { app, organization, here } = fixture;
      const [guardrailId, reference] = [await here.newGuardrail(), await here.make()];
      await here.assign(guardrailId, [reference]);

      const answer = await app.api.get<{ data: object[] }>(`/guardrails/assignments/${kind.segment}`, {
        key: organization.managementKey,
      });

      expectToFitContract(kind.operations.list, 200, answer.body);
      expect(answer.body).toEqual({
        data: [
          {
            id: expect.stringMatching(UUID_V7) as unknown,
            [kind.shown]: reference,
            guardrail_id: guardrailId,
            assigned_by: organization.userId,
            created_at: expect.stringMatching(TIMESTAMP) as unknown,
            ...(kind.name === 'member' && { organization_id: organization.organizationId }),
            ...shownBeside,
          },
        ],
        total_count: 1,
      });
    });

    it('answers 200 with pages of the assignments of all guardrails of the organization, oldest first', async () => {
      const { app } = fixture;
      const organization = await app.factory.organization();
      const here = new Assignments(kind, app, organization);
      const theirs = new Assignments(kind, app, await app.factory.organization());
      await theirs.assign(await theirs.newGuardrail(), [await theirs.make()]);
      const guardrails = [await here.newGuardrail(), await here.newGuardrail()];
      const references: string[] = [];
      for (let index = 0; index < 5; index += 1) {
        const reference = await here.make();
        references.push(reference);
        await here.assign(guardrails[index % 2]!, [reference]);
      }
      const path = `/guardrails/assignments/${kind.segment}`;
      const key = organization.managementKey;
      const { body } = await app.api.get<{ data: Record<string, unknown>[] }>(path, { key });

      expect(body.data.map((item) => item[kind.shown])).toEqual(references);
      await expectEveryPage(app, { path, key }, body.data);
    });

    it('answers 200 without deleted assignments, and a total without them', async () => {
      const { app } = fixture;
      const organization = await app.factory.organization();
      const here = new Assignments(kind, app, organization);
      const [toDelete, kept] = [await here.newGuardrail(), await here.newGuardrail()];
      const [gone, one, other] = [await here.make(), await here.make(), await here.make()];
      await here.assign(toDelete, [one]);
      await here.assign(kept, [gone, other]);

      await kind.remove(app, organization, gone);
      expect(await here.listed(kept)).toEqual({ pairs: [[other, kept]], total: 1 });
      expect((await here.listed()).total).toBe(2);

      await app.api.delete(`/guardrails/${toDelete}`, { key: organization.managementKey });
      expect(await here.listed()).toEqual({ pairs: [[other, kept]], total: 1 });
      // What has lost its guardrail can get another.
      expect((await here.assign(kept, [one])).body).toEqual({ assigned_count: 1 });
    });

    it.each(INVALID_PAGE_QUERIES)('answers 400 for ?%s', async (query, paths) => {
      const { app, organization } = fixture;
      const answer = await app.api.get(`/guardrails/assignments/${kind.segment}?${query}`, {
        key: organization.managementKey,
      });

      expectRefusal(answer, { status: 400, reason: expect.any(String) as never, paths, userId: organization.userId });
    });
  });
}

/** The tests of the list of the assignments of one guardrail. */
export function describeGuardrailAssignmentList(kind: AssignmentKind): void {
  describe(`GET /guardrails/{id}/assignments/${kind.segment}`, () => {
    const fixture = fixtureOf(kind);

    it('answers 200 with pages of the assignments of one guardrail, oldest first', async () => {
      const { app, organization, here } = fixture;
      const [guardrailId, elsewhere] = [await here.newGuardrail(), await here.newGuardrail()];
      const references: string[] = [];
      for (let index = 0; index < 4; index += 1) {
        const reference = await here.make();
        references.push(reference);
        await here.assign(guardrailId, [reference]);
      }
      await here.assign(elsewhere, [await here.make()]);
      const key = organization.managementKey;
      const { body } = await app.api.get<{ data: Record<string, unknown>[] }>(here.path(guardrailId), { key });

      expectToFitContract(kind.operations.listOf, 200, body);
      expect(body.data.map((item) => item[kind.shown])).toEqual(references);
      await expectEveryPage(app, { path: here.path(guardrailId), key }, body.data);
    });

    it('answers 200 with an assignment at the end of the list after it was removed and made again', async () => {
      const { here } = fixture;
      const [guardrailId, elsewhere] = [await here.newGuardrail(), await here.newGuardrail()];
      const [one, other] = [await here.make(), await here.make()];
      await here.assign(guardrailId, [one]);
      await here.assign(guardrailId, [other]);
      await here.assign(elsewhere, [one]);
      await here.assign(guardrailId, [one]);

      expect((await here.listed(guardrailId)).pairs.map(([reference]) => reference)).toEqual([other, one]);
      expect(await here.listed(elsewhere)).toEqual({ pairs: [], total: 0 });
    });

    it('answers 200 with an empty page for the default guardrail of a workspace', async () => {
      const { organization, here } = fixture;

      expect(await here.listed(defaultGuardrailIdOf(organization.workspaceId))).toEqual({ pairs: [], total: 0 });
    });

    it("answers 404 with the same body for another organization's guardrail and for a missing one", async () => {
      const { app, organization, here } = fixture;
      const theirs = new Assignments(kind, app, await app.factory.organization());
      const foreign = await theirs.newGuardrail();
      await theirs.assign(foreign, [await theirs.make()]);
      const get = (id: string): Promise<Answer> =>
        app.api.get(here.path(id), { key: organization.managementKey, headers: { 'x-request-id': 'the-same' } });

      expect((await get(foreign)).text).toBe((await get(UNKNOWN_UUID)).text);
    });

    describeGuardrailNotFound(fixture, kind.operations.listOf, (here, id) =>
      fixture.app.api.get(here.path(id), { key: fixture.organization.managementKey }),
    );

    it.each(INVALID_PAGE_QUERIES)('answers 400 for ?%s', async (query, paths) => {
      const { app, organization, here } = fixture;
      const path = here.path(await here.newGuardrail());
      const answer = await app.api.get(`${path}?${query}`, { key: organization.managementKey });

      expectRefusal(answer, { status: 400, reason: expect.any(String) as never, paths, userId: organization.userId });
    });
  });
}

const topicApplication = applicationOfTopic({ variables: { KEY_DELETION_RATE_LIMIT: '1000' } });

function fixtureOf(kind: AssignmentKind): Fixture {
  const app = topicApplication();
  const fixture = { app } as Fixture;

  beforeEach(async () => {
    fixture.organization = await app.factory.organization();
    fixture.here = new Assignments(kind, app, fixture.organization);
  });

  return fixture;
}

function describeGuardrailNotFound(
  fixture: Fixture,
  operationId: string,
  call: (here: Assignments, id: string) => Promise<Answer>,
): void {
  it.each([UNKNOWN_UUID, 'default', 'assignments', `${UNKNOWN_UUID}0`])(
    'answers 404 for a guardrail with the id %s',
    async (id) => {
      const answer = await call(fixture.here, id);

      expectRefusal(answer, { status: 404, reason: 'guardrail_not_found', userId: fixture.organization.userId });
      expectToFitContract(operationId, 404, answer.body);
    },
  );
}

function describeReferences(
  fixture: Fixture,
  call: (here: Assignments, id: string, references: readonly unknown[]) => Promise<Answer>,
): void {
  it.each<[string, unknown[], (field: string) => string[]]>([
    ['an empty list', [], (field) => [field]],
    ['an empty name', [''], (field) => [`${field}[0]`]],
    ['null and a number', [null, 'x', 1], (field) => [`${field}[0]`, `${field}[2]`]],
    ['a NUL character', ['a\u0000'], (field) => [`${field}[0]`]],
  ])('answers 400 for %s', async (_, references, pathsOf) => {
    const { organization, here } = fixture;
    const answer = await call(here, await here.newGuardrail(), references);
    const paths = pathsOf(here.kind.field);

    expectRefusal(answer, { status: 400, reason: 'invalid_parameters', paths, userId: organization.userId });
  });
}
