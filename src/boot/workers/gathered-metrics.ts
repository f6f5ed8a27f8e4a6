import cluster, { type Worker } from 'node:cluster';
import { setTimeout as delay } from 'node:timers/promises';
import { AggregatorRegistry } from 'prom-client';
import { isMetricsMessage, type MetricsMessage, type MetricsReport } from '../../http/metrics/metrics-message.js';

/** How long a worker may take to report, in milliseconds: one that hangs does not keep the others from being seen. */
const PATIENCE_MS = 2_000;

type Report = (report: MetricsReport) => void;

/**
 * Answers whichever worker is scraped with the metrics of all, each under the number of its worker. A worker that replaces
 * another takes its number, and so goes on with its series.
 */
export class GatheredMetrics {
  private readonly numbers = new Map<Worker, number>();
  private readonly expected = new Map<string, Report>();
  private gathered = 0;

  /** From now on workers are counted and answered: to be called before the first is started. */
  listen(): void {
    cluster.on('fork', (worker) => this.numbers.set(worker, this.lowestFreeNumber()));
    cluster.on('exit', (worker) => this.numbers.delete(worker));
    cluster.on('message', (worker, message: unknown) => {
      if (!isMetricsMessage(message)) return;
      if (message.gatehouseMetrics === 'wanted') void this.answer(worker, message.id);
      if (message.gatehouseMetrics === 'reported') this.expected.get(keyOf(worker, message.id))?.(message.report);
    });
  }

  private async answer(asker: Worker, id: number): Promise<void> {
    const gathering = (this.gathered += 1);
    const reports = await Promise.all([...this.numbers].map(([worker, number]) => this.ask(worker, number, gathering)));
    const text = await AggregatorRegistry.aggregate(reports).metrics();
    tell(asker, { gatehouseMetrics: 'gathered', id, text });
  }

  /** @returns nothing for a worker that does not report in time */
  private async ask(worker: Worker, number: number, gathering: number): Promise<MetricsReport> {
    const key = keyOf(worker, gathering);
    const reported = new Promise<MetricsReport>((resolve) => this.expected.set(key, resolve));
    tell(worker, { gatehouseMetrics: 'report', id: gathering });
    const report = await Promise.race([reported, delay(PATIENCE_MS, [], { ref: false })]);
    this.expected.delete(key);
    return report.map((metric) => ({
      ...metric,
      // Series of different workers differ in this label, and so there is nothing to add up.
      aggregator: 'sum',
      values: metric.values.map((value) => ({ ...value, labels: { ...value.labels, worker: String(number) } })),
    }));
  }

  private lowestFreeNumber(): number {
    const taken = new Set(this.numbers.values());
    let number = 1;
    while (taken.has(number)) number += 1;
    return number;
  }
}

function keyOf(worker: Worker, gathering: number): string {
  return `${worker.id} ${gathering}`;
}

/** A worker that is about to end is told nothing any more. */
function tell(worker: Worker, message: MetricsMessage): void {
  if (worker.isConnected()) worker.send(message);
}
