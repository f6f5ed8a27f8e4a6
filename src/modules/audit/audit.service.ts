import { Injectable } from '@nestjs/common';
import type { ManagementPrincipal } from '../../auth/principal.js';
import { BadRequestError } from '../../http/errors/domain-error.js';
import { toPageResponse, windowOf } from '../../http/pagination/page.js';
import { toAuditEventResponse } from './audit.mapper.js';
import { AuditRepository } from './audit.repository.js';
import type { ListAuditEventsResponse } from './dto/audit-event.dto.js';
import type { ListAuditEventsQuery } from './dto/list-audit-events-query.dto.js';

/** What was done in an organization. */
@Injectable()
export class AuditService {
  constructor(private readonly repository: AuditRepository) {}

  /**
   * Lists what was done, in the order of the chain: what is done while somebody walks through it comes at its end.
   *
   * @throws BadRequestError for a time that ends before it begins
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
      await this.repository.page(caller.organizationId, search, windowOf(input)),
      toAuditEventResponse,
    );
  }
}
