import type { DestinationConfig } from './credential-mask.js';
import { regionsOf } from './destination-region.js';
import type { CreateObservabilityDestinationRequest } from './dto/destination-request.dto.js';
import type { DestinationEntity } from './entities/destination.entity.js';

/** A destination to be made. */
export interface NewDestination extends CreateObservabilityDestinationRequest {
  readonly organizationId: string;
  readonly workspaceId: string;
  readonly config: DestinationConfig;
}

/** The row of a new destination, but for the time at which the database makes it. */
export type NewDestinationRow = Omit<DestinationEntity, 'createdAt' | 'updatedAt'>;

/** The row of a new destination, with everything that is not given as the contract has it by default. */
export function newDestination(id: string, fields: NewDestination, encryptedConfig: Buffer): NewDestinationRow {
  return {
    id,
    organizationId: fields.organizationId,
    workspaceId: fields.workspaceId,
    name: fields.name,
    type: fields.type,
    enabled: fields.enabled ?? true,
    privacyMode: fields.privacy_mode ?? false,
    samplingRate: fields.sampling_rate ?? 1,
    broadcastGenerationCost: fields.broadcast_generation_cost ?? false,
    broadcastGenerationIdentity: fields.broadcast_generation_identity ?? false,
    broadcastGenerationRequestContext: fields.broadcast_generation_request_context ?? false,
    regions: regionsOf(fields.regions ?? ['global']),
    apiKeyHashes: withoutRepetition(fields.api_key_hashes ?? null),
    filterRules: fields.filter_rules ?? null,
    encryptedConfig,
  };
}

/** Each of them once, in the order in which they come first. */
export function withoutRepetition(hashes: readonly string[] | null): string[] | null {
  return hashes === null ? null : [...new Set(hashes)];
}
