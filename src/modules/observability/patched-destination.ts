import { regionsOf } from './destination-region.js';
import type { UpdateObservabilityDestinationRequest } from './dto/destination-request.dto.js';
import type { DestinationEntity } from './entities/destination.entity.js';
import { withoutRepetition } from './new-destination.js';

/** A destination with what a request changes besides the configuration. What it leaves out stays; null clears. */
export function patchedDestination(
  stored: DestinationEntity,
  patch: UpdateObservabilityDestinationRequest,
): DestinationEntity {
  return {
    ...stored,
    name: patch.name ?? stored.name,
    enabled: patch.enabled ?? stored.enabled,
    privacyMode: patch.privacy_mode ?? stored.privacyMode,
    samplingRate: patch.sampling_rate ?? stored.samplingRate,
    broadcastGenerationCost: patch.broadcast_generation_cost ?? stored.broadcastGenerationCost,
    broadcastGenerationIdentity: patch.broadcast_generation_identity ?? stored.broadcastGenerationIdentity,
    broadcastGenerationRequestContext:
      patch.broadcast_generation_request_context ?? stored.broadcastGenerationRequestContext,
    regions: patch.regions === undefined ? stored.regions : regionsOf(patch.regions),
    apiKeyHashes: patch.api_key_hashes === undefined ? stored.apiKeyHashes : withoutRepetition(patch.api_key_hashes),
    filterRules: patch.filter_rules === undefined ? stored.filterRules : patch.filter_rules,
  };
}
