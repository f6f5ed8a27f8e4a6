import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { Environment } from '../../config/environment.js';
import { RepeatedWork } from '../../persistence/repeated-work.js';
import { ServiceLogger } from '../../telemetry/logging/service-logger.js';
import { GenerationPartitionsRepository } from './generation-partitions.repository.js';

/** How often a process looks whether there is something to make or to drop, in milliseconds. */
const CHECK_INTERVAL_MS = 3_600_000;

/**
 * Makes the partitions of the records months ahead, and drops those that are older than GENERATION_RETENTION_DAYS
 * (docs/interface/generations.md#retention).
 */
@Injectable()
export class GenerationPartitionsService implements OnModuleDestroy {
  private readonly repeated: RepeatedWork;

  constructor(
    private readonly repository: GenerationPartitionsRepository,
    private readonly environment: Environment,
    private readonly logger: ServiceLogger,
  ) {
    const failure = 'The partitions of generations could not be made or dropped; this is tried again within an hour';
    this.repeated = new RepeatedWork(() => this.keep(), { intervalMs: CHECK_INTERVAL_MS, failure, logger });
  }

  /** Looks now, and then every hour while the application runs. Resolves when it has looked; what fails is logged. */
  async start(): Promise<void> {
    this.repeated.start();
    await this.repeated.run();
  }

  onModuleDestroy(): void {
    this.repeated.stop();
  }

  /**
   * Makes and drops what is due. Each of them waits for locks for less than a third of a second, so that no request waits for
   * long.
   *
   * @throws the error of the database, where another session holds a lock
   */
  async keep(): Promise<void> {
    const made = await this.repository.make();
    const dropped = await this.repository.drop(this.environment.generationRetentionDays);
    if (made + dropped > 0) this.logger.event('generation partitions', { made, dropped });
  }
}
