import type { Answer, ErrorBody } from './api-client.js';
import { STATUS_MESSAGES } from './status-messages.js';

/**
 * Checks that an answer is the envelope of a failure, whatever it says in particular (SERVICE.md, section 7; DECISIONS.md,
 * section 2).
 *
 * @returns the envelope
 */
export function expectEnvelope(answer: Answer, status = answer.status): ErrorBody {
  const { error, service_metadata, ...rest } = answer.body as ErrorBody;
  expect(answer.status).toBe(status);
  expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(STATUS_MESSAGES).toHaveProperty(String(status));
  expect(error).toEqual({
    code: status,
    message: STATUS_MESSAGES[status],
    // A 500 says nothing of its cause.
    ...(status !== 500 && { metadata: expect.objectContaining({ reason: expect.stringMatching(/^[a-z_]+$/) }) }),
  });
  expect(service_metadata).toEqual({ request_id: answer.headers.get('x-request-id') });
  expect(Object.keys(rest).filter((name) => name !== 'user_id')).toEqual([]);
  if (status === 400) {
    expect(error.metadata.issues!.length).toBeGreaterThan(0);
    expect(error.metadata.issues!.filter((issue) => !isIssue(issue))).toEqual([]);
  }
  return answer.body as ErrorBody;
}

function isIssue(issue: Readonly<Record<string, unknown>>): boolean {
  const { path, message, ...rest } = issue;
  return typeof path === 'string' && typeof message === 'string' && message !== '' && Object.keys(rest).length === 0;
}

/** The places that the faults of a 400 name. */
export function issuePaths({ error }: ErrorBody): string[] {
  return (error.metadata.issues ?? []).map((issue) => issue.path);
}

/** The faults that a 400 names, but for fields that the request should have had. */
export function besidesMissing({ error }: ErrorBody): { path: string; message: string }[] {
  return (error.metadata.issues ?? []).filter(({ message }) => message !== 'is required');
}
