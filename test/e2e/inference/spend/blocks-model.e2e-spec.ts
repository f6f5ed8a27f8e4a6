import fc from 'fast-check';
import { ExpiredReservationsService } from '../../../../src/modules/generations/expired-reservations.service.js';
import { GenerationsService } from '../../../../src/modules/generations/generations.service.js';
import { LimitsInForce } from '../../../../src/modules/limits/limits-in-force.service.js';
import type { AskedCounter } from '../../../../src/modules/limits/compiled-limit.js';
import { IdleBlocks } from '../../../../src/modules/spend/blocks/idle-blocks.service.js';
import { ProcessLeasesRepository } from '../../../../src/modules/spend/process-leases.repository.js';
import { ProcessLeaseService } from '../../../../src/modules/spend/process-lease.service.js';
import { DomainError } from '../../../../src/http/errors/domain-error.js';
import type { NewOrganization } from '../../../../src/modules/installation/installation.service.js';
import type { IssuedCredential } from '../../../../src/modules/keys/keys.service.js';
import { sharedReplica } from '../../../support/application/shared-application.js';
import type { TestApplication } from '../../../support/application/test-application.js';
import { until } from '../../../support/time/until.js';
import { newLimit } from '../../../support/resources/limits.js';
import { keepRecordsBefore } from '../../usage/used-generations.js';
import { chargedGeneration } from './charged-generation.js';
import { admitDirectly, directRequest, worstCaseFor } from './direct-admissions.js';
import { sharedGateway } from '../shared-gateway.js';

/** Always the same sequences, unless FUZZ_SEED asks for others. */
const SEED = Number(process.env['FUZZ_SEED'] ?? 20_261_129);

const RUNS = Number(process.env['FUZZ_RUNS'] ?? 6);

const PROCESSES = 2;

/** Days before today, whose windows are apart. */
const DAYS = [0, 1] as const;

type Day = (typeof DAYS)[number];

/** Something that is done; processes by their number, open requests by a number that is taken modulo how many there are. */
type Step =
  | {
      readonly does: 'admit';
      readonly process: number;
      readonly day: Day;
      readonly requests: number;
      readonly dollars: number;
    }
  | { readonly does: 'settle'; readonly request: number; readonly share: number; readonly most: number }
  | { readonly does: 'limit'; readonly dollars: number }
  | { readonly does: 'idle' | 'die'; readonly process: number }
  | { readonly does: 'disconnect' };

const processNumber = fc.nat(PROCESSES - 1);

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      does: fc.constant('admit'),
      process: processNumber,
      day: fc.constantFrom(...DAYS),
      requests: fc.integer({ min: 1, max: 24 }),
      dollars: fc.integer({ min: 1, max: 3 }),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      does: fc.constant('settle'),
      request: fc.nat(1_000),
      share: fc.integer({ min: 0, max: 4 }),
      most: fc.integer({ min: 1, max: 30 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ does: fc.constant('limit'), dollars: fc.integer({ min: 0, max: 900 }) }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constantFrom('idle', 'die'), process: processNumber }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('disconnect') }) },
);

interface OpenRequest {
  readonly id: string;
  readonly process: number;
  readonly day: Day;
  readonly createdAt: Date;
  readonly dollars: number;
}

/** What a limit of each day allows, said as plainly as it can be. */
class PlainCounter {
  limit = 0;
  readonly open: OpenRequest[] = [];
  private readonly spent = new Map<Day, number>();

  left(day: Day): number {
    return this.limit - this.spentOn(day) - this.reservedOn(day);
  }

  reservedOn(day: Day): number {
    return this.open.filter((one) => one.day === day).reduce((sum, { dollars }) => sum + dollars, 0);
  }

  spentOn(day: Day): number {
    return this.spent.get(day) ?? 0;
  }

  charge({ day }: OpenRequest, dollars: number): void {
    this.spent.set(day, this.spentOn(day) + dollars);
  }
}

describe('blocks, whatever happens in whatever order', () => {
  const gateway = sharedGateway();
  const replica = sharedReplica(gateway);
  const processes = (): readonly TestApplication[] => [gateway.app, replica];

  beforeAll(() => keepRecordsBefore(gateway.app, 1));

  const middayBefore = (day: Day): Date =>
    new Date(Math.floor(Date.now() / 86_400_000) * 86_400_000 + 43_200_000 - day * 86_400_000);

  /** A sequence of steps, done to a key and to a plain counter. */
  class Run {
    private readonly model = new PlainCounter();
    private readonly totals = new Map<Day, number>();

    private constructor(
      private readonly organization: NewOrganization,
      private readonly key: IssuedCredential,
      private readonly limitId: string,
    ) {}

    static async begin(): Promise<Run> {
      const organization = await gateway.factory.organization();
      const limitId = await newLimit(gateway.app, organization, {
        measure: 'usd',
        amount: 1_000_000,
        group_by: ['api_key'],
        window: 'lifetime',
      });
      return new Run(organization, await gateway.factory.key(organization), limitId);
    }

    /** What a step leaves: what the plain counter has, and of blocks no more than fits beside it. */
    async check(): Promise<void> {
      let [spentInAll, heldInAll] = [0, 0];
      for (const day of DAYS) {
        const { spent, reserved, leased } = await this.stored(day);
        expect({ spent, reserved }).toEqual({ spent: this.model.spentOn(day), reserved: this.model.reservedOn(day) });
        const total = spent + reserved + leased;
        // What was admitted before the limit was lowered stays.
        expect(total).toBeLessThanOrEqual(Math.max(this.model.limit, this.totals.get(day) ?? 0));
        this.totals.set(day, total);
        spentInAll += spent;
        heldInAll += reserved + leased;
      }
      const counters = await gateway.app.rows(
        `SELECT amount::float8 AS amount, reserved::float8 AS reserved FROM limit_counters WHERE organization_id = $1`,
        [this.organization.organizationId],
      );
      const [counter = { amount: 0, reserved: 0 }] = counters;
      expect(counter).toEqual({ amount: spentInAll, reserved: heldInAll });
    }

    private async stored(day: Day): Promise<Record<'spent' | 'reserved' | 'leased', number>> {
      const sum = (column: string, table: string, condition = 'true'): string =>
        `(SELECT coalesce(sum(${column}), 0)::float8 FROM ${table}
          WHERE organization_id = $1 AND (created_at AT TIME ZONE 'UTC')::date = $2 AND ${condition})`;
      const isBlock = `starts_with(generation_id, 'block-')`;
      const [row] = await gateway.app.rows<Record<'spent' | 'reserved' | 'leased', number>>(
        `SELECT ${sum('cost_usd', 'generations')} AS spent, ${sum('amount_usd', 'spend_reservations', `NOT ${isBlock}`)} AS reserved,
          ${sum('amount_usd', 'spend_reservations', isBlock)} AS leased`,
        [this.organization.organizationId, middayBefore(day).toISOString().slice(0, 10)],
      );
      return row!;
    }

    async do(done: Step): Promise<void> {
      switch (done.does) {
        case 'admit':
          return this.admit(done);
        case 'settle':
          return this.settle(done);
        case 'limit':
          return this.setLimit(done.dollars);
        case 'idle':
          return processes()[done.process]!.application.get(IdleBlocks).giveBack(Infinity);
        case 'die':
          return this.die(done.process);
        case 'disconnect':
          return this.disconnect();
      }
    }

    /** Ends the connections of the processes, as a database that restarts does, until they have noticed it. */
    private async disconnect(): Promise<void> {
      await gateway.app.rows(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
         WHERE datname = current_database() AND application_name <> 'gatehouse test'`,
      );
      const reads = processes().flatMap(({ application }) =>
        Array.from({ length: 10 }, () => () => application.get(ProcessLeasesRepository).leases()),
      );
      await until(async () =>
        (await Promise.allSettled(reads.map((read) => read()))).every(({ status }) => status === 'fulfilled'),
      );
    }

    private async setLimit(dollars: number): Promise<void> {
      this.model.limit = dollars;
      const json = { limit: dollars, limit_reset: 'daily' };
      const { managementKey } = this.organization;
      const { status } = await gateway.app.api.patch(`/keys/${this.key.hash}`, { key: managementKey, json });
      expect(status).toBe(200);
    }

    private async admit({ process, day, requests, dollars }: Step & { does: 'admit' }): Promise<void> {
      const createdAt = middayBefore(day);
      const counter = await this.counterOn(createdAt);
      const { organizationId, userId, workspaceId } = this.organization;
      const spender = { organizationId, keyId: this.key.id, userId, workspaceId };
      const worstCase = worstCaseFor(String(dollars));
      const asked = Array.from({ length: requests }, () =>
        directRequest(spender, {
          createdAt,
          worstCase,
          limitsVersion: String(this.model.limit),
          counters: {
            asked: [{ counter, candidates: [0] }],
            costs: [worstCase.candidates],
            tokens: [],
            isFree: [false],
          },
        }),
      );
      const fitting = Math.max(0, Math.min(requests, Math.floor(this.model.left(day) / dollars)));
      const outcomes = await Promise.allSettled(asked.map((one) => admitDirectly(processes()[process]!, one)));
      const admitted = asked.filter((_, index) => outcomes[index]!.status === 'fulfilled');
      const refused = outcomes.filter((one) => one.status === 'rejected' && one.reason instanceof DomainError);
      expect({ admitted: admitted.length, refused: refused.length }).toEqual({
        admitted: fitting,
        refused: requests - fitting,
      });
      this.model.open.push(...admitted.map(({ generationId: id }) => ({ id, process, day, createdAt, dollars })));
    }

    private async counterOn(createdAt: Date): Promise<AskedCounter> {
      const { organizationId, workspaceId, userId } = this.organization;
      const [limit] = await gateway.app.application.get(LimitsInForce).of(organizationId, workspaceId, this.limitId);
      const names = {
        api_key: this.key.hash,
        workspace: workspaceId,
        member: userId,
        operation: 'completions',
      } as const;
      const match = limit!.match(
        { ...names, user: 'ada', session: null, labels: {}, server: null, tool: null },
        undefined,
        createdAt,
      );
      return match as AskedCounter;
    }

    private async settle({ request, share, most }: Step & { does: 'settle' }): Promise<void> {
      const ended = this.model.open.splice(request % (this.model.open.length || 1), most);
      for (const [process, one] of processes().entries()) {
        const own = ended.filter((open) => open.process === process);
        const records = await Promise.all(own.map((open) => this.recordOf(open, (open.dollars * share) / 4)));
        await Promise.all(records.map((record) => one.application.get(GenerationsService).record(record)));
      }
      for (const open of ended) this.model.charge(open, (open.dollars * share) / 4);
    }

    private async recordOf(open: OpenRequest, dollars: number) {
      const { limitId, combination, windowStart } = await this.counterOn(open.createdAt);
      const amount = String(dollars);
      return {
        ...chargedGeneration(this.organization, this.key, { id: open.id, createdAt: open.createdAt, costUsd: amount }),
        uses: [{ limitId, combination, windowStart: windowStart.toISOString(), amount, byokAmount: '0' }],
      };
    }

    /** A process is taken for dead by the other, which charges its requests, and comes back. */
    private async die(process: number): Promise<void> {
      const [dead, other] = [processes()[process]!, processes()[1 - process]!];
      const { processId } = dead.application.get(ProcessLeaseService);
      await gateway.app.rows(`UPDATE live_processes SET alive_until = '-infinity' WHERE id = $1`, [processId]);
      await other.application.get(ExpiredReservationsService).settle();
      for (const open of this.model.open.filter((one) => one.process === process))
        this.model.charge(open, open.dollars);
      this.model.open.splice(0, this.model.open.length, ...this.model.open.filter((one) => one.process !== process));
    }
  }

  it('admit what a plain counter would, and nothing else: every step', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 40 }), async (steps) => {
        const run = await Run.begin();
        for (const done of [{ does: 'limit', dollars: 600 } as const, ...steps]) {
          await run.do(done);
          await run.check();
        }
      }),
      { seed: SEED, numRuns: RUNS, endOnFailure: true },
    );
  });
});
