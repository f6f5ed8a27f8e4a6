import type { Answer, ErrorBody } from '../network/api-client.js';
import { commonEnvelopeOf } from './common-envelope.js';
import { INFERENCE_OPERATIONS } from '../../operations/inference-operations.js';

/** How an operation refuses a request. */
export interface Refusal {
  readonly status: number;
  readonly reason: string;
  /** The place of every issue, in any order; for a 400 only. */
  readonly paths?: readonly string[];
  /** Further members of `error.metadata`. */
  readonly detail?: Readonly<Record<string, unknown>>;
  /** The user behind the credential; none when left out. */
  readonly userId?: string;
  /** Where it is not that of the status. */
  readonly message?: string;
  /** The operation, if it may be one of those that name the issues of a 400 in its message. */
  readonly operationId?: string;
  /** Whether it comes in the public dialect, which names the issues of every 400 in its message. */
  readonly isPublic?: boolean;
}

/** Checks that an answer is the envelope of a refusal, the whole of it and nothing else. */
export function expectRefusal(answer: Answer, { status, reason, paths, detail, userId, ...shown }: Refusal): void {
  const issues = issuesOf(answer);
  expect(commonEnvelopeOf(answer.body)).toEqual({
    error: {
      code: status,
      message: shown.message ?? messageOf(status, shown.operationId, shown.isPublic),
      metadata: {
        reason,
        ...(paths && { issues: expect.any(Array) as unknown }),
        ...(isOfInference(shown.operationId) && { error_type: expect.stringMatching(/^[a-z_]+$/) as unknown }),
        ...(status === 401 && { ...particularsOf(answer) }),
        ...detail,
      },
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

/** What is said of a credential that was cut or mistyped. */
function particularsOf({ body }: Answer): { particulars?: unknown } {
  const { particulars } = (body as ErrorBody).error.metadata as { particulars?: unknown };
  return particulars === undefined ? {} : { particulars: expect.stringMatching(/^malformed: /) as unknown };
}

function issuesOf(answer: Answer): { path: string }[] {
  const { error } = answer.body as { error?: { metadata?: { issues?: { path: string }[] } } };
  return error?.metadata?.issues ?? [];
}

/**
 * Checks that an answer is an error envelope with the message of its status (docs/interface/errors.md#envelope).
 *
 * @param operationId the operation, if it may be one of those that name the issues of a 400 in its message
 * @param isPublic whether the answer comes in the public dialect, which does so in every one
 * @returns the envelope
 */
export function expectEnvelope(
  answer: Answer,
  status = answer.status,
  operationId?: string,
  isPublic = false,
): ErrorBody {
  const { error: whole, service_metadata, ...rest } = commonEnvelopeOf(answer.body);
  const { availability, ...error } = whole;
  expect(answer.status).toBe(status);
  expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(STATUS_MESSAGES).toHaveProperty(String(status));
  // Refusals of inference have a message of their own (docs/interface/inference.md#refusals).
  const { error_type: word, issues } = (error.metadata ?? {}) as ErrorBody['error']['metadata'] & {
    error_type?: string;
  };
  const isExplained = (word !== undefined && issues === undefined) || error.message === API_KEY_WANTED;
  if (isOfInference(operationId) && status !== 500) expect(word).toMatch(/^[a-z_]+$/);
  expect(error).toEqual({
    code: status,
    message: isExplained ? expect.stringMatching(/./) : messageOf(status, operationId, isPublic),
    // A 500 says nothing of its cause.
    ...(status !== 500 && { metadata: expect.objectContaining({ reason: expect.stringMatching(/^[a-z_]+$/) }) }),
  });
  // Whether it is worth asking again is said of requests for a model alone.
  if (availability !== undefined) {
    expect(isExplained).toBe(true);
    expect(availability).toMatchObject({ code: expect.stringMatching(/^[a-z_]+$/), retryable: status >= 429 });
  }
  expect(service_metadata).toEqual({ request_id: answer.headers.get('x-request-id') });
  expect(Object.keys(rest).filter((name) => name !== 'user_id')).toEqual([]);
  if (status === 400 && !isExplained) {
    expect(error.metadata.issues!.length).toBeGreaterThan(0);
    expect(error.metadata.issues!.filter((issue) => !isIssue(issue))).toEqual([]);
  }
  return answer.body as ErrorBody;
}

/** Whether an operation names the issues of a 400 in its message, and the kind of every refusal (docs/interface/inference.md#refusals). */
export function isOfInference(operationId = ''): boolean {
  return operationId in INFERENCE_OPERATIONS;
}

/** The message of a refusal: word for word that of its status, but where the operation adds the issues to it. */
function messageOf(status: number, operationId?: string, isPublic = false): unknown {
  const message = STATUS_MESSAGES[status];
  // What is wrong with a credential is said there, too.
  if (status === 401 && isOfInference(operationId)) return expect.stringMatching(/./);
  const isExplained = status === 400 && (isPublic || isOfInference(operationId));
  return isExplained ? expect.stringMatching(new RegExp(`^${message}: .`)) : message;
}

function isIssue(issue: Readonly<Record<string, unknown>>): boolean {
  const { path, message, ...rest } = issue;
  return typeof path === 'string' && typeof message === 'string' && message !== '' && Object.keys(rest).length === 0;
}

/** The places that the issues of a 400 name. */
export function issuePaths({ error }: ErrorBody): string[] {
  return (error.metadata.issues ?? []).map((issue) => issue.path);
}

/** The issues that a 400 names, but for fields that the request should have had. */
export function issuesExceptMissing({ error }: ErrorBody): { path: string; message: string }[] {
  return (error.metadata.issues ?? []).filter(({ message }) => message !== 'is required');
}

/** The message of inference operations for a management key. */
const API_KEY_WANTED = 'Only API keys can perform this operation';

/** The message of each status, word for word (docs/interface/errors.md#messages). */
export const STATUS_MESSAGES: Readonly<Record<number, string>> = {
  400: 'Invalid request parameters',
  401: 'Missing Authentication header',
  402: 'Payment Required',
  403: 'Only management keys can perform this operation',
  404: 'Resource not found',
  405: 'Method Not Allowed',
  408: 'Request Timeout',
  409: 'Resource conflict. Please try again later.',
  410: 'Gone',
  412: 'Precondition Failed',
  413: 'Payload Too Large',
  415: 'Unsupported Media Type',
  422: 'Unprocessable Entity',
  424: 'Failed Dependency',
  425: 'Too Early',
  429: 'Rate limit exceeded',
  426: 'Upgrade Required',
  431: 'Request Header Fields Too Large',
  451: 'Unavailable For Legal Reasons',
  500: 'Internal Server Error',
  502: 'Bad Gateway',
  503: 'Service Unavailable',
};
