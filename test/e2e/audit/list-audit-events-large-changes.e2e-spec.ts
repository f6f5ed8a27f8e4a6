import { createHash } from 'node:crypto';
import { AuditVerificationService, type ChainReport } from '../../../src/modules/audit/audit-verification.service.js';
import type { AuditedChange, AuditedChanges } from '../../../src/modules/audit/audited-event.js';
import { anEvent, recordEvents } from '../../support/resources/audit-chain.js';
import { inOwnerTransaction, runWithoutTriggers } from '../../support/database/privileged-connections.js';
import { auditEventLists } from './audit-event-lists.js';

describe('listAuditEvents', () => {
  const { app, organization, list } = auditEventLists();

  describe('with large changes', () => {
    const changesOf = async (changes: AuditedChanges): Promise<AuditedChanges | null> => {
      await recordEvents(app, organization.organizationId, [anEvent({ changes })]);
      const { status, body } = await list();
      expect(status).toBe(200);
      expect(body.data).toHaveLength(1);
      return body.data[0]!.changes;
    };
    const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

    it('answers 200 with a digest of each value of more than 16 KiB, and with all other values', async () => {
      const before = 'ü'.repeat(8_192);
      const users = Array.from({ length: 1_000 }, (_, index) => `user_${index}_of_a_thousand`);
      const listed = `[${users.map((user) => JSON.stringify(user)).join(', ')}]`;
      const kept = 'x'.repeat(16_382);

      expect(
        await changesOf({ name: { before, after: 'short' }, user_ids: { after: users }, note: { after: kept } }),
      ).toEqual({
        name: { before_digest: { sha256: sha256(JSON.stringify(before)), bytes: 16_386 }, after: 'short' },
        user_ids: { after_digest: { sha256: sha256(listed), bytes: listed.length, items: 1_000 } },
        note: { after: kept },
      });
    });

    it('answers 200 with digests of smaller values when all values together are larger than 64 KiB', async () => {
      const field = (length: number): AuditedChange => ({ after: 'x'.repeat(length) });
      const fields = (length: number): [string, AuditedChange][] =>
        Array.from({ length: 10 }, (_, index) => [`of_${length}_${index}`, field(length)]);

      const changes = await changesOf(Object.fromEntries([...fields(10_000), ...fields(1_000)]));

      expect(Object.keys(changes!)).toHaveLength(20);
      for (const [name, change] of Object.entries(changes!)) {
        expect(change).toEqual(
          name.startsWith('of_1000_') ? field(1_000) : { after_digest: expect.any(Object) as unknown },
        );
      }
    });

    it('answers 200 with one digest for all fields when the field names alone are larger than 64 KiB', async () => {
      const changes = Object.fromEntries(
        Array.from({ length: 5_000 }, (_, index) => [`field_${index}`, { after: index }]),
      );
      expect(await changesOf(changes)).toEqual({
        '*': { after_digest: { sha256: expect.any(String) as string, bytes: expect.any(Number) as number } },
      });
    });

    it('answers 200 for the largest possible page, within its size limit', async () => {
      const changes = Object.fromEntries(
        Array.from({ length: 5 }, (_, index) => [`field_${index}`, { after: '\u0001'.repeat(2_100) }]),
      );
      await recordEvents(
        app,
        organization.organizationId,
        Array.from({ length: 100 }, () => anEvent({ changes })),
      );

      const { status, body } = await list('?limit=100');

      expect([status, body.data.length]).toEqual([200, 100]);
      for (const event of body.data) {
        expect(event.changes).toEqual(changes);
        expect(Buffer.byteLength(JSON.stringify(event.changes))).toBeLessThanOrEqual(65_536);
      }
    });

    it('answers 200 for events stored before there was a size limit, and their chain still verifies', async () => {
      const { organizationId } = organization;
      await inOwnerTransaction(app, async (runner) => {
        await runner.query('ALTER TABLE audit_events DISABLE TRIGGER bound_changes');
        await runner.query(
          `INSERT INTO audit_events (id, organization_id, actor_kind, action, target_type, target_id, changes, created_at)
         SELECT gen_random_uuid(), $1, 'command_line', 'thing.change', 'thing', n::text,
           jsonb_build_object('name', jsonb_build_object('after', repeat('x', n))), now()
         FROM unnest(ARRAY[65000, 1000000]) AS n`,
          [organizationId],
        );
        await runner.query('SET CONSTRAINTS ALL IMMEDIATE');
        await runner.query('ALTER TABLE audit_events ENABLE TRIGGER bound_changes');
        // As the release that brought the limit did.
        await runner.query(`INSERT INTO audit_large_changes (organization_id, event_id, sha256, bytes)
          SELECT organization_id, id, sha256(convert_to(changes::text, 'UTF8')), octet_length(changes::text)
          FROM audit_events WHERE octet_length(changes::text) > 65536`);
      });
      const text = `{"name": {"after": "${'x'.repeat(1_000_000)}"}}`;
      const verify = (): Promise<ChainReport> => app.application.get(AuditVerificationService).verify(organizationId);

      for (const query of ['', '?action=thing.change']) {
        const { status, body } = await list(query);
        expect(status).toBe(200);
        expect(body.data.map(({ changes }) => changes)).toEqual([
          { name: { after: 'x'.repeat(65_000) } },
          { '*': { after_digest: { sha256: sha256(text), bytes: text.length } } },
        ]);
      }
      expect(await verify()).toMatchObject({ events: '2', issues: [] });
      await runWithoutTriggers(app, 'UPDATE audit_large_changes SET bytes = bytes + 1');
      expect(await verify()).toMatchObject({ issues: [{ kind: 'changed_copy', sequence: '2' }] });
    });
  });
});
