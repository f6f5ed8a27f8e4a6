import { Injectable, type LoggerService } from '@nestjs/common';
import { type DestinationStream, type Logger, pino, stdSerializers } from 'pino';
import { maskSecrets } from './secret-mask.js';

/** How many bytes of lines are gathered at most, and for how long in milliseconds. */
const GATHERED_BYTES = 4096;
const LONGEST_DELAY_MS = 100;

/** What a log line says of a finished request. */
export interface RequestRecord {
  readonly requestId: string;
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly durationMs: number;
  readonly userId?: string | null;
}

/** The log of the service: JSON lines with ISO 8601 times and no secret. Also what Nest itself logs through. */
@Injectable()
export class ServiceLogger implements LoggerService {
  private readonly logger: Logger;

  /**
   * @param level one of pino's levels, or silent
   * @param destination standard output when left out
   */
  constructor(level: string, destination?: DestinationStream) {
    this.logger = pino(
      {
        level,
        base: undefined,
        timestamp: () => `,"time":"${new Date().toISOString()}"`,
        formatters: { level: (label) => ({ level: label }) },
        messageKey: 'message',
      },
      destination ?? standardOutput(),
    );
  }

  /** One line for a finished request: never its query, body or headers, where secrets travel. */
  request(record: RequestRecord): void {
    if (!this.logger.isLevelEnabled('info')) return;
    const { requestId, method, path, status, durationMs, userId } = record;
    this.logger.info(
      {
        // The caller's own text, as is the path: a key is put into the wrong header before long.
        request_id: maskSecrets(requestId),
        method,
        path: maskSecrets(path),
        status,
        duration_ms: durationMs,
        user_id: userId,
      },
      'request',
    );
  }

  /** One line for a failure that the caller is told nothing of; found again by the request id. */
  failure(requestId: string, thrown: unknown): void {
    this.logger.error({ request_id: maskSecrets(requestId), failure: describeFailure(thrown) }, 'request failed');
  }

  /** A line about the service itself. */
  event(message: string, fields: Readonly<Record<string, unknown>> = {}): void {
    this.logger.info(fields, message);
  }

  log(message: unknown, ...context: unknown[]): void {
    this.logger.debug({ context: context.at(-1) }, maskSecrets(String(message)));
  }

  warn(message: unknown, ...context: unknown[]): void {
    this.logger.warn({ context: context.at(-1) }, maskSecrets(String(message)));
  }

  error(message: unknown, ...context: unknown[]): void {
    this.logger.error({ context: context.at(-1) }, maskSecrets(String(message)));
  }

  fatal(message: unknown, ...context: unknown[]): void {
    this.logger.fatal({ context: context.at(-1) }, maskSecrets(String(message)));
  }
}

/**
 * What may be said of an unknown failure. Of a failed query its statement and code, but neither its parameters nor the
 * database's detail line, which quote rows.
 */
function describeFailure(thrown: unknown): Record<string, unknown> {
  if (!(thrown instanceof Error)) return { message: maskSecrets(String(thrown)) };
  const { type, message, stack } = stdSerializers.err(thrown);
  const code = 'code' in thrown ? thrown.code : undefined;
  const constraint = 'constraint' in thrown ? thrown.constraint : undefined;
  return { type, message: maskSecrets(message), code, constraint, stack: maskSecrets(stack) };
}

/** Lines are gathered and written together: a system call for each would be a tenth of what a small request costs. */
function standardOutput(): DestinationStream {
  return pino.destination({ fd: 1, sync: false, minLength: GATHERED_BYTES, periodicFlush: LONGEST_DELAY_MS });
}
