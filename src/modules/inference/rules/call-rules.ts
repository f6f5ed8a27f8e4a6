import { joinPath, type IssueWithReason } from '../../../http/errors/issue.js';
import { codePointsOf, isObject } from '../../../http/validation/constraints.js';
import { lengthIssues, MOST_CALLS, MOST_DETAILS } from './list-bounds.js';

/** The maximum length of the name of a function that is called, in characters: as long as any form lets that of a tool be. */
const MAXIMUM_NAME_LENGTH = 128;

/** The longest id of a call, in characters. The ids of all known providers are shorter. */
const MAXIMUM_ID_LENGTH = 512;

/** The calls of tools in a message, whatever its role: objects with an id, a name and arguments. */
export function toolCallIssues(calls: unknown, path: string): IssueWithReason[] {
  if (calls === undefined || calls === null) return [];
  if (!Array.isArray(calls)) return [{ path, message: 'must be array' }];
  if (calls.length > MOST_CALLS) return lengthIssues(calls, path, MOST_CALLS);
  return calls.flatMap((call: unknown, index) => callIssues(call, joinPath(path, index)));
}

function callIssues(call: unknown, path: string): IssueWithReason[] {
  if (!isObject(call)) return [{ path, message: 'must be object' }];
  const { id, type, function: called } = call;
  const issues = callIdIssues(id, joinPath(path, 'id'));
  if (type !== undefined && type !== null && type !== 'function') {
    issues.push({ path: joinPath(path, 'type'), message: 'must be function' });
  }
  const at = joinPath(path, 'function');
  if (!isObject(called) || typeof called.name !== 'string' || typeof called.arguments !== 'string') {
    return [...issues, { path: at, message: 'must have a name and arguments, both texts' }];
  }
  return [...issues, ...calledNameIssues(called.name, joinPath(at, 'name'))];
}

/** The name of a function that was called. It may be empty, as some models have it. */
export function calledNameIssues(name: unknown, path: string): IssueWithReason[] {
  return boundedIssues(name, path, MAXIMUM_NAME_LENGTH);
}

/** The id of a call, or that of the call that a result belongs to. */
export function callIdIssues(id: unknown, path: string): IssueWithReason[] {
  return boundedIssues(id, path, MAXIMUM_ID_LENGTH);
}

function boundedIssues(value: unknown, path: string, longest: number): IssueWithReason[] {
  if (typeof value !== 'string') return [{ path, message: 'must be string' }];
  if (codePointsOf(value) > longest) return [{ path, message: `must NOT have more than ${longest} characters` }];
  return /\p{Cc}/u.test(value) ? [{ path, message: 'must have no control characters' }] : [];
}

/** Checks details of reasoning in messages of any role: objects with strings as their texts. */
export function reasoningDetailIssues(details: unknown, path: string): IssueWithReason[] {
  if (details === undefined || details === null) return [];
  if (!Array.isArray(details)) return [{ path, message: 'must be array' }];
  if (details.length > MOST_DETAILS) return lengthIssues(details, path, MOST_DETAILS);
  return details.flatMap((detail: unknown, index) => detailIssues(detail, joinPath(path, index)));
}

/** What of a detail is a text, or null. */
const TEXTS_OF_DETAIL = ['type', 'text', 'summary', 'signature', 'data', 'format', 'id'];

function detailIssues(detail: unknown, path: string): IssueWithReason[] {
  if (!isObject(detail)) return [{ path, message: 'must be object' }];
  return TEXTS_OF_DETAIL.filter((name) => !isTextOrNothing(detail[name])).map((name) => ({
    path: joinPath(path, name),
    message: 'must be string',
  }));
}

/** Whether a field has a text, or nothing. */
export function isTextOrNothing(value: unknown): boolean {
  return value === undefined || value === null || typeof value === 'string';
}
