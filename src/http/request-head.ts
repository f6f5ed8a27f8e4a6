import type { NextFunction, Request, Response } from 'express';
import { BadRequestError } from './errors/domain-error.js';
import { countOfHeader } from './header-count.js';

/**
 * Refuses a request that HTTP does not allow though Node reads it, or refuses without an envelope: one of HTTP/1.1 without a
 * Host, or with several (RFC 9112, section 3.2), and one whose body is in a transfer coding that is not undone here (section
 * 6.1). Whoever stands in between may have read such a request otherwise, so the connection ends with the answer.
 */
export function checkRequestHead(request: Request, response: Response, next: NextFunction): void {
  const issue = hostIssue(request) ?? transferCodingIssue(request);
  if (issue === undefined) {
    next();
    return;
  }
  response.setHeader('Connection', 'close');
  next(new BadRequestError('unreadable_request', [issue]));
}

interface HeaderIssue {
  readonly path: string;
  readonly message: string;
}

function hostIssue({ headers, httpVersion, rawHeaders }: Request): HeaderIssue | undefined {
  if (headers.host === undefined) return httpVersion === '1.1' ? { path: 'Host', message: 'is required' } : undefined;
  return countOfHeader(rawHeaders, 'host') > 1 ? { path: 'Host', message: 'must be given only once' } : undefined;
}

function transferCodingIssue({ headers }: Request): HeaderIssue | undefined {
  const coding = headers['transfer-encoding'];
  if (coding === undefined || coding.trim().toLowerCase() === 'chunked') return undefined;
  return { path: 'Transfer-Encoding', message: 'must be chunked, and nothing else' };
}
