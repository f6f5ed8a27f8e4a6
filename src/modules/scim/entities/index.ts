import { ScimGroupEntity } from './scim-group.entity.js';
import { ScimGroupMemberEntity } from './scim-group-member.entity.js';
import { ScimGroupMappingEntity } from './scim-group-mapping.entity.js';

/** Every entity of this module. */
export const SCIM_ENTITIES = [ScimGroupEntity, ScimGroupMemberEntity, ScimGroupMappingEntity];
