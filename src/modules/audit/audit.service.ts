import { Injectable } from '@nestjs/common';
import type { ManagementPrincipal } from '../../auth/principal.js';
import { Dialect } from '../../http/dialect/dialect.js';
import { BadRequestError } from '../../http/errors/bad-request-error.js';
import { toPageResponse, toPageRequest } from '../../http/pagination/pagination.js';
import { AuditHeadsRepository } from './audit-heads.repository.js';
import { toAuditEventResponse, toAuditHeadResponse } from './audit.mapper.js';
import { AuditRepository, type AuditSearch } from './audit.repository.js';
import type { ExportAuditEventsQuery, ListAuditEventsQuery, ListAuditEventsResponse } from './dto/audit-event.dto.js';
import type { GetAuditHeadResponse } from './dto/audit-head.dto.js';

/** Reads of the audit trail of an organization. */
@Injectable()
export class AuditService {
  constructor(
    private readonly repository: AuditRepository,
    private readonly heads: AuditHeadsRepository,
    private readonly dialect: Dialect,
  ) {}

  /**
   * Lists events in the order of the chain, so that new events come at the end.
   *
   * @throws BadRequestError if `until` is before `since`
   */
  async list(caller: ManagementPrincipal, input: ListAuditEventsQuery): Promise<ListAuditEventsResponse> {
    return this.listChain(caller.organizationId, input);
  }

  /**
   * Lists the events of any chain, for operators.
   *
   * @param chain the id of an organization, or {@link DEPLOYMENT_CHAIN}
   * @throws BadRequestError if `until` is before `since`
   */
  async listChain(chain: string, input: ListAuditEventsQuery): Promise<ListAuditEventsResponse> {
    const page = await this.repository.page(chain, auditSearchOf(input), toPageRequest(input));
    return toPageResponse(page, (event) => toAuditEventResponse(event, this.dialect));
  }

  /** The end of the chain of the caller's organization. */
  async head({ organizationId }: ManagementPrincipal): Promise<GetAuditHeadResponse> {
    return { data: toAuditHeadResponse(await this.heads.headOf(organizationId)) };
  }
}

/**
 * What a request searches events by.
 *
 * @throws BadRequestError if `until` is before `since`
 */
export function auditSearchOf(input: ExportAuditEventsQuery): AuditSearch {
  const { actor, action, target } = input;
  const [since, until] = [timeOf(input.since), timeOf(input.until)];
  if (since && until && until < since) {
    throw BadRequestError.of([{ path: 'until', message: 'must not be before since' }]);
  }
  return { actor, action, target, since, until };
}

function timeOf(text: string | undefined): Date | undefined {
  return text === undefined ? undefined : new Date(text);
}
