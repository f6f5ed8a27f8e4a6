import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Authenticated } from '../../auth/authenticated.decorator.js';
import { Caller } from '../../auth/caller.decorator.js';
import type { ManagementPrincipal } from '../../auth/principal.js';
import { Input } from '../../http/input/input.decorator.js';
import { Answers } from '../../http/openapi/answers.decorator.js';
import { AuditService } from './audit.service.js';
import { ListAuditEventsResponse } from './dto/audit-event.dto.js';
import { ListAuditEventsQuery } from './dto/list-audit-events-query.dto.js';

/** The operations on the audit trail. */
@Controller('audit-events')
@ApiTags('Audit')
export class AuditController {
  constructor(private readonly audit: AuditService) {}

  @Get()
  @Authenticated('management_key')
  @Answers({
    status: 200,
    type: ListAuditEventsResponse,
    summary: 'List audit events',
    description:
      'Who did what to what, when and from where, oldest first. Events are never changed or removed; each carries a hash over itself and the one before.',
    errors: [400, 403],
  })
  listAuditEvents(
    @Caller() caller: ManagementPrincipal,
    @Input({ query: ListAuditEventsQuery }) input: ListAuditEventsQuery,
  ): Promise<ListAuditEventsResponse> {
    return this.audit.list(caller, input);
  }
}
