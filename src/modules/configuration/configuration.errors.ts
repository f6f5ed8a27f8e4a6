import { defineError } from '../../http/errors/define-error.js';
import { IssueKind } from '../../http/errors/issue-kind.js';

/** What there is has changed since the plan was made, so that it would do something else now. */
export class ConfigurationChanged extends defineError(409, 'configuration_changed') {}

/** Another request is applying the files of this owner. */
export class ConfigurationBeingApplied extends defineError(409, 'configuration_being_applied') {}

/** Objects stand in the way of the plan: `metadata.conflicts` says which, and why. */
export class ConfigurationConflicts extends defineError(409, 'configuration_conflicts') {}

/** A name in a file that is that of no object, or of several. */
export const UNKNOWN_REFERENCE = new IssueKind('unknown_reference', (message: string) => message);

/** A name that a second object has in a list in which only one can have it. */
export const NAMED_TWICE = new IssueKind(
  'named_twice',
  (other: string) => `is also of ${other}, and can be of one alone`,
);

/** A secret whose source was not read. */
export const SECRET_MISSING = new IssueKind('secret_missing', (name: string) => `has no value for ${name}`);

/** A field that only a new object may have otherwise. */
export const FIELD_FIXED = new IssueKind(
  'field_fixed',
  'cannot be changed: delete the object, or give the new one another name',
);

/** What an operation says that the plan would call. */
export const REFUSED_CHANGE = new IssueKind('refused_change', (reason: string) => `is refused: ${reason}`);
