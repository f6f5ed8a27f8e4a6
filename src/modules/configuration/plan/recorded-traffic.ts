import type { Fields } from '../kinds/configured-kind.js';

/** An object that a plan changes, and that decides about requests. */
export interface ChangedRule {
  readonly section: string;
  readonly workspace: string | null;
  readonly name: string;
  readonly id: string;
  /** The change, as a request has it. */
  readonly changes: Fields;
}

/** The refused requests of a key. */
export interface RefusedRequestsOfKey {
  /** Null for a key that was deleted. */
  readonly hash: string | null;
  readonly name: string | null;
  readonly count: number;
}

/** What a changed guardrail or limit would have done to recorded requests. */
export interface ReplayedChange {
  readonly section: string;
  readonly workspace: string | null;
  readonly name: string;
  readonly read_count: number;
  readonly refused_count: number;
  readonly undecided_count: number;
  /** Those with the most requests first. */
  readonly keys: readonly RefusedRequestsOfKey[];
}

/** What the changes of a plan would have done to recorded requests (docs/configuration.md#what-would-break). */
export interface PlanReplay {
  readonly from: string;
  readonly to: string;
  /** Whether all requests of that time were looked at. */
  readonly is_complete: boolean;
  readonly changes: readonly ReplayedChange[];
}

/** Says what changes would have done to recorded requests. The module of the replays provides it. */
export abstract class RecordedTraffic {
  /** The sections whose changes can be replayed. */
  abstract readonly sections: ReadonlySet<string>;

  /** @param hours how far to go back @param signal ends it */
  abstract replay(
    organizationId: string,
    rules: readonly ChangedRule[],
    hours: number,
    signal: AbortSignal,
  ): Promise<PlanReplay>;
}
