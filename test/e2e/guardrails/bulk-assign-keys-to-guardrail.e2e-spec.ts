import { sharedApplication } from '../../support/application/shared-application.js';
import { describeBulkAssign } from './bulk-assign-tests.js';
import { Assignments, KEYS } from './assignments.js';
import { expectRefusal } from '../../support/expectations/error-envelope.js';

describeBulkAssign(KEYS);

describe('POST /guardrails/{id}/assignments/keys', () => {
  const app = sharedApplication({ topic: 'suite' });

  it('answers 404 for a management key, which no guardrail applies to', async () => {
    const organization = await app.factory.organization();
    const here = new Assignments(KEYS, app, organization);
    const { hash } = await app.factory.key(organization, { kind: 'management_key' });

    const answer = await here.assign(await here.newGuardrail(), [hash]);

    expectRefusal(answer, { status: 404, reason: 'key_not_found', userId: organization.userId });
  });

  it('answers 200 for the old hash of a key during its rotation, and lists the new hash', async () => {
    const organization = await app.factory.organization();
    const here = new Assignments(KEYS, app, organization);
    const [old, now] = [await app.factory.key(organization), await app.factory.key(organization)];
    await app.rows('DELETE FROM api_keys WHERE id = $1', [old.id]);
    await app.rows(
      `UPDATE api_keys SET previous_hash = decode($2, 'hex'), previous_hash_expires_at = now() + interval '1 hour' WHERE id = $1`,
      [now.id, old.hash],
    );
    const guardrailId = await here.newGuardrail();

    expect((await here.assign(guardrailId, [old.hash, now.hash])).body).toEqual({ assigned_count: 1 });
    expect(await here.listed()).toEqual({ pairs: [[now.hash, guardrailId]], total: 1 });
  });
});
