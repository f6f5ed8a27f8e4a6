import type { CandidateEndpoint } from '../../routing/index.js';
import type { Candidate } from '../pipeline/request/candidate.js';
import type { EvaluatedCandidate, EvaluatedEndpoint } from './dto/evaluated-endpoint.dto.js';

/** Names an endpoint in the response. */
export function toEndpoint({ model, endpoint }: CandidateEndpoint): EvaluatedEndpoint {
  return { model: model.row.id, provider: endpoint.provider.slug, endpoint: endpoint.row.tag };
}

/** Names an endpoint that is tried. */
export function toCandidate(candidate: Candidate): EvaluatedCandidate {
  return { ...toEndpoint(candidate), is_byok: candidate.isByok };
}
