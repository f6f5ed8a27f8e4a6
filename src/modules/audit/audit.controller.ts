import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Authenticated } from '../../auth/authenticated.decorator.js';
import { CurrentPrincipal } from '../../auth/current-principal.decorator.js';
import type { ManagementPrincipal } from '../../auth/principal.js';
import { Operation } from '../../http/openapi/operation.decorator.js';
import { AuditService } from './audit.service.js';
import { ListAuditEventsQuery, ListAuditEventsResponse } from './dto/audit-event.dto.js';

/** The operations on the audit trail. */
@Controller('audit-events')
@ApiTags('Audit')
export class AuditController {
  constructor(private readonly audit: AuditService) {}

  @Get()
  @Authenticated(['management_key'], 'audit_read')
  @Operation({
    type: ListAuditEventsResponse,
    summary: 'List audit events',
    description:
      'Lists who changed what, when and from where, oldest first. Events are never changed or deleted. Each event carries a hash over itself and the hash of the previous event.',
  })
  listAuditEvents(@CurrentPrincipal() caller: ManagementPrincipal, @Query() input: ListAuditEventsQuery) {
    return this.audit.list(caller, input);
  }
}
