import { Injectable } from '@nestjs/common';
import type { ManagementPrincipal } from '../../auth/principal.js';
import { BadRequestError } from '../../api/errors/bad-request-error.js';
import { toPageResponse, toPageRequest } from '../../api/pagination/pagination.js';
import { toAuditEventResponse } from './audit.mapper.js';
import { AuditRepository } from './audit.repository.js';
import type { ListAuditEventsQuery, ListAuditEventsResponse } from './dto/audit-event.dto.js';

/** Reads of the audit trail of an organization. */
@Injectable()
export class AuditService {
  constructor(private readonly repository: AuditRepository) {}

  /**
   * Lists events in the order of the chain, so that new events come at the end.
   *
   * @throws BadRequestError if `until` is before `since`
   */
  async list(caller: ManagementPrincipal, input: ListAuditEventsQuery): Promise<ListAuditEventsResponse> {
    const { actor, action, target, since, until } = input;
    const times = {
      ...(since !== undefined && { since: new Date(since) }),
      ...(until !== undefined && { until: new Date(until) }),
    };
    if (times.since && times.until && times.until < times.since) {
      throw BadRequestError.of([{ path: 'until', message: 'must not be before since' }]);
    }
    const search = {
      ...(actor !== undefined && { actor }),
      ...(action !== undefined && { action }),
      ...(target !== undefined && { target }),
      ...times,
    };
    return toPageResponse(
      await this.repository.page(caller.organizationId, search, toPageRequest(input)),
      toAuditEventResponse,
    );
  }
}
