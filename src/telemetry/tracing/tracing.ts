import type { Request, Response } from 'express';
import { StatementTracer } from '../../persistence/statements.js';
import type { ProviderCall, ProviderCallEnd } from '../provider-call.js';

/** What traces say of a request. */
export interface TracedRequest extends Request {
  readonly requestId: string;
  /** The operationId, once a route is found. */
  readonly operation?: string;
}

/** Traces requests, their statements and their calls of providers. Only provided with OTEL_EXPORTER_OTLP_ENDPOINT, so it is an optional dependency. */
export abstract class Tracing extends StatementTracer {
  /** Traces a request until its response is finished or aborted. @param proceed handles the request */
  abstract request(request: TracedRequest, response: Response, proceed: () => void): void;

  /** Traces a call of a provider for the current request, until what is returned is called: once. */
  abstract providerCall(call: ProviderCall): (end: ProviderCallEnd) => void;
}
