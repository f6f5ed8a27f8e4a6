import { Deployment } from './deployment.js';
import type { Fault } from './fault.js';
import { type Scale, Scene } from './scene.js';
import type { Verdict } from './verdict.js';

/** What to run. */
export interface FaultRun {
  /** One row after the other; the faults of a row next to each other. */
  readonly rows: readonly (readonly Fault[])[];
  readonly scale: Scale;
  readonly seed: number;
  /** For how long it may run, in seconds: a row is begun only while there is time for it. Absent for as long as it takes. */
  readonly seconds?: number | undefined;
}

/** How long a row takes at most with few requests, in seconds, on a machine that others use as well. */
const LONGEST_ROW_S = 150;

/** What came of a fault. */
export interface FaultResult {
  readonly name: string;
  readonly outcome: 'passed' | 'failed' | 'skipped';
  readonly seconds: number;
  readonly figures: readonly string[];
  readonly failures: readonly string[];
}

/** Runs faults and says of each what it found. Ended by a signal, it leaves neither processes nor data behind. */
export async function runFaults({ rows, scale, seed, seconds = Infinity }: FaultRun): Promise<FaultResult[]> {
  const results: FaultResult[] = [];
  const startedAt = performance.now();
  const hasTime = (): boolean => (performance.now() - startedAt) / 1000 + LONGEST_ROW_S <= seconds;
  const deployment = await Deployment.create();
  let scenes: Scene[] = [];
  let cleared: Promise<void> | undefined;
  const clear = (): Promise<void> => {
    cleared ??= Promise.all(scenes.map((scene) => scene.clear())).then(() => deployment.postgres.remove());
    return cleared;
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.once(signal, () => void clear().finally(() => process.exit(1)));
  }
  try {
    for (const row of rows) {
      // What follows would fail for want of a database, and hide in the report what took too long.
      if (cleared !== undefined) break;
      if (!hasTime()) {
        results.push(...row.map(withoutTime));
        continue;
      }
      scenes = row.map(() => new Scene(deployment, scale, seed));
      await Promise.all(row.map(async (fault, index) => results.push(await runFault(fault, scenes[index]!))));
    }
  } finally {
    await clear();
  }
  return results;
}

/** A fault for which there was no time. */
function withoutTime({ name, title }: Fault): FaultResult {
  process.stdout.write(`\n${name}: ${title}\n  skipped: there is not enough time left for it\n`);
  return { name, outcome: 'skipped', seconds: 0, figures: [], failures: [] };
}

async function runFault(fault: Fault, scene: Scene): Promise<FaultResult> {
  const { verdict } = scene;
  const startedAt = performance.now();
  try {
    await fault.run(scene);
  } catch (error) {
    verdict.expect(false, 'the fault can be tried to its end', error instanceof Error ? error.stack : String(error));
  }
  await scene.end();
  const result = resultOf(fault, verdict, (performance.now() - startedAt) / 1000);
  print(fault, verdict, result);
  return result;
}

function resultOf({ name }: Fault, verdict: Verdict, seconds: number): FaultResult {
  const { figures, failures } = verdict;
  const isSkipped = verdict.skipped !== undefined && verdict.hasPassed;
  const outcome = isSkipped ? 'skipped' : verdict.hasPassed ? 'passed' : 'failed';
  return { name, outcome, seconds, figures, failures };
}

function print({ name, title }: Fault, verdict: Verdict, { outcome, seconds, failures }: FaultResult): void {
  const lines = [
    `${name}: ${title}`,
    `  ${verdict.skipped ?? verdict.figures.join(', ')}`,
    ...failures.map((failure) => `  ${failure}`),
    `  ${outcome === 'failed' ? 'FAILED' : outcome} in ${seconds.toFixed(1)} s`,
  ];
  process.stdout.write(`\n${lines.join('\n')}\n`);
}
