export { ScimGroupMappingsService } from './scim-group-mappings.service.js';
export { ScimGroupsService } from './scim-groups.service.js';
export { ScimGroupNotFound } from './scim.errors.js';
export { ScimModule } from './scim.module.js';
