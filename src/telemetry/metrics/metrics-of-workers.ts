import type { Worker } from 'node:cluster';
import type { Registry } from 'prom-client';
import { isMetricsMessage, type MetricsMessage, type MetricsReport } from './worker-reports.js';

/** The metrics of all processes of a service, in one that is a worker: it reports its own, and asks for the sums. */
export class MetricsOfWorkers {
  private readonly waiting = new Map<number, (text: string) => void>();
  private asked = 0;

  /** @param worker this process, as the one that has started it sees it */
  constructor(
    private readonly registry: Registry,
    private readonly worker: Worker,
  ) {
    worker.on('message', (message: unknown) => {
      if (!isMetricsMessage(message)) return;
      if (message.gatehouseMetrics === 'report') void this.report(message.id);
      if (message.gatehouseMetrics === 'summed') this.waiting.get(message.id)?.(message.text);
    });
  }

  /** The sums, in Prometheus's text format. */
  async text(): Promise<string> {
    const id = (this.asked += 1);
    const summed = new Promise<string>((resolve) => this.waiting.set(id, resolve));
    this.tell({ gatehouseMetrics: 'wanted', id });
    const text = await summed;
    this.waiting.delete(id);
    return text;
  }

  private async report(id: number): Promise<void> {
    const report = (await this.registry.getMetricsAsJSON()) as unknown as MetricsReport;
    this.tell({ gatehouseMetrics: 'reported', id, report });
  }

  private tell(message: MetricsMessage): void {
    this.worker.send(message);
  }
}
