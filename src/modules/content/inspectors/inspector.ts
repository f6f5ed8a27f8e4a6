import type { LongWork } from '../../../concurrency/long-work.js';
import type { ScannedText } from '../content-result.js';
import type { DetectorRule } from '../engine/compiled-filters.js';
import { looksThrough } from '../engine/filter-rule.js';
import type { ScanTarget } from '../engine/scan-target.js';

/** The texts of a request that are inspected, and for whom. */
export interface InspectedRequest {
  readonly organizationId: string;
  readonly texts: readonly ScannedText[];
  /** What is scanned of the text at a position. */
  readonly targetOf: (index: number) => Promise<ScanTarget>;
  /** Lets others use the event loop. */
  readonly turn: LongWork;
  /** Ends the inspection when the client is gone. */
  readonly signal: AbortSignal | undefined;
}

/** Looks for what some filters of a policy are there for: here, in an analyzer or with a classifier. */
export interface Inspector {
  /**
   * Looks through the texts of a request, and records what it finds in the matches of its rules.
   *
   * @throws ContentFilterUnavailable when it needs a server, and that fails
   * @throws TooManyContentScans when too many texts of the organization wait already
   * @throws the reason of the signal
   */
  inspect(request: InspectedRequest): Promise<void>;
}

const USER_ROLES: ReadonlySet<ScannedText['role']> = new Set(['user', 'input']);

/** Whether a builtin filter looks through a text: one of its places and, if it is about users alone, what the user says. */
export function detectsIn({ rule, isUserOnly }: Omit<DetectorRule, 'detector'>, text: ScannedText): boolean {
  return looksThrough(rule, text) && (!isUserOnly || USER_ROLES.has(text.role));
}
