import { Deployment } from './deployment.js';
import type { Fault } from './fault.js';
import { type Scale, Scene } from './scene.js';
import type { Verdict } from './verdict.js';

/** What to run. */
export interface FaultRun {
  readonly faults: readonly Fault[];
  readonly scale: Scale;
  readonly seed: number;
}

/**
 * Runs faults one after the other and says of each what it found; the last line says how many passed and how many failed.
 *
 * @returns how many failed
 */
export async function runFaults({ faults, scale, seed }: FaultRun): Promise<number> {
  const counts = { passed: 0, failed: 0 };
  const deployment = await Deployment.create();
  try {
    for (const fault of faults) {
      const startedAt = performance.now();
      const verdict = await runFault(fault, new Scene(deployment, scale, seed));
      print(fault, verdict, (performance.now() - startedAt) / 1000);
      if (verdict.skipped === undefined) counts[verdict.hasPassed ? 'passed' : 'failed'] += 1;
    }
  } finally {
    await deployment.postgres.remove();
  }
  process.stdout.write(`\n${counts.passed} passed, ${counts.failed} failed\n`);
  return counts.failed;
}

async function runFault(fault: Fault, scene: Scene): Promise<Verdict> {
  const { verdict } = scene;
  try {
    await fault.run(scene);
  } catch (error) {
    verdict.expect(false, 'the fault can be tried to its end', error instanceof Error ? error.stack : String(error));
  }
  await scene.end();
  return verdict;
}

function print({ name, title }: Fault, verdict: Verdict, seconds: number): void {
  const outcome = verdict.skipped === undefined ? (verdict.hasPassed ? 'passed' : 'FAILED') : 'skipped';
  const figures = verdict.skipped ?? verdict.figures.join(', ');
  process.stdout.write(`\n${name}: ${title}\n  ${figures}\n`);
  for (const failure of verdict.failures) process.stdout.write(`  ${failure}\n`);
  process.stdout.write(`  ${outcome} in ${seconds.toFixed(1)} s\n`);
}
