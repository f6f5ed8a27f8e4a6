import { defaultGuardrailIdOf } from '../../../src/persistence/identifiers.js';
import { type AssignmentKind, Assignments } from './assignments.js';
import { auditEventsOf } from '../../support/expectations/audit-events.js';
import { expectToFitContract } from '../../support/contract/contract-answers.js';
import { LARGE_BODY, someMalformedBodies } from '../../support/requests/malformed-bodies.js';
import { expectRefusal } from '../../support/expectations/error-envelope.js';
import { UNKNOWN_UUID } from '../../support/expectations/formats.js';
import { describeGuardrailNotFound, describeReferences, fixtureOf } from './assignment-request-tests.js';

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

    it.each(someMalformedBodies({ [kind.field]: ['x'] }, LARGE_BODY))(
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
