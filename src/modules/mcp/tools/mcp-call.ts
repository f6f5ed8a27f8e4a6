import type { Labels } from '../../labels/labels.js';
import { timeOfGeneration } from '../../generations/generation-time.js';
import { newGenerationId } from '../../inference/pipeline/request/generation-id.js';
import { type NamedSubject, namedSubjectOf, subjectOf } from '../../inference/pipeline/request/request-subject.js';
import type { McpRequestOf } from '../mcp-request.js';

/** A request that gets a record. */
export interface McpCall extends McpRequestOf {
  /** The id of its record. */
  readonly id: string;
  /** The second that the id states. */
  readonly createdAt: Date;
  /** On the clock of `performance.now()`, in milliseconds. */
  readonly startedAt: number;
  /** What stands in the place of a model in its record. */
  readonly model: string;
  readonly subject: NamedSubject & { readonly labels: Labels | undefined };
}

/** Begins a request that gets a record. @throws EndUserNotAllowed, BadRequestError for a header of labels that cannot be used */
export function begunCall(request: McpRequestOf, startedAt: number, model: string): McpCall {
  const id = newGenerationId(Date.now());
  const named = namedSubjectOf({}, request.http);
  const { externalUser, labels } = subjectOf(named, {}, request.context);
  const createdAt = timeOfGeneration(id)!;
  return { ...request, id, createdAt, startedAt, model, subject: { ...named, externalUser, labels } };
}
