import { type DestinationConfig, maskConfig, maskedForm } from './config-mask.js';
import type { ObservabilityDestination } from './dto/destination.dto.js';
import type { DestinationEntity } from './entities/destination.entity.js';

/** A destination as the interface shows it: every credential masked. @param config decrypted; undefined where that fails */
export function toDestinationResponse(
  destination: DestinationEntity,
  config: DestinationConfig | undefined,
): ObservabilityDestination {
  return {
    id: destination.id,
    ...toAuditedFields(destination, config),
    created_at: destination.createdAt.toISOString(),
    updated_at: destination.updatedAt.toISOString(),
  };
}

/** What the audit trail keeps of a destination: its credentials masked. @param config decrypted; undefined where that fails */
export function toAuditedFields(
  destination: DestinationEntity,
  config: DestinationConfig | undefined,
): Omit<ObservabilityDestination, 'id' | 'created_at' | 'updated_at'> {
  return {
    workspace_id: destination.workspaceId,
    name: destination.name,
    type: destination.type,
    enabled: destination.enabled,
    privacy_mode: destination.privacyMode,
    sampling_rate: destination.samplingRate,
    broadcast_generation_cost: destination.broadcastGenerationCost,
    broadcast_generation_identity: destination.broadcastGenerationIdentity,
    broadcast_generation_request_context: destination.broadcastGenerationRequestContext,
    regions: destination.regions,
    api_key_hashes: destination.apiKeyHashes,
    filter_rules: destination.filterRules,
    config: config === undefined ? maskedForm(destination.type) : maskConfig(destination.type, config),
  };
}
