import { BadRequestError, NotFoundError } from '../../http/errors/domain-error.js';
import { joinPath, type ReasonedIssue } from '../../http/errors/issue.js';

/** A request names a model that the catalog does not have. */
export function unknownModel(field: string, index: number, reference: string): ReasonedIssue {
  return { path: joinPath(field, index), message: `${reference} is not a known model`, reason: 'unknown_model' };
}

/** A request names a provider that the catalog does not have. */
export function unknownProvider(field: string, index: number, slug: string): ReasonedIssue {
  return { path: joinPath(field, index), message: `${slug} is not a known provider`, reason: 'unknown_provider' };
}

/** The organization has no guardrail of this id. */
export class GuardrailNotFound extends NotFoundError {
  constructor() {
    super('guardrail_not_found');
  }
}

/** The default guardrail of a workspace goes with its workspace alone. */
export class DefaultGuardrailNotDeletable extends BadRequestError {
  constructor() {
    super('default_guardrail_not_deletable', [{ path: 'id', message: 'is the default guardrail of a workspace' }]);
  }
}

/** The default guardrail of a workspace applies to all its traffic, and so to nothing in particular. */
export class DefaultGuardrailNotAssignable extends BadRequestError {
  constructor() {
    super('default_guardrail_not_assignable', [{ path: 'id', message: 'is the default guardrail of a workspace' }]);
  }
}

/** A user of a request is not a member of the organization. */
export class MemberNotFound extends NotFoundError {
  constructor() {
    super('member_not_found');
  }
}
