import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { errorMessage } from '../../../persistence/database-failures.js';
import { RepeatedWork } from '../../../persistence/repeated-work.js';
import { ServiceLogger } from '../../../telemetry/logging/service-logger.js';
import { ProcessLeaseService } from '../process-lease.service.js';
import { byOrganization } from '../reservation-rows.js';
import { BlockAdmissions } from './block-admissions.service.js';
import { BlocksRepository } from './blocks.repository.js';

/** After how long without a request of its kind a block is given back, and how often a process looks, in milliseconds. */
const IDLE_MS = 5_000;

/** Gives back blocks of this process that nothing uses any more (docs/budgets.md#blocks). */
@Injectable()
export class IdleBlocks implements OnModuleDestroy {
  private readonly repeated: RepeatedWork;

  constructor(
    private readonly repository: BlocksRepository,
    private readonly admissions: BlockAdmissions,
    private readonly lease: ProcessLeaseService,
    private readonly logger: ServiceLogger,
  ) {
    const failure = 'Blocks that are not used could not be given back; this is tried again';
    this.repeated = new RepeatedWork(() => this.giveBack(performance.now() - IDLE_MS), {
      intervalMs: IDLE_MS,
      failure,
      logger,
    });
  }

  /** Begins to look every few seconds. */
  start(): void {
    this.repeated.start();
  }

  /**
   * Gives back the blocks of this process that no request has asked for since a time, and those that it does not know of: a statement may
   * have made them whose answer was lost.
   *
   * @param since milliseconds on the clock of the process
   * @throws the error of the database
   */
  async giveBack(since: number): Promise<void> {
    if (!this.admissions.hasMade) return;
    const used = this.admissions.forgetUnusedSince(since);
    const own = await this.repository.ofProcesses(this.lease.ownIds);
    for (const [organizationId, idle] of byOrganization(own.filter(({ generationId }) => !used.has(generationId)))) {
      await this.repository.release(
        organizationId,
        idle.map(({ generationId }) => generationId),
      );
    }
  }

  /** Whatever is left of blocks is for others. */
  async onModuleDestroy(): Promise<void> {
    this.repeated.stop();
    try {
      await this.giveBack(Infinity);
    } catch (error) {
      this.logger.warn(`Blocks could not be given back; others find them when they need them: ${errorMessage(error)}`);
    }
  }
}
