import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { MetricsReport } from '../../telemetry/metrics/worker-reports.js';
import { SummedReports } from './summed-reports.js';

/** What a worker reports that has answered some requests, and has some open. */
async function report(answered: number, open: number): Promise<MetricsReport> {
  const registers = [new Registry()];
  new Counter({ name: 'answered', help: '-', labelNames: ['kind'], registers }).inc({ kind: 'a' }, answered);
  new Gauge({ name: 'open', help: '-', registers }).set(open);
  new Gauge({ name: 'oldest', help: '-', registers, aggregator: 'max' }).set(open);
  const seconds = new Histogram({ name: 'seconds', help: '-', buckets: [1], registers });
  for (let count = 0; count < answered; count += 1) seconds.observe(count);
  return (await registers[0]!.getMetricsAsJSON()) as unknown as MetricsReport;
}

describe('SummedReports', () => {
  const samples = async (reports: SummedReports, further: MetricsReport = []): Promise<string[]> =>
    (await reports.text(further)).split('\n').filter((line) => line !== '' && !line.startsWith('#'));

  it('adds up what workers report, each by its newest report', async () => {
    const reports = new SummedReports();
    reports.keep(1, await report(1, 5));
    reports.keep(1, await report(2, 4));
    reports.keep(2, await report(3, 1));

    expect(await samples(reports)).toEqual([
      'answered{kind="a"} 5',
      'open 5',
      'oldest 4',
      'seconds_bucket{le="1"} 4',
      'seconds_bucket{le="+Inf"} 5',
      'seconds_sum 4',
      'seconds_count 5',
    ]);
  });

  it('keeps in the sums what workers had counted that have ended, and nothing else of them', async () => {
    const reports = new SummedReports();
    for (const worker of [1, 2, 3]) {
      reports.keep(worker, await report(2, 7));
      reports.end(worker);
    }
    reports.end(4);
    reports.keep(5, await report(1, 1));

    expect(await samples(reports)).toEqual([
      'answered{kind="a"} 7',
      'open 1',
      'oldest 1',
      'seconds_bucket{le="1"} 7',
      'seconds_bucket{le="+Inf"} 7',
      'seconds_sum 3',
      'seconds_count 7',
    ]);
  });

  it('adds what counts besides', async () => {
    const reports = new SummedReports();
    reports.keep(1, await report(0, 2));

    expect(
      await samples(
        reports,
        (await report(0, 3)).filter(({ name }) => name === 'open'),
      ),
    ).toContain('open 5');
  });
});
