import { defineError } from '../../http/errors/define-error.js';
import { IssueKind } from '../../http/errors/issue-kind.js';

/** The organization has no inspector of this id. */
export class InspectorNotFound extends defineError(404, 'inspector_not_found') {}

/** A guardrail names the inspector: it would judge nothing any more. */
export class InspectorInUse extends defineError(409, 'inspector_in_use') {}

/** A judge model is asked for requests alone, whose keys pay for it. */
export const JUDGE_NOT_TESTED = new IssueKind(
  'judge_not_tested',
  'is a judge model, which is asked for requests alone, because their keys pay for it',
);

/** Texts would be sent to an address that is not allowed. */
export const INSPECTOR_ADDRESS_NOT_ALLOWED = new IssueKind('address_not_allowed', (message: string) => message);
