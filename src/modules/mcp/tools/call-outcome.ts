import type { Finding } from '../../content/content-result.js';
import type { Observation, RecordedMcpRequest, ProviderAttempt } from '../../generations/generation-details.js';
import type { RequestInspection } from '../../inference/pipeline/inspectors/request-inspection.js';
import type { AdmittedCall } from './tool-admission.service.js';

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
