import { RequestMethod } from '@nestjs/common';
import { METHOD_METADATA, PATH_METADATA } from '@nestjs/common/constants.js';
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import type { GatehouseRequest } from './request.js';

interface OperationPath {
  readonly operationId: string;
  readonly method: string;
  /** Matches its paths, without the prefix of all operations. */
  readonly pattern: RegExp;
}

/** The method and path of the operation that a controller method handles. */
export function operationPathOf(controller: object, handler: object, operationId: string): OperationPath {
  const path = [controller, handler]
    .map((part) => String(Reflect.getMetadata(PATH_METADATA, part)).replaceAll(/^\/|\/$/g, ''))
    .filter((part) => part !== '')
    .map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll(/:\w+/g, '[^/]+'))
    .join('/');
  return {
    operationId,
    method: RequestMethod[Reflect.getMetadata(METHOD_METADATA, handler) as RequestMethod],
    pattern: new RegExp(`^/${path}$`),
  };
}

/** The request headers that pages may send in addition to the CORS-safelisted ones (Fetch standard). */
const REQUEST_HEADERS =
  'Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, X-Api-Key, X-Labels, X-Request-Id, X-Session-Id';

/** What the two forms of clients read about limits per minute (docs/limits.md#rates). */
const RATE_HEADERS = ['requests', 'tokens'].flatMap((kind) =>
  ['limit', 'remaining', 'reset'].flatMap((what) => [
    `X-RateLimit-${what}-${kind}`,
    `Anthropic-RateLimit-${kind}-${what}`,
  ]),
);

/**
 * Headers that the libraries of clients add by themselves, in families that grow with their versions. They say who the client is
 * and which form it speaks. Others are not allowed: a page must not say what only proxies in front of the service can.
 */
const SENT_BY_LIBRARIES =
  /^(?:(?:x-stainless|x-anthropic|anthropic|openai)-[a-z0-9-]+|x-(?:[a-z]+-)?(?:title|categories)|http-referer|user-agent)$/;

/** The longest list of headers that is looked at, in characters: what browsers send is far shorter. */
const MAXIMUM_LIST_LENGTH = 4_096;

/** The response headers that pages may read in addition to the CORS-safelisted ones. */
const ANSWER_HEADERS = [
  'ETag',
  'Idempotent-Replayed',
  'Request-Id',
  'Retry-After',
  'WWW-Authenticate',
  'X-Generation-Id',
  'X-Request-Id',
  ...RATE_HEADERS,
].join(', ');

/** How long browsers may cache a preflight response, in seconds: two hours, the longest that any browser supports. */
const MAXIMUM_AGE_SECONDS = 7_200;

/** The origins that may call operations from a browser. */
export interface CrossOriginPolicy {
  /** The origins whose pages may call every operation. */
  readonly origins: ReadonlySet<string>;
  /** The operationIds that pages of any origin may call, because they need no credential. */
  readonly openOperations: ReadonlySet<string>;
  readonly basePath: string;
  /** The request headers of operations that pages may send as well. */
  readonly requestHeaders: readonly string[];
  /** The response headers of operations that pages may read as well. */
  readonly answerHeaders: readonly string[];
}

/**
 * Lets pages of other origins read responses, and answers the preflight requests of browsers (CORS protocol of the Fetch
 * standard). Cookies and other browser credentials are not allowed: the page sends the credential itself.
 *
 * @param operations every operation of the interface
 */
export function allowCrossOrigin(operations: readonly OperationPath[], policy: CrossOriginPolicy): RequestHandler {
  const { origins, openOperations, basePath, requestHeaders, answerHeaders } = policy;
  const allowedHeaders = [REQUEST_HEADERS, ...requestHeaders].join(', ');
  const exposedHeaders = [ANSWER_HEADERS, ...answerHeaders].join(', ');
  const openToAll = operations.filter(({ operationId }) => openOperations.has(operationId));
  return (request: Request, response: Response, next: NextFunction) => {
    // Responses depend on the origin, which caches have to know.
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
      response.writeHead(204, preflightHead(request as GatehouseRequest, methods, allowedHeaders));
      response.end();
      return;
    }
    if (isAllowed) response.setHeader('Access-Control-Expose-Headers', exposedHeaders);
    next();
  };
}

function methodsAt(path: string, operations: readonly OperationPath[]): string[] {
  const methods = operations.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method);
  return methods.includes('GET') ? [...methods, 'HEAD'] : methods;
}

function preflightHead(request: GatehouseRequest, methods: string[], allowedHeaders: string): string[] {
  return [
    'Access-Control-Allow-Methods',
    methods.join(', '),
    'Access-Control-Allow-Headers',
    [allowedHeaders, ...headersOfLibraries(request.headers['access-control-request-headers'])].join(', '),
    'Access-Control-Max-Age',
    String(MAXIMUM_AGE_SECONDS),
    'X-Request-Id',
    request.requestId,
  ];
}

/** The headers that a preflight asks for and libraries add. @param names as browsers write them: in lower case */
function headersOfLibraries(names: string | undefined): string[] {
  if (names === undefined || names.length > MAXIMUM_LIST_LENGTH) return [];
  return [...new Set(names.split(',').map((name) => name.trim()))].filter((name) => SENT_BY_LIBRARIES.test(name));
}
