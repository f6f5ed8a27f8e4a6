import type { Response } from 'express';
import { StatementTracer } from '../../persistence/statements.js';
import type { GatehouseRequest } from '../../api/request.js';

/** Traces requests and their statements. Only provided with OTEL_EXPORTER_OTLP_ENDPOINT, so it is an optional dependency. */
export abstract class Tracing extends StatementTracer {
  /** Traces a request until its response is finished or aborted. @param proceed handles the request */
  abstract request(request: GatehouseRequest, response: Response, proceed: () => void): void;
}
