import type { INestApplication } from '@nestjs/common';
import type { Response } from 'express';
import type { ErrorEnvelope } from '../../../src/http/errors/error-envelope.js';
import { operationOf } from '../../../src/http/openapi/operation.decorator.js';
import type { GatehouseRequest } from '../../../src/http/request.js';

/** Statuses whose reasons no operation names: those of the issues of a request, and none. */
const UNNAMED = [400, 500];

/** Statuses of requests that can be sent again later: the answer says when. */
const LATER = [429, 503];

/** What an answer says of its error. */
type ErrorParts = Partial<Record<'metadata' | 'data', Readonly<Record<string, unknown>>>>;

/** The limit that an answer names. */
interface NamedLimit {
  readonly window?: string | null;
}

/** Windows of limits of which it is not known when they are over. */
const ENDLESS: readonly unknown[] = ['lifetime', 'session', null];

/**
 * Watches an application for errors that its operations answer, and do not name with `@Operation`, or that do not say when to try again.
 *
 * @returns these so far, by operation, status and reason
 */
export function watchForUndocumentedErrors(application: INestApplication): ReadonlySet<string> {
  const found = new Set<string>();
  const adapter = application.getHttpAdapter();
  const reply = adapter.reply.bind(adapter);
  adapter.reply = (response: Response, body: Partial<ErrorEnvelope>, status?: number) => {
    const { handler, operation } = response.req as GatehouseRequest;
    const errors = handler && operationOf(handler)?.errors;
    // An error of JSON-RPC has its reason in its data.
    const { metadata, data } = (body?.error ?? {}) as ErrorParts;
    const reason = (metadata ?? data)?.['reason'];
    // OAuth has a code in place of an object, and no reason.
    const hasReason = typeof body?.error !== 'string';
    const isNamed = errors?.some((error) => error.status === status && (!hasReason || error.reason === reason)) ?? true;
    if (body?.error !== undefined && !isNamed && !UNNAMED.includes(status!)) {
      found.add(`${operation} answers ${status} ${String(reason)}`);
    }
    const isEndless = ENDLESS.includes((body?.error?.metadata?.['limited_by'] as NamedLimit | undefined)?.window);
    if (body?.error !== undefined && LATER.includes(status!) && !isEndless && !response.hasHeader('Retry-After')) {
      found.add(`${operation} answers ${status} ${String(reason)} without Retry-After`);
    }
    return reply(response, body, status) as unknown;
  };
  return found;
}
