import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { Environment } from '../../config/environment.js';
import { RepeatedWork } from '../../persistence/repeated-work.js';
import { ServiceLogger } from '../../telemetry/logging/service-logger.js';
import { isBlock } from '../limits/block-names.js';
import type { CounterUse, LimitHold } from '../limits/limit-counters.js';
import { BlocksRepository } from '../spend/blocks/blocks.repository.js';
import { IdleBlocks } from '../spend/blocks/idle-blocks.service.js';
import { DeadProcessesService } from '../spend/dead-processes.service.js';
import { ProcessLeaseService } from '../spend/process-lease.service.js';
import { byOrganization } from '../spend/reservation-rows.js';
import type { SpendReservationEntity } from '../spend/entities/spend-reservation.entity.js';
import { unitsOf } from '../spend/decimal-amount.js';
import { GenerationsService, type NewGeneration } from './generations.service.js';

/** How often a process looks, in milliseconds. */
const LOOK_MS = 5_000;

/** How many are charged at a time. */
const MAXIMUM_BATCH_SIZE = 200;

/** What the record of such a request says instead of a reason of a refusal. */
export const RESERVATION_EXPIRED = 'reservation_expired';

/** Charges and records the requests of processes that died while they were being answered (docs/budgets.md#when-a-replica-dies). */
@Injectable()
export class ExpiredReservationsService implements OnModuleDestroy {
  private readonly repeated: RepeatedWork;

  constructor(
    private readonly lease: ProcessLeaseService,
    private readonly deadProcesses: DeadProcessesService,
    private readonly blocks: BlocksRepository,
    private readonly idleBlocks: IdleBlocks,
    private readonly generations: GenerationsService,
    private readonly environment: Environment,
    private readonly logger: ServiceLogger,
  ) {
    const failure = 'Reservations that have expired could not be charged; this is tried again';
    this.repeated = new RepeatedWork(() => this.settle(), { intervalMs: LOOK_MS, failure, logger });
  }

  /**
   * Begins to renew the lease of this process, and to look for expired reservations now and every few seconds, and for blocks that this
   * process does not use. Failures are logged.
   */
  async start(): Promise<void> {
    await this.lease.hold();
    this.idleBlocks.start();
    this.repeated.start();
    void this.repeated.run();
  }

  onModuleDestroy(): void {
    this.repeated.stop();
  }

  /**
   * Charges what is due, whichever replica does it first. A request that is settled meanwhile is charged what it cost.
   *
   * @throws the error of the database
   */
  async settle(): Promise<void> {
    let isDone = !(await this.deadProcesses.look());
    while (!isDone) {
      const expired = await this.deadProcesses.reservations(MAXIMUM_BATCH_SIZE);
      for (const [organizationId, held] of byOrganization(expired)) {
        // Nothing of a block can have reached a provider: what is paid for from it is reserved by itself.
        await this.blocks.release(
          organizationId,
          held.filter(isBlock).map(({ generationId }) => generationId),
        );
        const reservations = held.filter((one) => !isBlock(one));
        const outcomes = await this.generations.recordAll(
          organizationId,
          reservations.map((reservation) => this.recordOf(reservation)),
        );
        const refused = outcomes.filter(({ status }) => status === 'rejected').length;
        this.logger.event('expired reservations', { charged: reservations.length - refused, refused });
        // What the database refuses is there again when it is read again.
        isDone ||= refused > 0;
      }
      isDone ||= expired.length < MAXIMUM_BATCH_SIZE;
    }
  }

  /** It is not known how the request ended: it is charged what it may have cost. */
  private recordOf({
    generationId,
    amountUsd,
    byokAmountUsd,
    holds,
    request,
    ...spender
  }: SpendReservationEntity): NewGeneration {
    // The credential of the deployment, if it may have been used: its usage counts toward every limit.
    const isByok = unitsOf(amountUsd) === 0n;
    const { model, ...named } = request;
    return {
      organizationId: spender.organizationId,
      id: generationId,
      createdAt: spender.createdAt,
      keyId: spender.keyId,
      userId: spender.userId,
      workspaceId: spender.workspaceId,
      status: 500,
      model,
      provider: null,
      isByok,
      costUsd: isByok ? byokAmountUsd : amountUsd,
      promptTokens: null,
      completionTokens: null,
      details: {
        ...named,
        cancelled: false,
        refusal: RESERVATION_EXPIRED,
        finishReason: 'error',
        dataRegion: this.environment.dataRegion,
        attempts: [],
        filters: [],
      },
      ...(holds !== null && { uses: holds.map((hold) => usedOf(hold, isByok)) }),
    };
  }
}

/** What was held is taken for used, as its cost is; nothing of a limit of requests at the same time. */
function usedOf(
  { limitId, combination, windowStart, amount, byokAmount, isReleased }: LimitHold,
  isByok: boolean,
): CounterUse {
  const place = { limitId, combination, windowStart };
  if (isReleased === true) return { ...place, amount: '0', byokAmount: '0' };
  return isByok && byokAmount !== '0' ? { ...place, amount: '0', byokAmount } : { ...place, amount, byokAmount: '0' };
}
