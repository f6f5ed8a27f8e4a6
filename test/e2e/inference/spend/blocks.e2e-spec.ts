import { ExpiredReservationsService } from '../../../../src/modules/generations/expired-reservations.service.js';
import type { IssuedCredential } from '../../../../src/modules/keys/keys.service.js';
import { LimitsInForce } from '../../../../src/modules/limits/limits-in-force.service.js';
import type { AdmissionRequest, AmountsOfProcess } from '../../../../src/modules/spend/admission-request.js';
import { BlocksRepository } from '../../../../src/modules/spend/blocks/blocks.repository.js';
import { IdleBlocks } from '../../../../src/modules/spend/blocks/idle-blocks.service.js';
import type { CountedFit, RequestCounters } from '../../../../src/modules/spend/counted-decision.js';
import { DeadProcessesService } from '../../../../src/modules/spend/dead-processes.service.js';
import { unitsOf } from '../../../../src/modules/spend/decimal-amount.js';
import { ProcessLeaseService } from '../../../../src/modules/spend/process-lease.service.js';
import { ReservationsRepository } from '../../../../src/modules/spend/reservations.repository.js';
import { DatabaseUnreachable } from '../../../../src/persistence/database-failures.js';
import { newLimit, newLimitException } from '../../../support/resources/limits.js';
import { admitDirectly, directRequest, worstCaseFor } from './direct-admissions.js';
import { AT_MOST, COST, limitedRequests } from './limited-requests.js';

/** As many as make a block worth it, and more. */
const MANY = 10;

describe('a block of what is reserved ahead', () => {
  const { gateway, replica, organization, key, ask, managed, setLimit, reservations, charged } = limitedRequests();

  const admit = (fields: Partial<AdmissionRequest> = {}, app = gateway.app): Promise<CountedFit & AmountsOfProcess> => {
    const { organizationId, userId, workspaceId } = organization;
    return admitDirectly(app, directRequest({ organizationId, keyId: key.id, userId, workspaceId }, fields));
  };

  const admitMany = (fields: Partial<AdmissionRequest> = {}, app = gateway.app): Promise<unknown> =>
    Promise.all(Array.from({ length: MANY }, () => admit(fields, app)));

  const held = async (): Promise<{ readonly blocks: number[]; readonly sum: number }> => {
    const rows = await reservations();
    const blocks = rows.filter(({ id }) => (id as string).startsWith('block-'));
    return {
      blocks: blocks.map(({ amount }) => Number(amount)),
      sum: rows.reduce((sum, { amount }) => sum + Number(amount), 0),
    };
  };

  /** How often requests of a process were admitted by what is left of limits. */
  const exactAdmissions = (app = gateway.app): jest.SpyInstance =>
    jest.spyOn(app.application.get(ReservationsRepository), 'reserve');

  it('is made behind requests, and pays for the next ones: what is reserved stays the same', async () => {
    await setLimit(key, 1_000);
    await admitMany();
    expect(await held()).toEqual({ blocks: [MANY], sum: 2 * MANY });

    const exact = exactAdmissions();
    await admitMany();
    expect(exact).not.toHaveBeenCalled();
    expect(await held()).toEqual({ blocks: [0], sum: 2 * MANY });
    await admit();
    expect(exact).toHaveBeenCalledTimes(1);
  });

  it('is not made for few requests, nor of little', async () => {
    await setLimit(key, 1_000);
    await admit();
    expect(await held()).toEqual({ blocks: [], sum: 1 });
    await setLimit(key, 2 * MANY);
    await admitMany();
    expect(await held()).toEqual({ blocks: [], sum: MANY + 1 });
  });

  it('is called in by a process that needs it: by a replica for all that is left, behind which is a 402', async () => {
    await setLimit(key, 1_000);
    await admitMany();
    await admit({ worstCase: worstCaseFor('990') }, replica);
    expect(await held()).toEqual({ blocks: [], sum: 1_000 });
    await expect(admit()).rejects.toMatchObject({ status: 402 });
    expect(await held()).toEqual({ blocks: [], sum: 1_000 });
  });

  it('is called in before an answer is made shorter: the cap is what all of the rest pays for', async () => {
    await setLimit(key, 1_000);
    await admitMany();
    const candidate = { fixed: 0n, perToken: unitsOf('1'), longestAnswer: 995, isByok: false };
    const fit = await admit({ worstCase: { candidates: [candidate], namedTokens: null } }, replica);
    expect(fit).toMatchObject({ cappedTokens: 990 });
  });

  it('stays where it does not help: the refusal is for what would be left without it, 402', async () => {
    await setLimit(key, 1_000);
    await admitMany();
    const candidate = { fixed: 0n, perToken: unitsOf('1'), longestAnswer: 1, isByok: false };
    await expect(admit({ worstCase: { candidates: [candidate], namedTokens: 991 } }, replica)).rejects.toMatchObject({
      status: 402,
      particulars: expect.stringContaining('can only afford 990') as string,
    });
    expect((await held()).blocks).toEqual([MANY]);
  });

  it('pays for nothing once a limit has changed: a lower one holds at once for the next request, 402', async () => {
    await setLimit(key, 1_000);
    await admitMany();
    await setLimit(key, MANY + 2);
    const changed = { limitsVersion: 'changed' };
    await Promise.all([admit(changed), admit(changed)]);
    await expect(admit(changed)).rejects.toMatchObject({ status: 402 });
    expect(await held()).toEqual({ blocks: [], sum: MANY + 2 });
  });

  it('does not count for others where a limit was set below what it holds: 402 only behind its end', async () => {
    await setLimit(key, 1_000);
    await admitMany();
    await setLimit(key, MANY + 1);
    await admit({ limitsVersion: 'changed' }, replica);
    await expect(admit({}, gateway.app)).rejects.toMatchObject({ status: 402 });
    expect(await held()).toEqual({ blocks: [], sum: MANY + 1 });
  });

  it('is of one day: it pays for no request of another', async () => {
    await setLimit(key, 1_000, { limit_reset: 'daily' });
    await admitMany();
    const exact = exactAdmissions();
    await admit({ createdAt: new Date('2026-01-31T23:59:59Z') });
    expect(exact).toHaveBeenCalledTimes(1);
  });

  it('is given back when it is not used', async () => {
    await setLimit(key, 1_000);
    await admitMany();
    const idle = gateway.app.application.get(IdleBlocks);
    await idle.giveBack(-Infinity);
    expect((await held()).blocks).toEqual([MANY]);
    await idle.giveBack(Infinity);
    expect(await held()).toEqual({ blocks: [], sum: MANY });
    await admitMany();
    expect(await held()).toEqual({ blocks: [2 * MANY], sum: 4 * MANY });
  });

  it('is forgotten where it is not known what a request has taken of it, and given back later', async () => {
    await setLimit(key, 1_000);
    await admitMany();
    const lost = new DatabaseUnreachable('the answer was lost');
    jest.spyOn(gateway.app.application.get(BlocksRepository), 'take').mockRejectedValueOnce(lost);
    await expect(admit()).rejects.toBe(lost);
    await admit();
    expect((await held()).blocks).toContain(MANY);
    await gateway.app.application.get(IdleBlocks).giveBack(-Infinity);
    expect((await held()).blocks).not.toContain(MANY);
  });

  it('of a dead process is given back and not charged; what it has paid for is', async () => {
    await setLimit(key, 1_000);
    await admitMany();
    await admit();
    jest.spyOn(gateway.app.application.get(ProcessLeaseService), 'renew').mockResolvedValue('');
    // Whole milliseconds, whose sums are exact: the lease ends at a full number of them.
    const begin = Math.ceil(performance.now());
    // For longer than a lease: it may just have been renewed.
    for (let second = 0; second <= 90; second += 5) {
      await replica.application.get(DeadProcessesService).look(() => begin + second * 1_000);
    }
    await replica.application.get(ExpiredReservationsService).settle();
    expect(await held()).toEqual({ blocks: [], sum: 0 });
    expect(await charged()).toBe(unitsOf(String(MANY + 1)));
  });

  it('pays for nothing after the lease of its process was ended, also before it was given back', async () => {
    await setLimit(key, 1_000);
    await admitMany();
    const before = gateway.app.application.get(ProcessLeaseService).processId;
    await gateway.app.rows(`UPDATE live_processes SET alive_until = '-infinity' WHERE id = $1`, [before]);
    const { processId } = await admit();
    expect(processId).not.toBe(before);
    const [left] = await gateway.app.rows(
      'SELECT sum(amount_usd)::float8 AS sum FROM spend_reservations WHERE organization_id = $1 AND process_id = $2',
      [organization.organizationId, before],
    );
    expect(left).toEqual({ sum: 2 * MANY });
  });

  describe('for limits by condition and group', () => {
    const countersOf = async (limitId: string): Promise<RequestCounters> => {
      const { organizationId, workspaceId, userId } = organization;
      const limits = await gateway.app.application.get(LimitsInForce).of(organizationId, workspaceId, limitId);
      const request = {
        api_key: key.hash,
        workspace: workspaceId,
        member: userId,
        operation: 'completions',
        user: 'ada',
        session: null,
        labels: {},
        server: null,
        tool: null,
      } as const;
      const counter = limits[0]!.match(request, undefined, new Date());
      if (counter === undefined || 'missing' in counter) throw new Error('the limit does not apply');
      const costs = [worstCaseFor('1').candidates];
      return { asked: [{ counter, candidates: [0] }], costs, tokens: [], isFree: [false] };
    };

    const counter = (): Promise<Record<string, unknown>[]> =>
      gateway.app.rows(
        `SELECT amount::float8 AS amount, reserved::float8 AS reserved, reserved_with_byok::float8 AS "withByok"
          FROM limit_counters WHERE organization_id = $1`,
        [organization.organizationId],
      );

    const shownUse = async (id: string): Promise<object> => {
      const answer = await gateway.app.api.get<{ data: readonly object[] }>(`/limits/${id}/usage`, {
        key: organization.managementKey,
      });
      return answer.body.data[0]!;
    };

    it('holds of their counters what its requests hold of them; what is shown as reserved is without it', async () => {
      const id = await newLimit(gateway.app, organization, { amount: 1_000 });
      const counters = await countersOf(id);
      await admitMany({ counters });
      expect(await counter()).toEqual([{ amount: 0, reserved: 2 * MANY, withByok: 2 * MANY }]);
      expect(await shownUse(id)).toMatchObject({ used: 0, reserved: MANY, left: 1_000 - MANY });

      const exact = exactAdmissions();
      await admitMany({ counters });
      expect(exact).not.toHaveBeenCalled();
      expect(await counter()).toEqual([{ amount: 0, reserved: 2 * MANY, withByok: 2 * MANY }]);
      expect(await shownUse(id)).toMatchObject({ used: 0, reserved: 2 * MANY, left: 1_000 - 2 * MANY });
      await gateway.app.application.get(IdleBlocks).giveBack(Infinity);
      expect(await counter()).toEqual([{ amount: 0, reserved: 2 * MANY, withByok: 2 * MANY }]);
    });

    it('is called in for a counter of which too little is left otherwise: 402 only behind its end', async () => {
      const id = await newLimit(gateway.app, organization, { amount: 1_000, measure: 'usd' });
      const counters = await countersOf(id);
      await admitMany({ counters });
      const worstCase = worstCaseFor('990');
      await admit({ counters: { ...counters, costs: [worstCase.candidates] }, worstCase }, replica);
      expect(await counter()).toEqual([{ amount: 0, reserved: 1_000, withByok: 1_000 }]);
      await expect(admit({ counters })).rejects.toMatchObject({ status: 402 });
    });

    it('is not made where an exception applies, which may end at any time, nor for requests at the same time', async () => {
      const id = await newLimit(gateway.app, organization, { amount: 1_000 });
      await newLimitException(gateway.app, organization, id, { values: { user: 'ada' }, amount: 2_000 });
      await admitMany({ counters: await countersOf(id) });
      expect((await held()).blocks).toEqual([]);
      await gateway.app.rows('DELETE FROM limits WHERE id = $1', [id]);
      const concurrent = { measure: 'concurrent', window: null, amount: 1_000 };
      await admitMany({ counters: await countersOf(await newLimit(gateway.app, organization, concurrent)) });
      expect((await held()).blocks).toEqual([]);
    });

    it('is not used any more after an exception was made or deleted, because its limit has another version then: 200', async () => {
      const id = await newLimit(gateway.app, organization);
      const versions = new Set<unknown>();
      const note = async (): Promise<void> => {
        const [row] = await gateway.app.rows('SELECT xmin::text AS version FROM limits WHERE id = $1', [id]);
        versions.add(row!['version']);
      };
      await note();
      const exception = await newLimitException(gateway.app, organization, id, { values: { user: 'ada' }, amount: 1 });
      await note();
      const path = `/limits/${id}/exceptions/${exception}`;
      expect((await gateway.app.api.delete(path, { key: organization.managementKey })).status).toBe(200);
      await note();
      expect(versions.size).toBe(3);
    });
  });

  it.each(['gateway', 'replica'])(
    'is used by requests over HTTP up to the last one that a limit pays for: 402 behind it (%s)',
    async (which) => {
      const app = which === 'gateway' ? gateway.app : replica;
      await setLimit(key, 1_000);
      await admitMany({}, app);
      await admit({ worstCase: worstCaseFor('990') }, app);
      const json = { model: 'acme/writer', messages: [{ role: 'user', content: 'Hello' }], max_tokens: 5 };
      expect((await app.api.post('/chat/completions', { key: key.plaintext, json })).status).toBe(402);
    },
  );

  it('is shared by none and hinders none: 30 keys on two replicas spend one budget to the last request, 200 for each that it pays for', async () => {
    const room = 100;
    await managed('put', `/workspaces/${organization.workspaceId}/budgets/monthly`, { limit_usd: COST * room });
    const keys = await Promise.all(Array.from({ length: 30 }, () => gateway.factory.key(organization)));
    const statuses: number[] = [];
    const spend = async (issued: IssuedCredential, index: number): Promise<void> => {
      for (let request = 0; request < 6; request += 1) {
        statuses.push((await ask(issued, AT_MOST, index % 2 === 0 ? gateway.app : replica)).status);
      }
    };
    await Promise.all(keys.map(spend));
    expect(statuses.filter((status) => status === 200)).toHaveLength(room);
    expect(statuses.filter((status) => status !== 200 && status !== 402 && status !== 403)).toEqual([]);
    expect(await charged()).toBe(unitsOf(String(COST)) * BigInt(room));
  });
});
