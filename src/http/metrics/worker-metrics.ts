import type { ConnectionPool } from '../../database/connection-pool.js';
import { isMetricsMessage, type MetricsMessage } from './metrics-message.js';
import { PrometheusMetrics } from './prometheus-metrics.js';

/** The metrics of one of several workers, which a scraper takes for one service: it is answered with those of all. */
export class WorkerMetrics extends PrometheusMetrics {
  private readonly waiting = new Map<number, (text: string) => void>();
  private asked = 0;

  constructor(pool: ConnectionPool) {
    super(pool);
    process.on('message', (message) => void this.receive(message));
  }

  override text(): Promise<string> {
    const id = (this.asked += 1);
    return new Promise((resolve) => {
      this.waiting.set(id, resolve);
      tell({ gatehouseMetrics: 'wanted', id });
    });
  }

  private async receive(message: unknown): Promise<void> {
    if (!isMetricsMessage(message)) return;
    if (message.gatehouseMetrics === 'report') {
      tell({ gatehouseMetrics: 'reported', id: message.id, report: await this.report() });
    }
    if (message.gatehouseMetrics === 'gathered') {
      this.waiting.get(message.id)?.(message.text);
      this.waiting.delete(message.id);
    }
  }
}

function tell(message: MetricsMessage): void {
  process.send!(message);
}
