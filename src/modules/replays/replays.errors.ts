import type { ErrorsByConstraint } from '../../http/errors/constraint-errors.js';
import { defineError, defineExplainedError } from '../../http/errors/define-error.js';
import { IssueKind } from '../../http/errors/issue-kind.js';

/** The organization has no replay of this id. */
export class ReplayNotFound extends defineError(404, 'replay_not_found') {}

/** A replay of the organization is running. */
export class ReplayRunning extends defineError(409, 'replay_running') {}

/** A limit of requests at the same time cannot be replayed: records do not say exactly when requests came and went. */
export class ConcurrentLimitNotReplayable extends defineExplainedError(400, 'limit_not_replayable') {
  constructor() {
    super('A limit of requests at the same time cannot be replayed.');
  }
}

/** The span of a replay is empty, longer than 31 days, or not of the past. */
export const INVALID_REPLAY_SPAN = new IssueKind(
  'invalid_replay_span',
  'must be later than from, by at most 31 days, and not in the future',
);

/** What the violated constraints of replays mean. */
export const REPLAYS_CONSTRAINT_ERRORS: ErrorsByConstraint = { uq_replay_jobs_running: () => new ReplayRunning() };
