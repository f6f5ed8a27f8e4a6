import cluster, { type Worker } from 'node:cluster';
import { setTimeout as delay } from 'node:timers/promises';
import { collectDefaultMetrics, Registry } from 'prom-client';
import { isMetricsMessage, type MetricsMessage, type MetricsReport } from '../../telemetry/metrics/worker-reports.js';
import { SummedReports } from './summed-reports.js';

/** How long a worker may take to report, in milliseconds; of one that takes longer the last report counts. */
const PATIENCE_MS = 1_000;

/** How often the delay of this process's event loop is measured, which is not reported, in milliseconds. */
const SELDOM_MS = 60_000;

/** Answers whichever worker is scraped with the metrics of all of them (docs/operations/metrics.md#workers). */
export class GatheredMetrics {
  private readonly reports = new SummedReports();
  private readonly own = new Registry();
  private readonly expected = new Map<string, () => void>();
  private asked = 0;

  /** Begins to answer. To be called before the first worker is started. */
  listen(): void {
    collectDefaultMetrics({ register: this.own, eventLoopMonitoringPrecision: SELDOM_MS });
    // Comes behind the last message of a worker, however that has ended.
    cluster.on('disconnect', (worker) => this.reports.end(worker.id));
    cluster.on('message', (worker, message: unknown) => {
      if (!isMetricsMessage(message)) return;
      if (message.gatehouseMetrics === 'wanted') void this.answer(worker, message.id);
      if (message.gatehouseMetrics === 'reported') {
        this.reports.keep(worker.id, message.report);
        this.expected.get(keyOf(worker, message.id))?.();
      }
    });
  }

  private async answer(asker: Worker, id: number): Promise<void> {
    const asking = (this.asked += 1);
    const workers = Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined);
    await Promise.all(workers.map((worker) => this.ask(worker, asking)));
    const own = (await this.own.getMetricsAsJSON()) as unknown as MetricsReport;
    // Its memory and its processor time, but not its event loop, which answers no requests.
    const text = await this.reports.text(own.filter(({ name }) => name.startsWith('process_')));
    tell(asker, { gatehouseMetrics: 'summed', id, text });
  }

  /** Resolves when a worker has reported, or takes too long. */
  private async ask(worker: Worker, asking: number): Promise<void> {
    const key = keyOf(worker, asking);
    const reported = new Promise<void>((resolve) => this.expected.set(key, resolve));
    tell(worker, { gatehouseMetrics: 'report', id: asking });
    await Promise.race([reported, delay(PATIENCE_MS, undefined, { ref: false })]);
    this.expected.delete(key);
  }
}

function keyOf(worker: Worker, asking: number): string {
  return `${worker.id} ${asking}`;
}

/** Tells a worker something, unless it has ended. */
function tell(worker: Worker, message: MetricsMessage): void {
  if (worker.isConnected()) worker.send(message);
}
