import { entityTagOf } from '../../http/entity-tags.js';
import type { ExternalUser } from './dto/external-user.dto.js';
import type { ExternalUserEntity } from './entities/external-user.entity.js';

/** A user as the interface shows it. */
export function toExternalUserResponse(user: ExternalUserEntity): ExternalUser {
  return {
    user: user.externalUser,
    is_active: user.isActive,
    created_at: user.createdAt.toISOString(),
    updated_at: user.updatedAt.toISOString(),
  };
}

/** The entity tag of a user (docs/interface/conventions.md#conditional-requests). */
export function tagOfExternalUser({ id, isActive }: ExternalUserEntity): string {
  return entityTagOf(id, { is_active: isActive });
}
