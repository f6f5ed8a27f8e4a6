import type { ManagementPrincipal } from '../../../auth/principal.js';

/** An object that a plan creates or changes, and that decides about requests. */
export interface ChangedRule {
  readonly section: string;
  readonly workspace: string | null;
  readonly name: string;
  readonly id: string;
}

/** The refused requests of a key. */
export interface RefusedRequestsOfKey {
  /** Null for a key that was deleted. */
  readonly hash: string | null;
  readonly name: string | null;
  readonly count: number;
}

/** What a new or changed object would have done to recorded requests. */
export interface ReplayedChange {
  readonly section: string;
  readonly workspace: string | null;
  readonly name: string;
  readonly read_count: number;
  readonly refused_count: number;
  /** Of how many it would have left out candidates that they could have had. */
  readonly excluded_count: number;
  readonly redacted_count: number;
  readonly undecided_count: number;
  /** What of it was not tried, in a sentence each. */
  readonly not_tried: readonly string[];
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

/** Changes as they are to be. */
export interface CapturedRules {
  /** @param hours how far to go back @param signal ends it */
  replay(hours: number, signal: AbortSignal): Promise<PlanReplay>;
}

/** Says what changes would have done to recorded requests. The module of the replays provides it. */
export abstract class RecordedTraffic {
  /** The sections whose changes can be replayed. */
  abstract readonly sections: ReadonlySet<string>;

  /** Reads what the changes make, in the transaction of the caller, to be replayed after its end. */
  abstract captured(caller: ManagementPrincipal, rules: readonly ChangedRule[]): Promise<CapturedRules>;
}
