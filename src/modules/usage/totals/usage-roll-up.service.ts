import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { RepeatedWork } from '../../../persistence/repeated-work.js';
import { errorMessage } from '../../../persistence/database-failures.js';
import { ServiceLogger } from '../../../telemetry/logging/service-logger.js';
import { UsageRollUpRepository } from './usage-roll-up.repository.js';

/** How often a process looks for additions, in milliseconds: what came in that time is read with every query. */
const LOOK_MS = 5_000;

/** How many additions are moved with one statement, which holds the locks of what it writes for a fraction of a second. */
const MAXIMUM_BATCH_SIZE = 2_000;

/** How many organizations are looked at before the next list of them. */
const MAXIMUM_ORGANIZATIONS = 1_000;

/** Moves what was used into the totals (docs/adr/0017-usage-is-added-up-later.md). */
@Injectable()
export class UsageRollUpService implements OnModuleDestroy {
  private readonly repeated: RepeatedWork;
  private isStopped = false;

  constructor(
    private readonly repository: UsageRollUpRepository,
    logger: ServiceLogger,
  ) {
    const failure = 'Usage could not be added to the totals; this is tried again';
    this.repeated = new RepeatedWork(() => this.rollUp(), { intervalMs: LOOK_MS, failure, logger });
  }

  /** Looks every few seconds while the application runs. What fails is logged. */
  start(): void {
    this.repeated.start();
  }

  onModuleDestroy(): void {
    this.isStopped = true;
    this.repeated.stop();
  }

  /**
   * Moves all additions that there are now, or leaves those of an organization to the replica that is moving them.
   *
   * @throws AggregateError of what the database refused, after all others are moved; and the error of an unreachable database
   */
  async rollUp(): Promise<void> {
    const errors: unknown[] = [];
    for (const organizationId of await this.repository.organizations(MAXIMUM_ORGANIZATIONS)) {
      if (this.isStopped) return;
      await this.rollUpOf(organizationId).catch((error: unknown) => errors.push(error));
    }
    if (errors.length > 0) throw new AggregateError(errors, errorMessage(errors[0]));
  }

  private async rollUpOf(organizationId: string): Promise<void> {
    let taken = MAXIMUM_BATCH_SIZE;
    while (taken === MAXIMUM_BATCH_SIZE) taken = await this.repository.rollUp(organizationId, MAXIMUM_BATCH_SIZE);
  }
}
