import type { HeldSlot } from '../../../api/request-limits/request-slots.js';
import type { TextMatch } from '../../content/content-result.js';
import type { Finding } from '../../content/content-result.js';
import type { PresetInForce } from '../../presets/presets.service.js';
import type { Exclusion } from '../../routing/endpoint-exclusion.js';
import type { CandidateEndpoint } from '../../routing/endpoint-order.js';
import type { AdmissionForecast } from '../pipeline/admission/admission-forecast.js';
import type { Candidate } from '../pipeline/request/candidate.js';
import type { ClientChatRequest } from '../../codecs/chat/client-request.js';
import type { CompiledPolicy } from '../pipeline/policy/compiled-policies.js';
import type { PluginStage } from '../pipeline/request/plugins.js';
import type { RequestedModel } from '../pipeline/context/model-names.js';
import type { PreparationObserver } from '../pipeline/request/preparation-observer.js';
import type { RequestFacts } from '../pipeline/request/prepared-request.js';

/** How many matches are kept. The others are counted. */
const MAXIMUM_MATCHES = 1_000;

/** An endpoint that was excluded. */
export interface ExcludedEndpoint extends CandidateEndpoint {
  /** At least one, the foremost first. */
  readonly reasons: readonly Exclusion[];
}

/** What is learned about a request that is evaluated, up to the step that refuses it. */
export class EvaluatedRequest implements RequestFacts, PreparationObserver {
  /** No generation comes of it. */
  readonly id = '';
  readonly sessionId = null;
  /** The size of the body, which is not known and taken to be large. */
  readonly bodyBytes = Infinity;
  workspaceId: string | null = null;
  model = '';
  models: readonly RequestedModel[] = [];
  findings: readonly Finding[] = [];
  pluginStages: readonly PluginStage[] = [];
  candidates: readonly Candidate[] = [];
  body: ClientChatRequest | undefined;
  preset: PresetInForce | undefined;
  policy: CompiledPolicy | undefined;
  /** The forecast of the admission; undefined if the request is refused before it. */
  admission: AdmissionForecast | undefined;
  readonly matches: TextMatch[] = [];
  omittedMatches = 0;
  readonly excludedEndpoints: ExcludedEndpoint[] = [];

  /** @param slot that in which it is evaluated */
  constructor(readonly slot: HeldSlot) {}

  get observer(): PreparationObserver {
    return this;
  }

  completed(body: ClientChatRequest, preset: PresetInForce | undefined): void {
    this.body = body;
    this.preset = preset;
  }

  ruled(policy: CompiledPolicy): void {
    this.policy = policy;
  }

  readonly matched = (match: TextMatch): void => {
    if (this.matches.length < MAXIMUM_MATCHES) this.matches.push(match);
    else this.omittedMatches += 1;
  };

  excluded({ model, endpoint }: CandidateEndpoint, reasons: readonly Exclusion[]): void {
    this.excludedEndpoints.push({ model, endpoint, reasons });
  }
}
