import type { Answer } from './api-client.js';
import { STATUS_MESSAGES } from './status-messages.js';

/** How an operation refuses a request. */
export interface Refusal {
  readonly status: number;
  readonly reason: string;
  /** The place of every fault, in any order: for a 400 only. */
  readonly paths?: readonly string[];
  /** Further members of `error.metadata`. */
  readonly detail?: Readonly<Record<string, unknown>>;
  /** The user behind the credential; none when left out. */
  readonly userId?: string;
}

/** Checks that an answer is the envelope of a refusal, the whole of it and nothing else. */
export function expectRefusal(answer: Answer, { status, reason, paths, detail, userId }: Refusal): void {
  const issues = issuesOf(answer);
  expect(answer.body).toEqual({
    error: {
      code: status,
      message: STATUS_MESSAGES[status],
      metadata: { reason, ...(paths && { issues: expect.any(Array) as unknown }), ...detail },
    },
    service_metadata: { request_id: answer.headers.get('x-request-id') },
    ...(userId !== undefined && { user_id: userId }),
  });
  expect(answer.status).toBe(status);
  expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
  if (paths === undefined) return;
  expect(issues.map((issue) => issue.path).sort()).toEqual([...paths].sort());
  for (const issue of issues)
    expect(issue).toEqual({ path: issue.path, message: expect.stringMatching(/./) as unknown });
}

function issuesOf(answer: Answer): { path: string }[] {
  const { error } = answer.body as { error?: { metadata?: { issues?: { path: string }[] } } };
  return error?.metadata?.issues ?? [];
}
