import { isIP } from 'node:net';
import { Injectable, type LoggerService } from '@nestjs/common';
import { type DestinationStream, type Logger, pino, stdSerializers } from 'pino';
import { IsoClock } from './iso-clock.js';
import { maskPath, maskSecrets } from './secret-mask.js';

/** How many bytes of lines are gathered at most, and for how long in milliseconds. */
const GATHERED_BYTES = 8 * 1024;
const LONGEST_DELAY_MS = 100;

/** What a log line says of a finished request. */
export interface RequestRecord {
  readonly requestId: string;
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly durationMs: number;
  readonly userId?: string | null;
  /** As far as TRUST_PROXY lets it be known. */
  readonly clientAddress: string | null;
}

/** What a log line says of bytes that are no request. */
export interface UnreadableRequestRecord {
  readonly requestId: string;
  readonly status: number;
  /** Node's own word for what is wrong. */
  readonly cause: string | undefined;
  readonly clientAddress: string | null;
}

/** The log of the service: JSON lines with ISO 8601 times and no secret. Also what Nest itself logs through. */
@Injectable()
export class ServiceLogger implements LoggerService {
  private readonly logger: Logger;
  private readonly clock = new IsoClock();

  /**
   * @param level one of pino's levels, or silent
   * @param destination standard output when left out
   */
  constructor(
    level: string,
    private readonly destination: DestinationStream = standardOutput(),
  ) {
    this.logger = pino(
      {
        level,
        base: undefined,
        timestamp: () => `,"time":"${this.clock.now()}"`,
        formatters: { level: (label) => ({ level: label }) },
        messageKey: 'message',
      },
      destination,
    );
  }

  /**
   * One line for a finished request: never its query, body or headers, where secrets travel. Written out by hand, because
   * every request pays for it.
   */
  request({ requestId, method, path, status, durationMs, userId, clientAddress }: RequestRecord): void {
    if (!this.logger.isLevelEnabled('info')) return;
    const user = userId ? `,"user_id":"${userId}"` : '';
    const address = clientAddress === null ? '' : `,"client_address":${addressText(clientAddress)}`;
    // Request id and path are the caller's own text: a key is put into the wrong place before long.
    this.destination.write(
      `{"level":"info","time":"${this.clock.now()}","request_id":"${maskSecrets(requestId)}","method":"${method}",` +
        `"path":${JSON.stringify(maskPath(path))},"status":${status},"duration_ms":${durationMs}${user}${address},` +
        `"message":"request"}\n`,
    );
  }

  /** One line for bytes that are no request. */
  unreadableRequest({ requestId, status, cause, clientAddress }: UnreadableRequestRecord): void {
    this.event('unreadable request', { request_id: requestId, status, cause, client_address: clientAddress });
  }

  /** One line for a failure that the caller is told nothing of; found again by the request id. */
  failure(requestId: string, thrown: unknown): void {
    this.logger.error({ request_id: maskSecrets(requestId), failure: describeFailure(thrown) }, 'request failed');
  }

  /** A line about the service itself. */
  event(message: string, fields: Readonly<Record<string, unknown>> = {}): void {
    this.logger.info(fields, message);
  }

  /**
   * Writes out the lines that were gathered. Has to be awaited before the process ends: at its end they can only be written
   * synchronously, which is tried for ever when the reader of standard output is gone.
   */
  async flush(): Promise<void> {
    const { destination } = this;
    if (!isGathering(destination)) return;
    // A write under way takes the first call's place, and leaves what was gathered meanwhile to the second.
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

/** An address in JSON. What a proxy passes on as one may be any text of the caller's. */
function addressText(address: string): string {
  return isIP(address) === 0 ? JSON.stringify(maskSecrets(address)) : `"${address}"`;
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

/** A destination that writes lines later. Its callback has an error when they cannot be written. */
interface GatheringDestination extends DestinationStream {
  flush(callback: (error?: Error) => void): void;
}

function isGathering(destination: DestinationStream): destination is GatheringDestination {
  return 'flush' in destination && typeof destination.flush === 'function';
}

/** Lines are gathered and written together: a system call for each would be a tenth of what a small request costs. */
function standardOutput(): DestinationStream {
  return pino.destination({ fd: 1, sync: false, minLength: GATHERED_BYTES, periodicFlush: LONGEST_DELAY_MS });
}
