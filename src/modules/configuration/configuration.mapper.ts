import type { AppliedConfigurationResponse, ManagedObjectResponse } from './dto/configuration.dto.js';
import type { AppliedConfiguration } from './applied-configuration.js';
import type { ManagedObjectEntity } from './entities/managed-object.entity.js';

/** What has been applied, as the interface shows it. */
export function toAppliedResponse({ plan, wasApplied, issued }: AppliedConfiguration): AppliedConfigurationResponse {
  return { ...plan, was_applied: wasApplied, new_keys: [...issued] } as AppliedConfigurationResponse;
}

/** An object that files configure, as the interface shows it. */
export function toManagedObjectResponse(object: ManagedObjectEntity): ManagedObjectResponse {
  return {
    section: object.section,
    id: object.objectId,
    name: object.name,
    owner: object.owner,
    file: object.file,
    applied_at: object.appliedAt.toISOString(),
    drifted_at: object.driftedAt?.toISOString() ?? null,
  };
}
