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
    worker.once('disconnect', () => void this.answerAlone());
  }

  /** The sums, in Prometheus's text format; what this process has where the one that adds up is gone. */
  async text(): Promise<string> {
    if (!this.worker.isConnected()) return this.registry.metrics();
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

  private async answerAlone(): Promise<void> {
    const text = await this.registry.metrics();
    for (const answer of this.waiting.values()) answer(text);
  }

  private tell(message: MetricsMessage): void {
    // An error says that the other process has ended, which is noticed anyway.
    this.worker.send(message, () => undefined);
  }
}
