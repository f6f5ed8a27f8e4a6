import { defineError, defineRetryLaterError } from '../../http/errors/define-error.js';
import type { ErrorsByConstraint } from '../../http/errors/constraint-errors.js';
import type { ManagedPrivateEndpoint, PrivateEndpointValidation } from './dto/private-endpoint.dto.js';
import { IssueKind } from '../../http/errors/issue-kind.js';

/** The organization has no provider of this slug. */
export class PrivateProviderNotFound extends defineError(404, 'private_provider_not_found') {}

/** The organization has no endpoint of this id. */
export class PrivateEndpointNotFound extends defineError(404, 'private_endpoint_not_found') {}

/** The slug or the name is that of another provider, of the catalog or of the organization. */
export class PrivateProviderExists extends defineError(409, 'private_provider_exists') {}

/** Endpoints or provider keys name the provider, so that it cannot be deleted. */
export class PrivateProviderInUse extends defineError(409, 'private_provider_in_use') {}

/** The endpoint, or one that has the address of the provider, is active: what it was validated with stays until it is disabled. */
export class PrivateEndpointActive extends defineError(409, 'private_endpoint_active') {}

/** What is asked for is not possible in the present status of the endpoint. */
export class PrivateEndpointStatusConflict extends defineError(409, 'private_endpoint_status') {}

/** An endpoint without prices cannot be activated. */
export class PrivateEndpointWithoutPrices extends defineError(409, 'private_endpoint_without_prices') {}

/** No validation of the endpoint has passed. */
export class PrivateEndpointNotValidated extends defineError(409, 'not_validated') {}

/** The endpoint was changed since its last validation passed. */
export class PrivateEndpointValidationStale extends defineError(409, 'validation_stale') {}

/** What came of an activation that has failed. */
interface FailedActivation {
  /** Its last check has failed. */
  readonly validation: PrivateEndpointValidation;
  /** What was made although it could not be activated. */
  readonly endpoint?: ManagedPrivateEndpoint;
}

/** The endpoint does not answer as it did when it was validated; `error.metadata.validation` says which check failed. */
export class PrivateEndpointCheckFailed extends defineError(409, 'private_endpoint_check_failed') {
  constructor(private readonly failed: FailedActivation) {
    super({ ...failed });
  }

  /** To repeat the request would not help, unlike with other conflicts. */
  override get shownMessage(): string {
    return messageOf(this.failed);
  }

  /** The draft that a creation names is there. */
  override readonly keepsChanges = 'endpoint' in this.metadata;
}

/** What {@link PrivateEndpointCheckFailed} is in the public dialect: another status, and the particulars also in `data`. */
export class PrivateEndpointCheckFailedPublicly extends defineError(422, 'private_endpoint_check_failed') {
  constructor(private readonly failed: FailedActivation) {
    super({ ...failed });
  }

  override get shownMessage(): string {
    return messageOf(this.failed);
  }

  override get besides(): Readonly<Record<string, unknown>> {
    return { data: this.failed };
  }

  override readonly keepsChanges = 'endpoint' in this.metadata;
}

function messageOf({ validation }: FailedActivation): string {
  const { name, reason, upstream_status: status, upstream_message: words } = validation.checks.at(-1)!;
  const answer = status === undefined ? '' : `, the server answered ${status}`;
  const said = words == null ? '.' : `: ${words}`;
  return `The endpoint is not activated: its check "${name}" failed (${reason})${answer}${said}`;
}

/** As many endpoints of the organization are being validated as may be. */
export class TooManyEndpointValidations extends defineRetryLaterError(429, 'too_many_endpoint_validations') {}

/** An address that is not called. */
export const PRIVATE_ADDRESS_NOT_ALLOWED = new IssueKind('address_not_allowed', (message: string) => message);

/** A name of which no slug can be made. */
export const SLUG_REQUIRED = new IssueKind(
  'slug_required',
  'is required, because the name has too few letters a to z and digits',
);

/** A model that is not asked for chats or embeddings, whose prices have other units. */
export const MODEL_NOT_SERVED = new IssueKind(
  'model_not_served',
  'must be the name of a model for chats or embeddings, without a variant',
);

/** A provider that the organization does not have. */
export const UNKNOWN_PRIVATE_PROVIDER = new IssueKind(
  'private_provider_not_found',
  "is not the slug of one of the organization's own providers",
);

/** What a violated constraint means to the caller. */
export const PRIVATE_MODELS_CONSTRAINT_ERRORS: ErrorsByConstraint = {
  uq_private_providers_slug: () => new PrivateProviderExists(),
  fk_private_endpoints_provider: () => new PrivateProviderInUse(),
};
