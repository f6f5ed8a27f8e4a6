import { Injectable, type LoggerService } from '@nestjs/common';
import { type DestinationStream, type Logger, pino, stdSerializers, stdTimeFunctions } from 'pino';
import { maskPath, maskSecrets } from './secret-mask.js';

/** The maximum number of buffered bytes, and the maximum time in milliseconds that they are buffered. */
const BUFFER_BYTES = 8 * 1024;
const FLUSH_INTERVAL_MS = 100;

/** The fields of a finished request's log line (docs/operations.md). */
export interface RequestRecord {
  readonly requestId: string;
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly durationMs: number;
  readonly userId?: string | null;
  /** Taken from X-Forwarded-For according to TRUST_PROXY. */
  readonly clientAddress: string | null;
}

/** The log of the service: JSON lines with ISO 8601 times and without secrets. Also used by Nest. */
@Injectable()
export class ServiceLogger implements LoggerService {
  private readonly logger: Logger;

  /**
   * @param level one of pino's levels, or silent
   * @param destination standard output by default
   */
  constructor(
    level: string,
    private readonly destination: DestinationStream = standardOutput(),
  ) {
    this.logger = pino(
      {
        level,
        base: undefined,
        timestamp: stdTimeFunctions.isoTime,
        formatters: { level: (label) => ({ level: label }) },
        messageKey: 'message',
      },
      destination,
    );
  }

  /** Logs a finished request, without its query, body and headers, which may contain secrets. */
  request({ requestId, method, path, status, durationMs, userId, clientAddress }: RequestRecord): void {
    this.logger.info(
      {
        // Callers choose the request id, path and forwarded address, and sometimes put a key there by mistake.
        request_id: maskSecrets(requestId),
        method,
        path: maskPath(path),
        status,
        duration_ms: durationMs,
        user_id: userId ?? undefined,
        client_address: clientAddress === null ? undefined : maskSecrets(clientAddress),
      },
      'request',
    );
  }

  /**
   * Logs an internal error, of which the caller sees only the request id.
   *
   * @param described what is logged of it, without secrets; by default its type, message and stack
   */
  failure(
    requestId: string,
    thrown: unknown,
    described: Readonly<Record<string, unknown>> = describeFailure(thrown),
  ): void {
    this.logger.error({ request_id: maskSecrets(requestId), failure: described }, 'request failed');
  }

  /** Logs an error of a connection that nothing has listened for. */
  unhandled(error: Error): void {
    this.logger.error({ failure: describeFailure(error) }, 'an error of a connection was not handled');
  }

  event(message: string, fields: Readonly<Record<string, unknown>> = {}): void {
    this.logger.info(fields, message);
  }

  /**
   * Writes the buffered lines. Must be awaited before the process exits: on exit they can only be written synchronously,
   * which is retried forever when the reader of standard output has closed it.
   */
  async flush(): Promise<void> {
    const { destination } = this;
    if (!isBuffering(destination)) return;
    // The first call waits for a write in progress; the second writes what was buffered meanwhile.
    for (let call = 0; call < 2; call += 1) await new Promise<unknown>((resolve) => destination.flush(resolve));
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
 * The logged fields of an unknown error. For a failed query they include its code and constraint, but neither its parameters
 * nor the detail line of the database, which contain row values.
 */
function describeFailure(thrown: unknown): Record<string, unknown> {
  if (!(thrown instanceof Error)) return { message: maskSecrets(String(thrown)) };
  const { type, message, stack } = stdSerializers.err(thrown);
  const code = 'code' in thrown ? thrown.code : undefined;
  const constraint = 'constraint' in thrown ? thrown.constraint : undefined;
  return { type, message: maskSecrets(message), code, constraint, stack: maskSecrets(stack) };
}

/** A destination that buffers lines. Its callback receives an error when they cannot be written. */
interface BufferingDestination extends DestinationStream {
  flush(callback: (error?: Error) => void): void;
}

function isBuffering(destination: DestinationStream): destination is BufferingDestination {
  return 'flush' in destination && typeof destination.flush === 'function';
}

/**
 * Lines are buffered and written together, because a system call for each would be a tenth of the cost of a small request.
 */
function standardOutput(): DestinationStream {
  return pino.destination({ fd: 1, sync: false, minLength: BUFFER_BYTES, periodicFlush: FLUSH_INTERVAL_MS });
}
