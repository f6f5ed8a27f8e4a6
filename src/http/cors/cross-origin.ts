import type { NextFunction, Request, RequestHandler, Response } from 'express';
import type { GatehouseRequest } from '../request.js';
import type { OperationPath } from './operation-path.js';

/** What a page may send besides what every page may (Fetch standard, CORS-safelisted request-header). */
const REQUEST_HEADERS = 'Authorization, Content-Type, If-None-Match, X-Request-Id';

/** What a page may read of an answer besides what every page may. */
const ANSWER_HEADERS = 'ETag, Retry-After, WWW-Authenticate, X-Request-Id';

/** How long a browser may remember what a preflight was answered, in seconds: no browser does for longer than two hours. */
const MAXIMUM_AGE_SECONDS = 7_200;

/** Which pages may call what. */
export interface CrossOriginPolicy {
  /** The origins whose pages may call every operation. */
  readonly origins: ReadonlySet<string>;
  /** The operationIds that pages of any origin may call: those that need no credential. */
  readonly openOperations: ReadonlySet<string>;
  /** What stands before the path of every operation. */
  readonly basePath: string;
}

/**
 * Lets pages of other origins read answers, and answers the preflight requests of their browsers (Fetch standard, CORS
 * protocol). Cookies and other credentials of a browser are never asked for: a credential is what the page itself sends.
 *
 * @param operations every operation of the interface
 */
export function allowCrossOrigin(operations: readonly OperationPath[], policy: CrossOriginPolicy): RequestHandler {
  const { origins, openOperations, basePath } = policy;
  const openToAll = operations.filter(({ operationId }) => openOperations.has(operationId));
  return (request: Request, response: Response, next: NextFunction) => {
    // Answers to listed origins differ from answers to others, which whoever keeps them has to know.
    if (origins.size > 0) response.setHeader('Vary', 'Origin');
    const { origin } = request.headers;
    if (origin === undefined || !request.path.startsWith(`${basePath}/`)) {
      next();
      return;
    }
    const path = request.path.slice(basePath.length);
    const isListed = origins.has(origin);
    const isPreflight = request.method === 'OPTIONS' && request.headers['access-control-request-method'] !== undefined;
    const methods = methodsAt(path, isListed ? operations : openToAll);
    const isAllowed = isPreflight ? methods.length > 0 : isListed || methods.includes(request.method);
    if (isAllowed) response.setHeader('Access-Control-Allow-Origin', isListed ? origin : '*');
    if (isAllowed && isPreflight) {
      response.writeHead(204, preflightHead((request as GatehouseRequest).requestId, methods));
      response.end();
      return;
    }
    if (isAllowed) response.setHeader('Access-Control-Expose-Headers', ANSWER_HEADERS);
    next();
  };
}

function methodsAt(path: string, operations: readonly OperationPath[]): string[] {
  const methods = operations.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method);
  return methods.includes('GET') ? [...methods, 'HEAD'] : methods;
}

function preflightHead(requestId: string, methods: readonly string[]): string[] {
  return [
    'Access-Control-Allow-Methods',
    methods.join(', '),
    'Access-Control-Allow-Headers',
    REQUEST_HEADERS,
    'Access-Control-Max-Age',
    String(MAXIMUM_AGE_SECONDS),
    'X-Request-Id',
    requestId,
  ];
}
