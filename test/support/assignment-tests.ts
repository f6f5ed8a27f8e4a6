import { defaultGuardrailIdOf } from '../../src/database/identifiers.js';
import type { NewOrganization } from '../../src/modules/installation/installation.service.js';
import type { Answer } from './api-client.js';
import { type AssignmentKind, Assignments } from './assignments.js';
import { eventsOf } from './audit-events.js';
import { expectToFitContract } from './contract.js';
import { LARGE_BODY, malformedBodies } from './malformed-bodies.js';
import { PAGE_QUERY_FAULTS } from './page-query-faults.js';
import { expectEveryWindow } from './page-walk.js';
import { expectRefusal } from './refusal.js';
import { lockRows, untilWaiting } from './row-lock.js';
import { TestApplication } from './test-application.js';
import { TIMESTAMP, UNKNOWN_UUID, UUID_V7 } from './wire-forms.js';
import { describeWhoMayCall } from './who-may-call.js';

/** What the tests of one operation on assignments have at hand. */
interface Scene {
  app: TestApplication;
  organization: NewOrganization;
  here: Assignments;
}

/** The tests of assigning a guardrail to many at once. */
export function describeBulkAssign(kind: AssignmentKind): void {
  describe(`POST /guardrails/{id}/assignments/${kind.segment}`, () => {
    const scene = sceneOf(kind);

    it('gives each of them the guardrail, and records it', async () => {
      const { app, organization, here } = scene;
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
      expect((await eventsOf(app, guardrailId)).at(-1)).toEqual({
        action: `guardrail.assign_${kind.segment}`,
        target_type: 'guardrail',
        target_id: guardrailId,
        actor_kind: 'management_key',
        actor_id: organization.userId,
        changes: { [kind.field]: { after: expect.arrayContaining(references) as unknown } },
      });
    });

    it('takes the place of the guardrail that one has, and counts what has changed', async () => {
      const { app, here } = scene;
      const [first, second] = [await here.newGuardrail(), await here.newGuardrail()];
      const [one, other] = [await here.make(), await here.make()];
      await here.assign(first, [one]);

      expect((await here.assign(second, [one, other])).body).toEqual({ assigned_count: 2 });

      expect(await here.listed(first)).toEqual({ pairs: [], total: 0 });
      expect((await here.listed(second)).total).toBe(2);
      expect((await eventsOf(app, second)).at(-1)?.changes).toEqual({
        [kind.field]: { after: expect.arrayContaining([one, other]) as unknown },
        replaced_guardrails: { before: { [one]: first } },
      });
    });

    it('counts once what is named twice, and not what has it already, which stays as it is', async () => {
      const { app, here } = scene;
      const guardrailId = await here.newGuardrail();
      const [one, other] = [await here.make(), await here.make()];
      expect((await here.assign(guardrailId, [one, one])).body).toEqual({ assigned_count: 1 });
      const [rows, events] = [await here.rows(), await eventsOf(app, guardrailId)];

      expect((await here.assign(guardrailId, [one])).body).toEqual({ assigned_count: 0 });
      expect(await here.rows()).toEqual(rows);
      expect(await eventsOf(app, guardrailId)).toEqual(events);

      expect((await here.assign(guardrailId, [other, one])).body).toEqual({ assigned_count: 1 });
      expect(await here.rows()).toEqual([...rows, expect.objectContaining({ guardrail_id: guardrailId })]);
    });

    it.each(kind.missing)('assigns nothing when there is nothing of the name %p', async (missing) => {
      const { organization, here } = scene;
      const [first, second] = [await here.newGuardrail(), await here.newGuardrail()];
      const [one, other] = [await here.make(), await here.make()];
      await here.assign(first, [one]);
      const before = await here.rows();

      const answer = await here.assign(second, [one, missing, other]);

      expectRefusal(answer, { status: 404, reason: kind.reason, userId: organization.userId });
      expectToFitContract(kind.operations.assign, 404, answer.body);
      expect(await here.rows()).toEqual(before);
    });

    it("answers what is another organization's with the bytes of nothing", async () => {
      const { app, here } = scene;
      const theirs = new Assignments(kind, app, await app.factory.organization());
      const reference = await theirs.make();
      const [mine, foreign] = [await here.newGuardrail(), await theirs.newGuardrail()];
      const one = await here.make();

      expect((await here.assign(mine, [reference])).text).toBe((await here.assign(mine, [kind.missing[0]])).text);
      expect((await here.assign(foreign, [one])).text).toBe((await here.assign(UNKNOWN_UUID, [one])).text);
      expect(await theirs.rows()).toEqual([]);
    });

    it('refuses the default guardrail of a workspace, stored or not', async () => {
      const { app, organization, here } = scene;
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

    describeGuardrailNotFound(scene, kind.operations.assign, (here, id) => here.assign(id, [kind.missing[0]]));

    describeReferences(scene, (here, id, references) => here.assign(id, references));

    it.each(malformedBodies({ [kind.field]: ['x'] }, LARGE_BODY))('refuses %s', async (_, request, refusal) => {
      const { app, organization, here } = scene;
      const path = here.path(await here.newGuardrail());
      const answer = await app.api.post(path, { key: organization.managementKey, ...request });

      expectRefusal(answer, { userId: organization.userId, ...refusal });
    });

    it('leaves one row each after many at the same time, in whatever order they name them', async () => {
      const { here } = scene;
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

    it('waits for whoever assigns to the same, for the first one first, and holds none of the others meanwhile', async () => {
      const { app, here } = scene;
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
      await untilWaiting(app, 2);
      expect(await app.rows(`${hold} NOWAIT`, [second])).toHaveLength(1);
      await release();

      expect((await both).map(({ status }) => status)).toEqual([200, 200]);
      expect((await here.listed()).pairs.map(([reference]) => reference).sort()).toEqual([first, second].sort());
    });

    it('finds no guardrail that is deleted while it waits', async () => {
      const { app, organization, here } = scene;
      const id = await here.newGuardrail();
      const reference = await here.make();
      const release = await lockRows(app, 'SELECT 1 FROM guardrails WHERE id = $1 FOR UPDATE', [id]);
      const deleting = app.api.delete(`/guardrails/${id}`, { key: organization.managementKey });
      await untilWaiting(app, 1);
      const assigning = here.assign(id, [reference]);
      await untilWaiting(app, 2);
      await release();

      expect((await deleting).status).toBe(200);
      expectRefusal(await assigning, {
        status: 404,
        reason: 'guardrail_not_found',
        userId: organization.userId,
      });
    });

    describeWhoMayCall(['management_key'], async () => ({
      app: scene.app,
      organization: scene.organization,
      operationId: kind.operations.assign,
      method: 'POST',
      path: scene.here.path(await scene.here.newGuardrail()),
      json: { [kind.field]: [await scene.here.make()] },
    }));
  });
}

/** The tests of taking a guardrail from many at once. */
export function describeBulkUnassign(kind: AssignmentKind): void {
  describe(`POST /guardrails/{id}/assignments/${kind.segment}/remove`, () => {
    const scene = sceneOf(kind);

    it('takes the guardrail from those that have it, counts these, and records it', async () => {
      const { app, organization, here } = scene;
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
      expect((await eventsOf(app, guardrailId)).at(-1)).toEqual({
        action: `guardrail.unassign_${kind.segment}`,
        target_type: 'guardrail',
        target_id: guardrailId,
        actor_kind: 'management_key',
        actor_id: organization.userId,
        changes: { [kind.field]: { before: [one] } },
      });
    });

    it('records nothing when nothing has changed', async () => {
      const { app, here } = scene;
      const guardrailId = await here.newGuardrail();
      const events = await eventsOf(app, guardrailId);

      expect((await here.unassign(guardrailId, [await here.make()])).body).toEqual({ unassigned_count: 0 });
      expect(await eventsOf(app, guardrailId)).toEqual(events);
    });

    it('finds nothing assigned to the default guardrail of a workspace', async () => {
      const { organization, here } = scene;
      const id = defaultGuardrailIdOf(organization.workspaceId);

      expect((await here.unassign(id, [await here.make()])).body).toEqual({ unassigned_count: 0 });
    });

    it.each(kind.missing)('takes nothing when there is nothing of the name %p', async (missing) => {
      const { organization, here } = scene;
      const guardrailId = await here.newGuardrail();
      const one = await here.make();
      await here.assign(guardrailId, [one]);
      const before = await here.rows();

      const answer = await here.unassign(guardrailId, [one, missing]);

      expectRefusal(answer, { status: 404, reason: kind.reason, userId: organization.userId });
      expect(await here.rows()).toEqual(before);
    });

    it("answers what is another organization's with the bytes of nothing, and leaves it", async () => {
      const { app, here } = scene;
      const theirs = new Assignments(kind, app, await app.factory.organization());
      const [mine, foreign] = [await here.newGuardrail(), await theirs.newGuardrail()];
      const [one, reference] = [await here.make(), await theirs.make()];
      await theirs.assign(foreign, [reference]);

      expect((await here.unassign(mine, [reference])).text).toBe((await here.unassign(mine, [kind.missing[0]])).text);
      expect((await here.unassign(foreign, [one])).text).toBe((await here.unassign(UNKNOWN_UUID, [one])).text);
      expect(await theirs.listed()).toEqual({ pairs: [[reference, foreign]], total: 1 });
    });

    describeGuardrailNotFound(scene, kind.operations.unassign, (here, id) => here.unassign(id, [kind.missing[0]]));

    describeReferences(scene, (here, id, references) => here.unassign(id, references));

    it.each(malformedBodies({ [kind.field]: ['x'] }, LARGE_BODY))('refuses %s', async (_, request, refusal) => {
      const { app, organization, here } = scene;
      const path = `${here.path(await here.newGuardrail())}/remove`;
      const answer = await app.api.post(path, { key: organization.managementKey, ...request });

      expectRefusal(answer, { userId: organization.userId, ...refusal });
    });

    describeWhoMayCall(['management_key'], async () => ({
      app: scene.app,
      organization: scene.organization,
      operationId: kind.operations.unassign,
      method: 'POST',
      path: `${scene.here.path(await scene.here.newGuardrail())}/remove`,
      json: { [kind.field]: [await scene.here.make()] },
    }));
  });
}

/** The tests of the list of all assignments of an organization. */
export function describeAssignmentList(kind: AssignmentKind, shownBeside: Readonly<Record<string, unknown>>): void {
  describe(`GET /guardrails/assignments/${kind.segment}`, () => {
    const scene = sceneOf(kind);

    it('is empty at first', async () => {
      const { app, here } = scene;
      const empty = new Assignments(kind, app, await app.factory.organization());

      expect(await empty.listed()).toEqual({ pairs: [], total: 0 });
      expect(await here.rows()).toEqual([]);
    });

    it('shows who has which guardrail, since when and from whom', async () => {
      const { app, organization, here } = scene;
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

    it('pages through the assignments of all guardrails, oldest first, and none of others', async () => {
      const { app } = scene;
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
      await expectEveryWindow(app, { path, key }, body.data);
    });

    it('loses what is deleted, with its total', async () => {
      const { app } = scene;
      const organization = await app.factory.organization();
      const here = new Assignments(kind, app, organization);
      const [doomed, kept] = [await here.newGuardrail(), await here.newGuardrail()];
      const [gone, one, other] = [await here.make(), await here.make(), await here.make()];
      await here.assign(doomed, [one]);
      await here.assign(kept, [gone, other]);

      await kind.remove(app, organization, gone);
      expect(await here.listed(kept)).toEqual({ pairs: [[other, kept]], total: 1 });
      expect((await here.listed()).total).toBe(2);

      await app.api.delete(`/guardrails/${doomed}`, { key: organization.managementKey });
      expect(await here.listed()).toEqual({ pairs: [[other, kept]], total: 1 });
      // What has lost its guardrail can get another.
      expect((await here.assign(kept, [one])).body).toEqual({ assigned_count: 1 });
    });

    it.each(PAGE_QUERY_FAULTS)('refuses ?%s', async (query, paths) => {
      const { app, organization } = scene;
      const answer = await app.api.get(`/guardrails/assignments/${kind.segment}?${query}`, {
        key: organization.managementKey,
      });

      expectRefusal(answer, { status: 400, reason: expect.any(String) as never, paths, userId: organization.userId });
    });

    describeWhoMayCall(['management_key'], () => ({
      app: scene.app,
      organization: scene.organization,
      operationId: kind.operations.list,
      method: 'GET',
      path: `/guardrails/assignments/${kind.segment}`,
    }));
  });
}

/** The tests of the list of the assignments of one guardrail. */
export function describeGuardrailAssignmentList(kind: AssignmentKind): void {
  describe(`GET /guardrails/{id}/assignments/${kind.segment}`, () => {
    const scene = sceneOf(kind);

    it('pages through those of one guardrail, oldest first', async () => {
      const { app, organization, here } = scene;
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
      await expectEveryWindow(app, { path: here.path(guardrailId), key }, body.data);
    });

    it('puts what was taken away and given again at the end', async () => {
      const { here } = scene;
      const [guardrailId, elsewhere] = [await here.newGuardrail(), await here.newGuardrail()];
      const [one, other] = [await here.make(), await here.make()];
      await here.assign(guardrailId, [one]);
      await here.assign(guardrailId, [other]);
      await here.assign(elsewhere, [one]);
      await here.assign(guardrailId, [one]);

      expect((await here.listed(guardrailId)).pairs.map(([reference]) => reference)).toEqual([other, one]);
      expect(await here.listed(elsewhere)).toEqual({ pairs: [], total: 0 });
    });

    it('is empty for the default guardrail of a workspace', async () => {
      const { organization, here } = scene;

      expect(await here.listed(defaultGuardrailIdOf(organization.workspaceId))).toEqual({ pairs: [], total: 0 });
    });

    it("answers another organization's guardrail with the bytes of none", async () => {
      const { app, organization, here } = scene;
      const theirs = new Assignments(kind, app, await app.factory.organization());
      const foreign = await theirs.newGuardrail();
      await theirs.assign(foreign, [await theirs.make()]);
      const get = (id: string): Promise<Answer> =>
        app.api.get(here.path(id), { key: organization.managementKey, headers: { 'x-request-id': 'the-same' } });

      expect((await get(foreign)).text).toBe((await get(UNKNOWN_UUID)).text);
    });

    describeGuardrailNotFound(scene, kind.operations.listOf, (here, id) =>
      scene.app.api.get(here.path(id), { key: scene.organization.managementKey }),
    );

    it.each(PAGE_QUERY_FAULTS)('refuses ?%s', async (query, paths) => {
      const { app, organization, here } = scene;
      const path = here.path(await here.newGuardrail());
      const answer = await app.api.get(`${path}?${query}`, { key: organization.managementKey });

      expectRefusal(answer, { status: 400, reason: expect.any(String) as never, paths, userId: organization.userId });
    });

    describeWhoMayCall(['management_key'], async () => ({
      app: scene.app,
      organization: scene.organization,
      operationId: kind.operations.listOf,
      method: 'GET',
      path: scene.here.path(await scene.here.newGuardrail()),
    }));
  });
}

function sceneOf(kind: AssignmentKind): Scene {
  const scene = {} as Scene;

  beforeAll(async () => {
    scene.app = await TestApplication.start({ variables: { KEY_DELETION_RATE_LIMIT: '1000' } });
  });

  beforeEach(async () => {
    scene.organization = await scene.app.factory.organization();
    scene.here = new Assignments(kind, scene.app, scene.organization);
  });

  afterAll(() => scene.app.stop());

  return scene;
}

function describeGuardrailNotFound(
  scene: Scene,
  operationId: string,
  call: (here: Assignments, id: string) => Promise<Answer>,
): void {
  it.each([UNKNOWN_UUID, 'default', 'assignments', `${UNKNOWN_UUID}0`])(
    'knows no guardrail of the id %s',
    async (id) => {
      const answer = await call(scene.here, id);

      expectRefusal(answer, { status: 404, reason: 'guardrail_not_found', userId: scene.organization.userId });
      expectToFitContract(operationId, 404, answer.body);
    },
  );
}

function describeReferences(
  scene: Scene,
  call: (here: Assignments, id: string, references: readonly unknown[]) => Promise<Answer>,
): void {
  it.each<[string, unknown[], (field: string) => string[]]>([
    ['an empty list', [], (field) => [field]],
    ['an empty name', [''], (field) => [`${field}[0]`]],
    ['null and a number', [null, 'x', 1], (field) => [`${field}[0]`, `${field}[2]`]],
    ['a NUL character', ['a\u0000'], (field) => [`${field}[0]`]],
  ])('refuses %s', async (_, references, pathsOf) => {
    const { organization, here } = scene;
    const answer = await call(here, await here.newGuardrail(), references);
    const paths = pathsOf(here.kind.field);

    expectRefusal(answer, { status: 400, reason: 'invalid_parameters', paths, userId: organization.userId });
  });
}
