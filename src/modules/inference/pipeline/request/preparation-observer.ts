import type { OnTextMatch } from '../../../content/content-result.js';
import type { Exclusion } from '../../../routing/endpoint-exclusion.js';
import type { CandidateEndpoint } from '../../../routing/endpoint-order.js';
import type { PresetInForce } from '../../../presets/presets.service.js';
import type { ClientChatRequest } from '../../../codecs/chat/client-request.js';
import type { CompiledPolicy } from '../policy/compiled-policies.js';

/** Hears what a preparation finds that no record tells: what an evaluation shows. */
export interface PreparationObserver {
  /** The body is complete. @param preset what it was completed with; undefined for none */
  completed(body: ClientChatRequest, preset: PresetInForce | undefined): void;
  /** No limit is met, and these are the rules. */
  ruled(policy: CompiledPolicy): void;
  /** A content filter has matched. */
  readonly matched: OnTextMatch;
  /** Receives an endpoint that is excluded from the candidates. @param reasons at least one, the foremost first */
  excluded(endpoint: CandidateEndpoint, reasons: readonly Exclusion[]): void;
}
