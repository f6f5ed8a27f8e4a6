import type { Attributes } from '@opentelemetry/api';
import {
  ATTR_ERROR_TYPE,
  ATTR_HTTP_REQUEST_METHOD,
  ATTR_HTTP_RESPONSE_STATUS_CODE,
  ATTR_HTTP_ROUTE,
  ATTR_NETWORK_PROTOCOL_VERSION,
  ATTR_URL_PATH,
  ATTR_URL_SCHEME,
} from '@opentelemetry/semantic-conventions';
import type { Response } from 'express';
import { maskPath, maskSecrets } from '../logging/secret-mask.js';
import type { GatehouseRequest } from '../request.js';

/** What is known of a request before anything has looked at it, in OpenTelemetry's conventions for HTTP. */
export function requestAttributes(request: GatehouseRequest): Attributes {
  return {
    [ATTR_HTTP_REQUEST_METHOD]: request.method,
    [ATTR_URL_SCHEME]: request.protocol,
    // The path is the caller's own text, and a key is put into the wrong place before long. A query is not told at all.
    [ATTR_URL_PATH]: maskPath(request.baseUrl + request.path),
    [ATTR_NETWORK_PROTOCOL_VERSION]: request.httpVersion,
    'gatehouse.request_id': maskSecrets(request.requestId),
  };
}

/** What is known of a request when it is over. */
export function answerAttributes(request: GatehouseRequest, response: Response): Attributes {
  return {
    ...(request.operation !== undefined && { 'gatehouse.operation': request.operation }),
    ...(request.operation !== undefined && { [ATTR_HTTP_ROUTE]: routeOf(request) }),
    ...(response.headersSent
      ? { [ATTR_HTTP_RESPONSE_STATUS_CODE]: response.statusCode }
      : // The client was gone before there was an answer.
        { [ATTR_ERROR_TYPE]: 'client_closed_request' }),
    ...(response.headersSent && response.statusCode >= 500 && { [ATTR_ERROR_TYPE]: String(response.statusCode) }),
  };
}

/** The name of a request's span: of few different ones, so never with a path that a caller chose. */
export function spanNameOf(request: GatehouseRequest): string {
  return request.operation === undefined ? request.method : `${request.method} ${routeOf(request)}`;
}

/** The path of the operation as it is declared, such as /api/v1/keys/:hash. */
function routeOf(request: GatehouseRequest): string {
  return (request.route as { path: string }).path;
}
