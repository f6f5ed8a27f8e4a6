import { defaultGuardrailIdOf } from '../../../src/persistence/identifiers.js';
import type { Answer } from '../../support/network/api-client.js';
import { type AssignmentKind, Assignments } from './assignments.js';
import { expectToFitContract } from '../../support/contract/contract-answers.js';
import { SOME_INVALID_PAGE_QUERIES } from '../../support/requests/invalid-page-queries.js';
import { expectEveryPage } from '../../support/expectations/pages.js';
import { expectRefusal } from '../../support/expectations/error-envelope.js';
import { TIMESTAMP, UNKNOWN_UUID, UUID_V7 } from '../../support/expectations/formats.js';
import { describeGuardrailNotFound, fixtureOf } from './assignment-request-tests.js';

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

    it.each(SOME_INVALID_PAGE_QUERIES)('answers 400 for ?%s', async (query, paths) => {
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

    it.each(SOME_INVALID_PAGE_QUERIES)('answers 400 for ?%s', async (query, paths) => {
      const { app, organization, here } = fixture;
      const path = here.path(await here.newGuardrail());
      const answer = await app.api.get(`${path}?${query}`, { key: organization.managementKey });

      expectRefusal(answer, { status: 400, reason: expect.any(String) as never, paths, userId: organization.userId });
    });
  });
}
