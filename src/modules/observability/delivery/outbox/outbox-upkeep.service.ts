import { Injectable, type OnModuleDestroy, Optional } from '@nestjs/common';
import { Environment } from '../../../../config/environment.js';
import { RepeatedWork } from '../../../../persistence/repeated-work.js';
import { ServiceLogger } from '../../../../telemetry/logging/service-logger.js';
import { Metrics } from '../../../../telemetry/metrics/metrics.js';
import { DESTINATION_TYPES } from '../../destination-settings.js';
import { DELETED_TYPE } from '../sending/destination-drain.js';
import { QUEUE_STATES } from '../queue-state.js';
import { OutboxUpkeepRepository } from './outbox-upkeep.repository.js';

/** What stands for the type of a destination where several are counted together. */
const ANY_TYPE = 'any';

/** What stands for a type where there is none. */
const NO_TYPE = [ANY_TYPE, DELETED_TYPE];

/** How often a process looks for what is too old, in milliseconds. */
const INTERVAL_MS = 60_000;

/** Deletes what no destination gets any more from the outbox, and measures what waits. */
@Injectable()
export class OutboxUpkeep implements OnModuleDestroy {
  private readonly repeated: RepeatedWork;

  constructor(
    private readonly repository: OutboxUpkeepRepository,
    private readonly environment: Environment,
    logger: ServiceLogger,
    @Optional() private readonly metrics?: Metrics,
  ) {
    const failure = 'The outbox of destinations could not be tidied; this is tried again within a minute';
    metrics?.deliveries.begin([...DESTINATION_TYPES, ...NO_TYPE]);
    this.repeated = new RepeatedWork(() => this.tidy(), { intervalMs: INTERVAL_MS, failure, logger });
  }

  start(): void {
    this.repeated.start();
  }

  onModuleDestroy(): void {
    this.repeated.stop();
  }

  /** Does it once. */
  async tidy(): Promise<void> {
    const hours = this.environment.broadcastRetentionHours;
    for (const organizationId of await this.repository.organizationsWithOldEvents(hours)) {
      const lost = await this.repository.expire(organizationId, hours);
      // The type is not known here; the figures of each destination are in its queue.
      if (lost > 0) this.metrics?.deliveries.dropped(ANY_TYPE, 'age', lost);
    }
    await this.repository.deleteLeftovers();
    if (this.metrics !== undefined) await this.measure(this.metrics);
  }

  private async measure({ deliveries }: Metrics): Promise<void> {
    const { waiting, oldestSeconds } = await this.repository.waiting();
    deliveries.waiting(waiting, oldestSeconds);
    const counts = await this.repository.queuesByState();
    for (const state of QUEUE_STATES) deliveries.destinations(state, counts.get(state) ?? 0);
  }
}
