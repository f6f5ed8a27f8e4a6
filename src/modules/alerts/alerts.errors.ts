import { BadRequestError } from '../../http/errors/bad-request-error.js';
import { type ErrorsByConstraint } from '../../http/errors/constraint-errors.js';
import { defineError, defineRetryLaterError } from '../../http/errors/define-error.js';
import { IssueKind } from '../../http/errors/issue-kind.js';
import { UNKNOWN_KEY } from '../keys/keys.errors.js';
import { UNKNOWN_WORKSPACE } from '../workspaces/workspaces.errors.js';

/** The organization has no alert of this id. */
export class AlertNotFound extends defineError(404, 'alert_not_found') {}

/** The organization, or one address, has been sent as many confirmation links as a day may have. */
export class TooManyConfirmationMails extends defineRetryLaterError(429, 'too_many_confirmation_mails') {}

/** A request names a guardrail that is not one of the organization's, or a default guardrail that was never changed and so has no limit. */
export const UNKNOWN_GUARDRAIL = new IssueKind(
  'guardrail_not_found',
  'is not a guardrail of the organization that has been stored',
);

/** A request names a limit by condition and group that is not one of the organization's. */
export const UNKNOWN_LIMIT = new IssueKind('limit_not_found', 'is not a limit of the organization');

/** A request names a destination that is no webhook of the organization. */
export const UNKNOWN_WEBHOOK = new IssueKind(
  'destination_not_found',
  'is not an observability destination of type webhook of the organization',
);

/** A request names addresses, and the deployment sends no e-mail. */
export const EMAIL_NOT_CONFIGURED = new IssueKind(
  'email_not_configured',
  'cannot be used, because this deployment sends no e-mail (SMTP_URL)',
);

/** An alert that would notify no one. */
export const NO_RECEIVER = new IssueKind('alert_without_receiver', 'must name a destination_id, or emails, or both');

/** What a violated constraint of alerts means to the caller. */
export const ALERTS_CONSTRAINT_ERRORS: ErrorsByConstraint = {
  fk_alerts_workspace: () => BadRequestError.of([UNKNOWN_WORKSPACE.at('workspace_id')]),
  fk_alerts_guardrail: () => BadRequestError.of([UNKNOWN_GUARDRAIL.at('guardrail_id')]),
  fk_alerts_key: () => BadRequestError.of([UNKNOWN_KEY.at('key_hash')]),
  fk_alerts_limit: () => BadRequestError.of([UNKNOWN_LIMIT.at('limit_id')]),
};
