import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Injectable, Logger } from '@nestjs/common';
import type { Response } from 'express';
import type { ManagementPrincipal } from '../../../auth/principal.js';
import { Dialect } from '../../../http/dialect/dialect.js';
import { documentLinesHead } from '../../../http/json-head.js';
import type { GatehouseRequest } from '../../../http/request.js';
import { RequestSlots } from '../../../http/request-limits/request-slots.js';
import { toAuditEventResponse } from '../audit.mapper.js';
import { AuditRepository, type AuditSearch } from '../audit.repository.js';
import { auditSearchOf } from '../audit.service.js';
import { TooManyAuditExports } from '../audit.errors.js';
import type { ExportAuditEventsQuery } from '../dto/audit-event.dto.js';

/** How many exports an organization may have open at a time in one process. */
const OPEN_EXPORTS = 4;

/** How long a client may leave what was sent unread, in milliseconds, until the export is cut off. */
const STALL_MS = 60_000;

/** Reads a part of a chain within the limits of the caller. */
type Read = <Result>(read: () => Promise<Result>) => Promise<Result>;

/**
 * Exports chains as one JSON document a line (docs/interface/audit.md#export). A few events are in memory at a time. What is recorded
 * after the beginning of an export is not in it.
 */
@Injectable()
export class AuditExportService {
  private readonly logger = new Logger(AuditExportService.name);
  private readonly open = new Map<string, number>();

  constructor(
    private readonly repository: AuditRepository,
    private readonly slots: RequestSlots,
    private readonly dialect: Dialect,
  ) {}

  /**
   * Writes the events of the caller's organization to the response. A failure after the first events cuts the connection off, so that no
   * client takes a part for the whole.
   *
   * @throws BadRequestError if `until` is before `since`
   * @throws TooManyAuditExports
   */
  async send(
    { organizationId }: ManagementPrincipal,
    input: ExportAuditEventsQuery,
    response: Response,
  ): Promise<void> {
    const search = auditSearchOf(input);
    const leave = this.enter(organizationId);
    try {
      const read: Read = (work) => this.slots.run(organizationId, work);
      const pieces = this.pieces(organizationId, search, String(input.after ?? 0), read);
      // What fails at once is answered as every failure is.
      const first = await pieces.next();
      const { requestId } = response.req as GatehouseRequest;
      response.writeHead(200, documentLinesHead(requestId, `audit-${organizationId}.ndjson`));
      if (first.done === true) response.end();
      else await this.stream(first.value, pieces, response);
    } finally {
      leave();
    }
  }

  /**
   * The events of a chain as lines, several of them in each piece.
   *
   * @param after the sequence behind which they begin
   */
  async *pieces(
    chain: string,
    search: AuditSearch,
    after = '0',
    read: Read = (work) => work(),
  ): AsyncGenerator<string, void> {
    const end = await read(() => this.repository.end(chain));
    for (let last = after; ;) {
      const behind = last;
      const { items, isLast } = await read(() => this.repository.batch(chain, search, behind, end));
      if (items.length > 0) {
        yield items.map((event) => `${JSON.stringify(toAuditEventResponse(event, this.dialect))}\n`).join('');
        last = items.at(-1)!.sequence;
      }
      if (isLast) return;
    }
  }

  private async stream(first: string, rest: AsyncGenerator<string, void>, response: Response): Promise<void> {
    const source = Readable.from(unlessStalled(first, rest, response), { highWaterMark: 1 });
    try {
      await pipeline(source, response);
    } catch (error) {
      if (!response.destroyed) response.destroy();
      this.logger.warn({ message: 'An export of the audit trail was cut off.', cause: String(error) });
    }
  }

  /** @returns what ends the export @throws TooManyAuditExports */
  private enter(organizationId: string): () => void {
    const count = this.open.get(organizationId) ?? 0;
    if (count >= OPEN_EXPORTS) throw new TooManyAuditExports(1);
    this.open.set(organizationId, count + 1);
    return () => {
      const left = this.open.get(organizationId)! - 1;
      if (left > 0) this.open.set(organizationId, left);
      else this.open.delete(organizationId);
    };
  }
}

/** The pieces one after the other, as long as the client reads them. */
async function* unlessStalled(
  first: string,
  rest: AsyncGenerator<string, void>,
  response: Response,
): AsyncGenerator<string, void> {
  const cutOff = (): void => void response.destroy(new Error('the client does not read'));
  for (let piece: string | undefined = first; piece !== undefined;) {
    const stall = setTimeout(cutOff, STALL_MS).unref();
    try {
      yield piece;
    } finally {
      clearTimeout(stall);
    }
    const next: IteratorResult<string, void> = await rest.next();
    piece = next.done === true ? undefined : next.value;
  }
}
