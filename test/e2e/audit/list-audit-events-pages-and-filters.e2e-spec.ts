import { DataSource } from 'typeorm';
import { Statements } from '../../../src/persistence/statements.js';
import { newUuid } from '../../../src/persistence/identifiers.js';
import { type Actor, AuditTrail, COMMAND_LINE } from '../../../src/modules/audit/audit-trail.js';
import type { AuditEvent } from '../../../src/modules/audit/dto/audit-event.dto.js';
import { anEvent, recordEvents } from '../../support/resources/audit-chain.js';
import { SOME_INVALID_PAGE_QUERIES } from '../../support/requests/invalid-page-queries.js';
import { expectEveryPage, walkPages } from '../../support/expectations/pages.js';
import { expectRefusal } from '../../support/expectations/error-envelope.js';
import { auditEventLists, PATH } from './audit-event-lists.js';

describe('listAuditEvents', () => {
  const { app, organization, list, found, record } = auditEventLists();

  describe('pagination', () => {
    it('answers 200 with the matching slice of the list for every offset and limit, with and without a filter', async () => {
      await record('1', '2', '3', '4', '5');
      await recordEvents(app, organization.organizationId, [anEvent({ action: 'other.change' })]);
      const key = organization.managementKey;
      const everything = (await list()).body.data;

      await expectEveryPage(app, { path: PATH, key }, everything);
      const filtered = everything.filter(({ action }) => action === 'thing.change');
      expect(filtered).toHaveLength(5);
      await expectEveryPage(app, { path: `${PATH}?action=thing.change`, key }, filtered);
    });

    it.each(['', '?action=thing.change', '?since=2026-01-01T00:00:00Z'])(
      'skips and repeats no event while events are being added (%s)',
      async (query) => {
        await record('1', '2', '3');
        let added = 3;
        const pages = await walkPages<AuditEvent>(app, {
          path: `${PATH}${query}`,
          key: organization.managementKey,
          limit: 2,
          betweenPages: async () => {
            if (added < 6) await record(String((added += 1)));
          },
        });

        expect(pages.flatMap(({ data }) => data.map(({ target }) => target.id))).toEqual([
          '1',
          '2',
          '3',
          '4',
          '5',
          '6',
        ]);
      },
    );

    it('answers 200 in the order of commits, also when an event began earlier', async () => {
      const statements = new Statements(app.application.get(DataSource));
      const trail = app.application.get(AuditTrail);
      await statements.transaction(async (tx) => {
        await trail.record(tx, organization.organizationId, COMMAND_LINE, anEvent({ targetId: 'slow' }));
        await record('fast');
      });

      expect(await found('')).toEqual(['fast', 'slow']);
      expect(await found('?actor=command_line')).toEqual(['fast', 'slow']);
    });

    it('answers 200 with an empty page for an offset larger than any integer type', async () => {
      await record('1');
      const { body } = await list(`?offset=${'9'.repeat(30)}`);
      expect(body).toEqual({ data: [], total_count: 1 });
    });
  });

  describe('filters', () => {
    it('answer 200 with the matching events, alone and combined', async () => {
      const { organizationId } = organization;
      const user: Actor = {
        kind: 'api_key',
        origin: null,
        organizationId,
        userId: 'user_somebody',
        credentialId: newUuid(),
        workspaceId: null,
      };
      await recordEvents(app, organizationId, [
        anEvent({ action: 'a.create', targetId: 'a1' }),
        anEvent({ action: 'a.delete', targetId: 'a1' }),
        anEvent({ action: 'a.create', targetId: 'a2' }),
      ]);
      await recordEvents(app, organizationId, [anEvent({ action: 'a.create', targetId: 'a3' })], user);

      expect(await found('?action=a.create')).toEqual(['a1', 'a2', 'a3']);
      expect(await found('?target=a1')).toEqual(['a1', 'a1']);
      expect(await found('?actor=user_somebody')).toEqual(['a3']);
      expect(await found('?actor=command_line')).toEqual(['a1', 'a1', 'a2']);
      expect(await found('?action=a.create&target=a1')).toEqual(['a1']);
      expect(await found('?actor=command_line&action=a.create&target=a2')).toEqual(['a2']);
      expect(await found('?actor=user_somebody&action=a.delete')).toEqual([]);
      expect(await found('?action=a.unknown')).toEqual([]);
      expect(await found('?target=A1')).toEqual([]);
      expect(await found('?target=a1%25')).toEqual([]);
    });

    it('since and until answer 200 with events from since on and before until', async () => {
      await record('1');
      await new Promise((resolve) => setTimeout(resolve, 5));
      await record('2');
      await new Promise((resolve) => setTimeout(resolve, 5));
      await record('3');
      const [, second] = (await list()).body.data;
      const moment = second!.created_at;
      const elsewhere = encodeURIComponent(
        `${new Date(Date.parse(moment) + 2 * 3_600_000).toISOString().slice(0, -1)}+02:00`,
      );

      expect(await found(`?since=${moment}`)).toEqual(['2', '3']);
      expect(await found(`?since=${elsewhere}`)).toEqual(['2', '3']);
      expect(await found(`?until=${moment}`)).toEqual(['1']);
      expect(await found(`?since=${moment}&until=${moment}`)).toEqual([]);
      expect(await found(`?since=${moment}&target=3`)).toEqual(['3']);
      expect(await found('?since=2026-01-01T00:00:00Z&until=9999-12-31T23:59:59Z')).toEqual(['1', '2', '3']);
      expect(await found('?until=0001-01-01T00:00:00Z')).toEqual([]);
    });

    it.each([
      ['since=yesterday', ['since']],
      ['since=2026-01-01', ['since']],
      ['since=0000-01-01T00:00:00%2B00:01', ['since']],
      ['until=9999-12-31T23:59:59-23:59', ['until']],
      ['since=', ['since']],
      ['since=2026-02-30T00:00:00Z', ['since']],
      ['until=1700000000', ['until']],
      ['since=2026-01-01T00:00:00Z&since=2026-01-01T00:00:00Z', ['since']],
      ['since=2026-01-02T00:00:00Z&until=2026-01-01T00:00:00Z', ['until']],
      ['action=', ['action']],
      ['action=create', ['action']],
      ['action=guardrail.%25', ['action']],
      [`action=${'a'.repeat(60)}.${'b'.repeat(60)}`, ['action']],
      ['actor=', ['actor']],
      [`actor=${'x'.repeat(201)}`, ['actor']],
      ['target=', ['target']],
      ['target=%00', ['target']],
      ['target_type=guardrail', ['target_type']],
      ['actor=&action=x&since=x&limit=0', ['action', 'actor', 'limit', 'since']],
      ...SOME_INVALID_PAGE_QUERIES,
    ] as (readonly [string, readonly string[]])[])('answer 400 for ?%s', async (query, paths) => {
      const { userId } = organization;
      expectRefusal(await list(`?${query}`), { status: 400, reason: 'invalid_parameters', paths, userId });
    });
  });
});
