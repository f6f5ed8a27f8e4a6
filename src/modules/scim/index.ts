export { ScimGroupMappingsService } from './scim-group-mappings.service.js';
export { ScimGroupsService } from './scim-groups.service.js';
export { ScimGroupNotFound } from './scim.errors.js';
export {
  type DirectoryHook,
  DirectoryHooks,
  type EndedDirectory,
  type IdentifiedMember,
} from './provisioning/directory-hooks.js';
export { DirectoryMembersService, type RenamedIssuer } from './provisioning/directory-members.service.js';
export { SyncJobsWorker } from './sync-jobs/sync-jobs.worker.js';
export { MassDeactivationService } from './provisioning/mass-deactivation.service.js';
export { ScimModule } from './scim.module.js';
export { ProvisioningTokensService } from './tokens/provisioning-tokens.service.js';
export { toProvisioningTokenResponse } from './scim.mapper.js';
export {
  type CreateProvisioningTokenRequest,
  type IssuedProvisioningTokenResponse,
  type ListProvisioningTokensResponse,
  type RevokeProvisioningTokenResponse,
} from './dto/provisioning-token.dto.js';
