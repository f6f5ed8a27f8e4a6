import { defineRetryLaterError } from '../../http/errors/define-error.js';

/** The organization has so many exports open already. */
export class TooManyAuditExports extends defineRetryLaterError(429, 'too_many_audit_exports') {}
