import { defaultGuardrailIdOf } from '../../../src/persistence/identifiers.js';
import { type AssignmentKind, Assignments } from './assignments.js';
import { auditEventsOf } from '../../support/expectations/audit-events.js';
import { expectToFitContract } from '../../support/contract/contract-answers.js';
import { LARGE_BODY, someMalformedBodies } from '../../support/requests/malformed-bodies.js';
import { expectRefusal } from '../../support/expectations/error-envelope.js';
import { lockRows, untilWaitingForLock } from '../../support/database/row-locks.js';
import { UNKNOWN_UUID } from '../../support/expectations/formats.js';
import { describeGuardrailNotFound, describeReferences, fixtureOf } from './assignment-request-tests.js';

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

    it.each(someMalformedBodies({ [kind.field]: ['x'] }, LARGE_BODY))(
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
