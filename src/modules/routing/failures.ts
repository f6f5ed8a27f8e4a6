/** How many failures were whose. */
export type FailureCounts = readonly (readonly [organizationId: string, count: number])[];

/** How many organizations are told apart: where more fail, it does not matter whose failure one is. */
const TOLD_APART = 8;

/** Failures by organization. Those of organizations beyond some count as failures of several. */
export class Failures {
  /** Stands for organizations that are not told apart. */
  static readonly OF_SEVERAL = '';

  private readonly byOrganization = new Map<string, number>();

  get sum(): number {
    let sum = 0;
    for (const count of this.byOrganization.values()) sum += count;
    return sum;
  }

  get counts(): FailureCounts {
    return [...this.byOrganization];
  }

  add(organizationId: string, count: number): void {
    const isToldApart = this.byOrganization.has(organizationId) || this.byOrganization.size < TOLD_APART;
    const name = isToldApart ? organizationId : Failures.OF_SEVERAL;
    this.byOrganization.set(name, (this.byOrganization.get(name) ?? 0) + count);
  }
}

/** How many other organizations have to fail until their failures count for one that has not failed: so many are no conspiracy. */
export const SEVERAL = 3;

/**
 * How many failures count for an organization: all of its own, and of any other organization at most as many as those of the one with
 * the third most, its own included. So what one or two other organizations fail with, and may have caused, counts as little as what a
 * third fails with.
 */
export function countedFailures(failures: readonly Failures[], organizationId: string): number {
  const all = new Map<string, number>();
  for (const { counts } of failures) {
    for (const [whose, count] of counts) all.set(whose, (all.get(whose) ?? 0) + count);
  }
  const own = all.get(organizationId) ?? 0;
  const ofSeveral = all.get(Failures.OF_SEVERAL) ?? 0;
  all.delete(organizationId);
  all.delete(Failures.OF_SEVERAL);
  const others = [...all.values()].sort((one, other) => other - one);
  const bound = Math.max(others[SEVERAL - 1] ?? 0, own, ofSeveral);
  return own + ofSeveral + others.reduce((sum, count) => sum + Math.min(count, bound), 0);
}

/** How many failures are of the organization itself. */
export function ownFailures(failures: readonly Failures[], organizationId: string): number {
  const own = failures.flatMap(({ counts }) => counts.filter(([whose]) => whose === organizationId));
  return own.reduce((sum, [, count]) => sum + count, 0);
}

/** Whether a value of a message is a list of counts. */
export function isFailureCounts(value: unknown): value is FailureCounts {
  return (
    Array.isArray(value) &&
    value.every((item: unknown) => {
      if (!Array.isArray(item)) return false;
      const [whose, count] = item as readonly unknown[];
      return typeof whose === 'string' && isCount(count);
    })
  );
}

/** Whether a value of a message is a number of attempts. */
export function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}
