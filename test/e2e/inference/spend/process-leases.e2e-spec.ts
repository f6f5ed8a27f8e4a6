import { ExpiredReservationsService } from '../../../../src/modules/generations/expired-reservations.service.js';
import { DeadProcessesService } from '../../../../src/modules/spend/dead-processes.service.js';
import { unitsOf } from '../../../../src/modules/spend/decimal-amount.js';
import { ProcessLeaseService } from '../../../../src/modules/spend/process-lease.service.js';
import { ProcessLeasesRepository } from '../../../../src/modules/spend/process-leases.repository.js';
import { DatabaseUnreachable } from '../../../../src/persistence/database-failures.js';
import type { TestApplication } from '../../../support/application/test-application.js';
import { steppedClock } from '../../../support/database/stepped-clock.js';
import { until } from '../../../support/time/until.js';
import { sharedGateway } from '../shared-gateway.js';
import { AT_MOST, COST, limitedRequests, USAGE } from './limited-requests.js';

/** The time between two looks of a process, and the lease, in seconds. */
const LOOK = 5;
const LEASE = 30;

/** Usage of a request that costs less than its worst case, and what it costs. */
const FEWER = { prompt_tokens: 18, completion_tokens: 1, total_tokens: 19 };
const COST_OF_FEWER = '0.00002';

describe('the leases of processes', () => {
  const { gateway, replica, key, holdAlpha, ask, setLimit, reservations, charged } = limitedRequests();

  const processIdOf = (app: TestApplication): string => app.application.get(ProcessLeaseService).processId;

  /** Lets a process renew its lease no more. */
  const suspend = (app: TestApplication): void => {
    jest.spyOn(app.application.get(ProcessLeasesRepository), 'renew').mockResolvedValue(true);
  };

  /** Lets a process look at the others for a time by its own clock, in seconds. */
  const lookFor = async (app: TestApplication, seconds: number, atEachLook?: () => Promise<unknown>): Promise<void> => {
    // Whole milliseconds, whose sums are exact: the lease ends at a full number of them.
    const begin = Math.ceil(performance.now());
    for (let second = 0; second <= seconds; second += LOOK) {
      await atEachLook?.();
      await app.application.get(DeadProcessesService).look(() => begin + second * 1_000);
    }
  };

  const settleOn = (app: TestApplication): Promise<void> => app.application.get(ExpiredReservationsService).settle();

  /** Begins a request that holds a reservation until it is let go on. */
  const begin = async (usage: object = USAGE): Promise<() => ReturnType<typeof ask>> => {
    await setLimit(key, COST * 2);
    const release = holdAlpha(usage);
    const answering = ask(key);
    await until(async () => (await reservations()).length === 1);
    return async () => (release(), answering);
  };

  it('that are not renewed end: the worst case is charged, with 500 in the record; what is settled later changes nothing', async () => {
    const end = await begin(FEWER);
    suspend(gateway.app);
    await lookFor(replica, LEASE);
    await Promise.all([settleOn(replica), settleOn(gateway.app)]);

    expect(await reservations()).toEqual([]);
    expect(await charged()).toBe(unitsOf(String(COST)));
    const answer = await end();
    expect(answer.status).toBe(200);
    expect(await gateway.record(answer, key)).toMatchObject({
      status: 500,
      refusal: 'reservation_expired',
      finish_reason: 'error',
      total_cost: COST,
      model: 'acme/writer',
    });
    const { body } = await gateway.app.api.get<{ data: object }>('/key', { key: key.plaintext });
    expect(body.data).toMatchObject({ usage: COST, limit_remaining: COST });
  });

  it('that are not renewed hold until another process has seen it for their whole length: 200', async () => {
    const end = await begin();
    suspend(gateway.app);
    await lookFor(replica, LEASE - LOOK);
    await settleOn(replica);
    expect(await reservations()).toHaveLength(1);
    expect((await end()).status).toBe(200);
    expect(await charged()).toBe(unitsOf(String(COST)));
  });

  it('that are renewed hold, however long another process looks: 200', async () => {
    const end = await begin(FEWER);
    const renew = (): Promise<string> => gateway.app.application.get(ProcessLeaseService).renew();
    await lookFor(replica, LEASE * 3, renew);
    await settleOn(replica);
    expect(await reservations()).toHaveLength(1);
    expect((await end()).status).toBe(200);
    expect(await charged()).toBe(unitsOf(COST_OF_FEWER));
  });

  it('hold after a time in which the database was out of reach for all, until each could renew its own: 200', async () => {
    const end = await begin();
    suspend(gateway.app);
    const dead = replica.application.get(DeadProcessesService);
    await lookFor(replica, LOOK);
    await dead.look(() => performance.now() + 3_600_000);
    await settleOn(replica);
    expect(await reservations()).toHaveLength(1);
    expect((await end()).status).toBe(200);
  });

  it('that have ended are not renewed: the process, whose clock stood still, admits under another id: 200', async () => {
    const end = await begin();
    const before = processIdOf(gateway.app);
    suspend(gateway.app);
    await lookFor(replica, LEASE);
    jest.restoreAllMocks();

    const next = ask(key);
    await until(async () => (await reservations()).length === 2);
    const rows = await gateway.app.rows<{ process: string }>('SELECT process_id AS process FROM spend_reservations');
    expect(new Set(rows.map(({ process }) => process))).toEqual(new Set([before, processIdOf(gateway.app)]));
    expect(processIdOf(gateway.app)).not.toBe(before);
    expect(gateway.app.logLines.join('')).toContain('has taken this one for dead');

    // Only others charge what was reserved before, and nothing of what was reserved since; also where there are dead processes besides.
    await gateway.app.rows(`INSERT INTO live_processes VALUES (gen_random_uuid(), '-infinity')`);
    await settleOn(gateway.app);
    expect(await reservations()).toHaveLength(2);
    await settleOn(replica);
    expect(await reservations()).toHaveLength(1);
    expect((await end()).status).toBe(200);
    expect((await next).status).toBe(200);
    expect(await charged()).toBe(unitsOf(String(COST * 2)));
  });

  it('that have ended pay for no further attempt, because the request may be charged already: 503', async () => {
    await setLimit(key, COST * 10);
    const fields = { max_tokens: 5, provider: { order: ['alpha', 'beta'] } };
    let fail = (): void => undefined;
    const failing = new Promise<void>((resolve) => (fail = resolve));
    gateway.alpha.answerWith(async (response) => {
      await failing;
      // A head and half a document, which the provider may charge for.
      response.writeHead(200, { 'content-type': 'application/json' }).write('{"id":', () => response.destroy());
    });
    const asked = jest.fn();
    gateway.beta.answerWith((response) => {
      asked();
      response.writeHead(500).end();
    });
    const answering = ask(key, fields);
    await until(async () => (await reservations()).length === 1);
    suspend(gateway.app);
    await lookFor(replica, LEASE);
    jest.spyOn(gateway.app.application.get(ProcessLeasesRepository), 'renew').mockRestore();
    fail();
    expect((await answering).status).toBe(503);
    expect(asked).not.toHaveBeenCalled();
    await settleOn(replica);
    expect(await reservations()).toEqual([]);
  });

  it('that are over by the clock of the process are renewed before it admits: 503 until they can be, then 200', async () => {
    await setLimit(key, COST * 2);
    expect((await ask(key)).status).toBe(200);
    const now = performance.now.bind(performance);
    const clock = jest.spyOn(performance, 'now').mockImplementation(() => now() + LEASE * 1_000);
    const renewal = jest
      .spyOn(gateway.app.application.get(ProcessLeasesRepository), 'renew')
      .mockRejectedValue(new DatabaseUnreachable('gone'));
    const refused = await ask(key);
    clock.mockRestore();
    expect(refused).toMatchObject({ status: 503, body: { error: { metadata: { reason: 'database_unavailable' } } } });
    expect(await reservations()).toEqual([]);

    renewal.mockRestore();
    expect((await ask(key)).status).toBe(200);
    expect(await charged()).toBe(unitsOf(String(COST * 2)));
  });

  it('are charged for where a process has reservations and none: 200', async () => {
    const end = await begin();
    suspend(gateway.app);
    await gateway.app.rows('DELETE FROM live_processes WHERE id = $1', [processIdOf(gateway.app)]);
    await lookFor(replica, LEASE - LOOK);
    expect(await replica.application.get(DeadProcessesService).reservations(10)).toEqual([]);
    await lookFor(replica, LEASE);
    await settleOn(replica);
    expect(await reservations()).toEqual([]);
    expect((await end()).status).toBe(200);
    expect(await charged()).toBe(unitsOf(String(COST)));
  });

  it('that have ended are deleted after ten minutes, where nothing is reserved under them any more', async () => {
    const another = await gateway.replica();
    await another.application.get(ProcessLeaseService).hold();
    const gone = processIdOf(another);
    await another.stop();
    const rowsOf = (): Promise<object[]> => gateway.app.rows('SELECT FROM live_processes WHERE id = $1', [gone]);
    await lookFor(replica, LEASE + LOOK + 590);
    expect(await rowsOf()).toHaveLength(1);
    await lookFor(replica, LEASE + LOOK + 600);
    expect(await rowsOf()).toEqual([]);
  });
});

describe('the leases of processes, when the clock of the database steps', () => {
  const ownGateway = (): ReturnType<typeof sharedGateway> => sharedGateway();
  const { gateway, replica, key, holdAlpha, ask, setLimit, reservations, charged } = limitedRequests(ownGateway);
  let step: (seconds: number) => Promise<void>;

  beforeAll(async () => {
    step = await steppedClock(gateway.app, replica);
  });

  it.each([3_600, -3_600, 45, 40 * 86_400])(
    'by %i s hold while they are renewed, and requests cost what they cost: 200',
    async (seconds) => {
      await setLimit(key, COST * 2);
      const release = holdAlpha(FEWER);
      const answering = ask(key, AT_MOST);
      await until(async () => (await reservations()).length === 1);
      // Whole milliseconds, whose sums are exact: the lease ends at a full number of them.
      const begin = Math.ceil(performance.now());
      for (let second = 0; second <= LEASE * 2; second += LOOK) {
        if (second === LEASE) await step(seconds);
        for (const app of [gateway.app, replica]) {
          await app.application.get(DeadProcessesService).look(() => begin + second * 1_000);
          await app.application.get(ExpiredReservationsService).settle();
        }
        for (const app of [gateway.app, replica]) await app.application.get(ProcessLeaseService).renew();
      }
      expect(await reservations()).toHaveLength(1);
      release();
      const answer = await answering;
      expect(answer.status).toBe(200);
      expect(await charged()).toBe(unitsOf(COST_OF_FEWER));
      await step(-seconds);
    },
  );
});
