import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { Environment } from '../../config/environment.js';
import { Readiness } from '../../http/health/readiness.js';
import { MonthPartitions, type PartitionsMade } from '../../persistence/month-partitions.js';
import { RepeatedWork } from '../../persistence/repeated-work.js';
import { ServiceLogger } from '../../telemetry/logging/service-logger.js';
import { GenerationPartitionsRepository } from './generation-partitions.repository.js';

/** How often a process looks whether there is something to make or to drop, in milliseconds. */
const CHECK_INTERVAL_MS = 3_600_000;

/** How often it tries again while a partition is missing that it could not make, in milliseconds. */
const RETRY_INTERVAL_MS = 5_000;

/** What keeps the process from being ready. */
const REQUIREMENT = 'partitions';

/**
 * Makes the partitions of the records and of their totals months ahead, and drops those of records that are older than
 * GENERATION_RETENTION_DAYS (docs/operations.md#partitions).
 */
@Injectable()
export class GenerationPartitionsService implements OnModuleDestroy {
  private readonly repeated: RepeatedWork;
  private readonly retried: RepeatedWork;
  /** Whether one is missing that could not be made, and whether what comes now is written to it. */
  private lacks: 'none' | 'later' | 'present' = 'none';

  constructor(
    private readonly partitions: MonthPartitions,
    private readonly repository: GenerationPartitionsRepository,
    private readonly environment: Environment,
    private readonly logger: ServiceLogger,
    readiness: Readiness,
  ) {
    const failure = 'The partitions of generations could not be made or dropped; this is tried again';
    this.repeated = new RepeatedWork(() => this.keep(), { intervalMs: CHECK_INTERVAL_MS, failure, logger });
    this.retried = new RepeatedWork(() => this.makeLacking(), { intervalMs: RETRY_INTERVAL_MS, failure, logger });
    // Not a rejection: what comes makes the partition where it is missing, if that is possible then.
    readiness.require(REQUIREMENT, () => Promise.resolve(this.lacks === 'present' ? 'missing' : undefined));
  }

  /**
   * Looks now, and then every hour while the application runs; every few seconds while one is missing. Resolves when it has looked; what
   * fails is logged, and the process is not ready while one is missing for what comes now.
   */
  async start(): Promise<void> {
    this.repeated.start();
    this.retried.start();
    await this.repeated.run();
  }

  onModuleDestroy(): void {
    this.repeated.stop();
    this.retried.stop();
  }

  /**
   * Makes and drops what is due. Each of them waits for locks on tables for less than a third of a second, so that no request waits for
   * long.
   *
   * @throws the error of the database, where another session holds a lock
   */
  async keep(): Promise<void> {
    const made = await this.make();
    const dropped = await this.repository.drop(this.environment.generationRetentionDays);
    if (made + dropped > 0) this.logger.event('generation partitions', { made, dropped });
  }

  private async makeLacking(): Promise<void> {
    if (this.lacks !== 'none') await this.make();
  }

  private async make(): Promise<number> {
    const { made, failures } = await this.makeMissing();
    this.lacks =
      failures.length === 0 ? 'none' : failures.some(({ partition }) => partition.isPresent) ? 'present' : 'later';
    for (const { partition, error } of failures) {
      this.logger.warn(
        `The partition of ${partition.kind} for ${partition.month} could not be made; this is tried again: ${error.message}`,
      );
    }
    return made;
  }

  /** Where the database cannot be asked, it is asked again soon. */
  private async makeMissing(): Promise<PartitionsMade> {
    try {
      return await this.partitions.makeMissing();
    } catch (error) {
      if (this.lacks === 'none') this.lacks = 'later';
      throw error;
    }
  }
}
