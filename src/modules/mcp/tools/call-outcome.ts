import type { Finding } from '../../content/content-result.js';
import type { Observation, RecordedMcpRequest, ProviderAttempt } from '../../generations/generation-details.js';
import type { RequestInspection } from '../../inference/pipeline/inspectors/request-inspection.js';
import type { HeldCounter } from '../../spend/open-counters.js';
import type { ReservedAmounts } from '../../spend/worst-case.js';

/** What a call may cost, and what is reserved for it. */
export interface AdmittedCall {
  /** In the smallest units of a US dollar. */
  readonly price: bigint;
  /** What is reserved for it, and for what judges it; undefined where nothing is. */
  readonly reserved?: ReservedAmounts;
  /** What it holds of limits by condition and group. */
  readonly holds: readonly HeldCounter[];
  /** Whether there may be a reservation, which its record ends. */
  readonly mayBeReserved: boolean;
  /** Whether limits by condition and group may have counted it. */
  readonly isCounted: boolean;
  readonly observed: readonly Observation[];
}

/** What becomes of a call, for its record. */
export class CallOutcome {
  findings: readonly Finding[] = [];
  observed: readonly Observation[] = [];
  inspection: RequestInspection | undefined;
  admitted: AdmittedCall | undefined;
  /** Whether its price is charged: a server has answered it, or may have worked on it. */
  isCharged = false;
  attempt: ProviderAttempt | undefined;
  mcp: Pick<RecordedMcpRequest, 'requestBytes' | 'resultBytes' | 'isError'> = {};
  /** The arguments as they were sent, and the result as it was delivered, as JSON; undefined where there was none. */
  input: string | undefined;
  output: string | undefined;

  /** Notes more of what was found. */
  find(findings: readonly Finding[], observed: readonly Observation[] = []): void {
    this.findings = [...this.findings, ...findings];
    this.observed = [...this.observed, ...observed];
  }
}
