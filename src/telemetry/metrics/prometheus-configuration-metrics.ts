import { Counter, Gauge, type Registry } from 'prom-client';
import { type ConfigurationMetrics, RECONCILIATION_OUTCOMES, type ReconciliationOutcome } from './metrics.js';

/** Each worker measures the same in the whole deployment. */
const OF_DEPLOYMENT = 'max';

/** Metrics of configuration by files in a registry of prom-client. */
export class PrometheusConfigurationMetrics implements ConfigurationMetrics {
  private readonly driftedCount = new Gauge({
    name: 'gatehouse_managed_objects_drifted',
    help: 'Objects of the whole deployment that files configure and that were changed by other means since.',
    aggregator: OF_DEPLOYMENT,
    registers: [this.registry],
  });
  private readonly rounds = new Counter({
    name: 'gatehouse_configuration_reconciliations_total',
    help: 'How often this process has compared the files of CONFIG_DIR with what there is, by outcome.',
    labelNames: ['outcome'],
    registers: [this.registry],
  });
  private lastSuccess: Gauge | undefined;

  constructor(private readonly registry: Registry) {
    for (const outcome of RECONCILIATION_OUTCOMES) this.rounds.inc({ outcome }, 0);
  }

  drifted(objects: number): void {
    this.driftedCount.set(objects);
  }

  reconciliation(outcome: ReconciliationOutcome): void {
    this.rounds.inc({ outcome });
  }

  reconciledAt(seconds: number): void {
    // With the first time, so that there is none without CONFIG_DIR: it would be 0, which means never.
    this.lastSuccess ??= new Gauge({
      name: 'gatehouse_configuration_reconciled_timestamp_seconds',
      help: 'When what there is was last that of the files of CONFIG_DIR, in the whole deployment; 0 for never.',
      aggregator: OF_DEPLOYMENT,
      registers: [this.registry],
    });
    this.lastSuccess.set(seconds);
  }
}
