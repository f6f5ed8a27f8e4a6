import { AggregatorRegistry, type Registry } from 'prom-client';
import type { MetricsReport } from '../../telemetry/metrics/worker-reports.js';

/** What grows as long as a process runs; other metrics say how it is at the moment. */
const GROWING: ReadonlySet<string> = new Set(['counter', 'histogram', 'summary']);

/** The metrics of all workers as one. What those that have ended had counted stays in the sums, as one report. */
export class SummedReports {
  private readonly latest = new Map<number, MetricsReport>();
  private ended: MetricsReport = [];

  /** Keeps the newest report of a worker. */
  keep(worker: number, report: MetricsReport): void {
    this.latest.set(worker, report);
  }

  /** Adds what a worker had counted by its last report to what others had that have ended. */
  end(worker: number): void {
    const grown = (this.latest.get(worker) ?? []).filter(({ type }) => GROWING.has(type));
    this.latest.delete(worker);
    this.ended = sumOf([this.ended, grown]).getMetricsAsArray() as unknown as MetricsReport;
  }

  /**
   * The sums, in Prometheus's text format.
   *
   * @param further what counts besides the workers
   */
  text(further: MetricsReport): Promise<string> {
    return sumOf([...this.latest.values(), this.ended, further]).metrics();
  }
}

function sumOf(reports: readonly MetricsReport[]): Registry {
  return AggregatorRegistry.aggregate(reports as unknown as object[]);
}
