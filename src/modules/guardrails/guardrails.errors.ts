import { BadRequestError } from '../../http/errors/bad-request-error.js';
import { type ErrorsByConstraint } from '../../http/errors/constraint-errors.js';
import { defineError, defineRetryLaterError } from '../../http/errors/define-error.js';
import { IssueKind } from '../../http/errors/issue-kind.js';
import { UNKNOWN_WORKSPACE } from '../workspaces/workspaces.errors.js';

/** The organization has no guardrail of this id. */
export class GuardrailNotFound extends defineError(404, 'guardrail_not_found') {}

/** A user in the request is not a member of the organization. */
export class MemberNotFound extends defineError(404, 'member_not_found') {}

/** Replicas of a release before the guardrails of workspaces run, which do not see what members are given now. */
export class OlderReplicas extends defineRetryLaterError(503, 'older_replicas') {}

/** Too many requests of the organization wait for their patterns to be compiled. */
export class TooManyPatternChecks extends defineRetryLaterError(429, 'pattern_check_limit') {}

/** A default guardrail is deleted with its workspace only. */
export const DEFAULT_GUARDRAIL_NOT_DELETABLE = new IssueKind(
  'default_guardrail_not_deletable',
  'is the default guardrail of a workspace',
);

/** A default guardrail cannot be assigned: it applies to all traffic of its workspace. */
export const DEFAULT_GUARDRAIL_NOT_ASSIGNABLE = new IssueKind(
  'default_guardrail_not_assignable',
  'is the default guardrail of a workspace',
);

/** A key or member is of another workspace than the guardrail that it is to get. */
export const OTHER_WORKSPACE = new IssueKind('other_workspace', (kind: 'key' | 'member') =>
  kind === 'key'
    ? 'is a key of another workspace than the guardrail'
    : 'is no member of the workspace of the guardrail',
);

/** A request names an inspector that is not one of the organization's. */
export const UNKNOWN_INSPECTOR = new IssueKind('inspector_not_found', 'is not an inspector of the organization');

/** Of limit_usd and reset_interval one is set without the other. */
export const LIMIT_WITHOUT_INTERVAL = new IssueKind(
  'limit_without_interval',
  (other: string) => `must be given together with ${other}`,
);

/** A builtin filter occurs twice, and might have two actions. */
export const DUPLICATE_BUILTIN_FILTER = new IssueKind(
  'duplicate_builtin_filter',
  (slug: string) => `${slug} is given more than once`,
);

/** The groups of a pattern are nested too deep. */
export const PATTERN_NESTED_TOO_DEEP = new IssueKind(
  'pattern_nested_too_deep',
  (maximum: number) => `must not nest groups deeper than ${maximum} levels`,
);

/** A pattern is too large. */
export const PATTERN_TOO_LARGE = new IssueKind(
  'pattern_too_large',
  (size: number, maximum: number) =>
    `comes to a size of ${size} with its repetitions and character classes; at most ${maximum} are allowed`,
);

/** The patterns of a guardrail are too large together, by their size or by what compiling them takes. */
export const PATTERNS_TOO_LARGE = new IssueKind('patterns_too_large', (message: string) => `the patterns ${message}`);

/** The engine does not take a pattern. */
export const INVALID_PATTERN = new IssueKind(
  'invalid_regex_pattern',
  (issue: string) => `is not a regular expression that runs in linear time: ${issue}`,
);

/** A rule for arguments of tools is no schema, or one that could take too long. */
export const INVALID_ARGUMENT_SCHEMA = new IssueKind('invalid_argument_schema', (message: string) => message);

/** What a violated constraint of guardrails means to the caller. */
export const GUARDRAILS_CONSTRAINT_ERRORS: ErrorsByConstraint = {
  fk_guardrails_workspace: () => BadRequestError.of([UNKNOWN_WORKSPACE.at('workspace_id')]),
};
