import type { Check, Checks } from './conformance-suite.js';
import type { ExpectedFailures } from './expected-failures.js';

/** What the suite has found. */
export interface Judged {
  readonly run: ReadonlyMap<string, Checks>;
  /** Runs one scenario once more. */
  readonly again: (scenario: string) => Promise<ReadonlyMap<string, Checks>>;
}

/** What is not as it is expected: checks that fail, with why, and ones that pass and are expected to fail. */
export interface Surprises {
  readonly failing: readonly string[];
  readonly passing: readonly string[];
}

/**
 * Compares the checks of a scenario with what is expected of them. Where one fails, it is run once more by itself: the suite gives some answers
 * half a second, which a busy machine may not keep.
 *
 * @param required which of them have to pass, unless they are expected to fail
 */
export async function surprisesOf(
  { run, again }: Judged,
  scenario: string,
  expected: ExpectedFailures,
  required: (checks: Checks) => readonly string[],
): Promise<Surprises> {
  const allowed = checksOf(expected, scenario);
  const surprisesIn = (checks: Checks): Surprises => {
    const ids = required(checks);
    const failing = ids.filter((id) => !isPassed(checks.get(id)) && !allowed.includes(id));
    return {
      failing: failing.map(
        (id) => `${id} ${checks.get(id)?.status ?? 'was not made'}: ${checks.get(id)?.errorMessage ?? ''}`,
      ),
      passing: allowed.filter((id) => !ids.includes(id) || isPassed(checks.get(id))),
    };
  };
  const found = surprisesIn(run.get(scenario)!);
  if (found.failing.length === 0) return found;
  return surprisesIn((await again(scenario)).get(scenario)!);
}

/** A test that what is expected to fail belongs to scenarios that there are. */
export function itNamesScenarios(scenarios: readonly string[], expected: ExpectedFailures): void {
  it('is expected to fail nothing but checks of scenarios that there are', () => {
    const names = Object.values(expected).flat();
    expect(names.filter((name) => !scenarios.includes(name.split(':', 1)[0]!))).toEqual([]);
  });
}

/** Whether a check has passed; one that was skipped, or not made, has not. */
function isPassed(check: Check | undefined): boolean {
  return check?.status === 'SUCCESS' || check?.status === 'INFO';
}

/** The checks of a scenario that are expected to fail. */
function checksOf(expected: ExpectedFailures, scenario: string): readonly string[] {
  const names = Object.values(expected).flat();
  return names.filter((name) => name.startsWith(`${scenario}:`)).map((name) => name.slice(scenario.length + 1));
}
