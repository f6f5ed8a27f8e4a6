import type { NextFunction, Request, Response } from 'express';
import { BadRequestError } from './errors/bad-request-error.js';
import type { IssueWithReason } from './errors/issue.js';
import { UNREADABLE_REQUEST } from './errors/request.errors.js';
import { percentDecoded } from './input/query-reader.js';
import type { GatehouseRequest } from './request.js';

/**
 * Refuses invalid requests that Node.js accepts, or would refuse without the error envelope: HTTP/1.1 without a Host header
 * or with several (RFC 9112, section 3.2), and unsupported transfer codings (section 6.1). A proxy may have interpreted such
 * a request differently, so the connection is closed after the response.
 */
export function checkRequestHead(request: Request, response: Response, next: NextFunction): void {
  const issue = hostIssue(request) ?? transferCodingIssue(request);
  if (issue === undefined) {
    next();
    return;
  }
  response.setHeader('Connection', 'close');
  next(BadRequestError.of([issue]));
}

function hostIssue({ headers, httpVersion, rawHeaders }: Request): IssueWithReason | undefined {
  if (headers.host === undefined)
    return httpVersion === '1.1' ? UNREADABLE_REQUEST.at('Host', 'is required') : undefined;
  return countOfHeader(rawHeaders, 'host') > 1 ? UNREADABLE_REQUEST.at('Host', 'must be given only once') : undefined;
}

function transferCodingIssue({ headers }: Request): IssueWithReason | undefined {
  const coding = headers['transfer-encoding'];
  if (coding === undefined || coding.trim().toLowerCase() === 'chunked') return undefined;
  return UNREADABLE_REQUEST.at('Transfer-Encoding', 'must be chunked, and nothing else');
}

/**
 * Counts the occurrences of a header in a request. Node.js keeps only one value of most headers, so repetitions are visible
 * in the raw headers only.
 *
 * @param rawHeaders alternating names and values
 * @param name in lower case
 */
export function countOfHeader(rawHeaders: readonly string[], name: string): number {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const candidate = rawHeaders[index]!;
    if (candidate.length === name.length && candidate.toLowerCase() === name) count += 1;
  }
  return count;
}

const SCHEME_AND_AUTHORITY = /^[a-z][a-z\d+.-]*:\/\/[^/?#]*/i;

/**
 * Converts the target of a request to origin-form (RFC 9112, section 3.2.1). A proxy may send the absolute form; Express
 * cannot parse all of these and would respond with an HTML error.
 */
export function originForm(target: string): string {
  if (target.startsWith('/') || target === '*') return target;
  const rest = target.replace(SCHEME_AND_AUTHORITY, '');
  return rest.startsWith('/') ? rest : `/${rest}`;
}

/**
 * Marks a path that is not percent-encoded UTF-8, and makes it routable. Express would refuse it while routing, before
 * authentication; instead RequestValidationGuard refuses it after authentication.
 */
export function markMalformedPath(request: Request, _response: Response, next: NextFunction): void {
  const { path, url } = request;
  if (path.includes('%') && percentDecoded(path) === undefined) {
    (request as GatehouseRequest).hasMalformedPath = true;
    // Decoding by Express then yields the original text.
    request.url = path.replaceAll('%', '%25') + url.slice(path.length);
  }
  next();
}
