import { type ErrorsByConstraint } from '../../../http/errors/constraint-errors.js';
import type { ErrorKind } from '../../../http/errors/domain-error.js';
import { defineError } from '../../../http/errors/define-error.js';
import { IssueKind } from '../../../http/errors/issue-kind.js';

// Each reason stands for one scimType of RFC 7644, section 3.12 (docs/interface/scim-provisioning.md#errors).

/** A filter that is malformed, beyond its bounds, or about an attribute that is not filtered by. */
export const INVALID_FILTER = new IssueKind('scim_invalid_filter', (message: string) => message);

/** A path of a PATCH operation that is malformed. */
export const INVALID_PATH = new IssueKind('scim_invalid_path', (message: string) => message);

/** A body that is no document of its kind. */
export const INVALID_SYNTAX = new IssueKind('scim_invalid_syntax', (message: string) => message);

/** A value that an attribute cannot have. */
export const INVALID_VALUE = new IssueKind('scim_invalid_value', (message: string) => message);

/** A removal that does not say of what. */
export const NO_TARGET = new IssueKind('scim_no_target', (message: string) => message);

/** A change of what cannot be changed. */
export const MUTABILITY = new IssueKind('scim_mutability', (message: string) => message);

/** The organization has no directory connected, though its token is live. */
export class ProvisioningNotEnabled extends defineError(403, 'scim_provisioning_not_enabled') {
  override get shownMessage(): string {
    return 'SCIM is not enabled for this organization: an operator enables it with "gatehouse scim enable".';
  }
}

/** The organization has no user or group of this id. */
export class ResourceNotFound extends defineError(404, 'scim_resource_not_found') {
  override get shownMessage(): string {
    return 'There is no resource of this type and id.';
  }
}

/** The interface for directories has nothing of this method and path. */
export class EndpointNotFound extends defineError(404, 'scim_endpoint_not_found') {
  override get shownMessage(): string {
    return 'There is no such SCIM endpoint: /Users, /Groups, /ServiceProviderConfig, /ResourceTypes and /Schemas are there.';
  }
}

/** A part of SCIM that ServiceProviderConfig says is not supported. */
export class NotImplemented extends defineError(501, 'scim_not_implemented') {
  override get shownMessage(): string {
    return 'This part of SCIM is not supported: see /ServiceProviderConfig.';
  }
}

/** What the interface says of itself cannot be filtered: a client would take all of it for what its filter means (RFC 7644, section 4). */
export class DiscoveryNotFiltered extends defineError(403, 'scim_discovery_not_filtered') {
  override get shownMessage(): string {
    return '/ServiceProviderConfig, /ResourceTypes and /Schemas take no filter.';
  }
}

/** Another user or group has the value of an attribute that is unique. */
export class AttributeTaken extends defineError(409, 'scim_attribute_taken') {
  /** @param conflict what an administrator of the directory can do; never a secret */
  constructor(private readonly conflict = 'The value is taken by another resource.') {
    super();
  }

  override get shownMessage(): string {
    return this.conflict;
  }
}

/** The resource is not in the version that the request names. */
export class VersionMismatch extends defineError(412, 'scim_version_mismatch') {
  override get shownMessage(): string {
    return 'The resource has been changed since: If-Match does not name its version.';
  }
}

/** What a violated constraint of provisioned users means to the directory, where two of its requests pass the check at once. */
export const PROVISIONING_CONSTRAINT_ERRORS: ErrorsByConstraint = {
  uq_scim_users_user_name: () => new AttributeTaken('userName is taken by another user of this organization.'),
  uq_scim_users_external_id: () => new AttributeTaken('externalId is taken by another user of this organization.'),
};

/** All errors of the interface for directories, besides those of any request. */
export const PROVISIONING_ERRORS: readonly ErrorKind[] = [
  ProvisioningNotEnabled,
  ResourceNotFound,
  EndpointNotFound,
  NotImplemented,
  DiscoveryNotFiltered,
  AttributeTaken,
  VersionMismatch,
];
