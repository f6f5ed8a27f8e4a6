import { Injectable, type OnModuleDestroy, Optional } from '@nestjs/common';
import { Environment } from '../../../config/environment.js';
import { RepeatedWork } from '../../../persistence/repeated-work.js';
import { ServiceLogger } from '../../../telemetry/logging/service-logger.js';
import { Metrics } from '../../../telemetry/metrics/metrics.js';
import { ConfigurationReconciler } from './configuration-reconciler.service.js';
import { ConfigurationTurnsRepository } from './configuration-turns.repository.js';

/** How often a process looks, in milliseconds. */
const INTERVAL_MS = 60_000;

/** Measures how far what there is is from files (docs/operations/metrics.md#configuration). */
@Injectable()
export class ManagedObjectsGauge implements OnModuleDestroy {
  private readonly repeated: RepeatedWork;

  constructor(
    private readonly turns: ConfigurationTurnsRepository,
    private readonly reconciler: ConfigurationReconciler,
    private readonly environment: Environment,
    logger: ServiceLogger,
    @Optional() private readonly metrics?: Metrics,
  ) {
    const failure = 'What has drifted from files could not be counted; this is tried again within a minute';
    this.repeated = new RepeatedWork(() => this.measure(), { intervalMs: INTERVAL_MS, failure, logger });
  }

  /** Looks every minute while the application runs. Does nothing without metrics. */
  start(): void {
    if (this.metrics === undefined) return;
    this.repeated.start();
    this.repeated.wake();
  }

  onModuleDestroy(): void {
    this.repeated.stop();
  }

  /** Does it once. */
  async measure(): Promise<void> {
    this.metrics?.configuration.drifted(await this.turns.drifted());
    const { configurationDirectory: directory } = this.environment;
    if (directory === undefined) return;
    const organizationId = await this.reconciler.organizationId(directory);
    const seconds = organizationId === undefined ? 0 : await this.turns.reconciledAt(organizationId);
    this.metrics?.configuration.reconciledAt(seconds);
  }
}
