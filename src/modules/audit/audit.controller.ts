import { Controller, Get, Query, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { Authenticated } from '../../auth/authenticated.decorator.js';
import { CurrentPrincipal } from '../../auth/current-principal.decorator.js';
import type { ManagementPrincipal } from '../../auth/principal.js';
import { Operation } from '../../http/openapi/operation.decorator.js';
import { HoldsSlotsInParts } from '../../http/request-limits/request-slots.js';
import { TooManyLargeLists } from '../organization-limits/organization-limits.errors.js';
import { TooManyAuditExports } from './audit.errors.js';
import { AuditExportService } from './export/audit-export.service.js';
import { AuditService } from './audit.service.js';
import {
  AuditEvent,
  ExportAuditEventsQuery,
  ListAuditEventsQuery,
  ListAuditEventsResponse,
} from './dto/audit-event.dto.js';
import { GetAuditHeadResponse } from './dto/audit-head.dto.js';

/** The operations on the audit trail. */
@Controller('audit-events')
@ApiTags('Audit')
export class AuditController {
  constructor(
    private readonly audit: AuditService,
    private readonly exports: AuditExportService,
  ) {}

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

  @Get('head')
  @Authenticated(['management_key'], 'audit_read')
  @Operation({
    type: GetAuditHeadResponse,
    summary: 'Get the head of the audit trail',
    description:
      'Returns the position and the hash of the last event. Kept elsewhere, they show later whether anything up to that event was rewritten.',
  })
  getAuditHead(@CurrentPrincipal() caller: ManagementPrincipal) {
    return this.audit.head(caller);
  }

  @Get('export')
  @HoldsSlotsInParts()
  @Operation({
    type: AuditEvent,
    mediaType: 'application/x-ndjson',
    isSafe: true,
    summary: 'Export audit events',
    description:
      'Sends events in the order of the chain, one JSON document a line. An export that is cut off does not end as HTTP has it; `after` goes on with one.',
    errors: [TooManyAuditExports, TooManyLargeLists],
  })
  @Authenticated(['management_key'], 'audit_read')
  async exportAuditEvents(
    @CurrentPrincipal() caller: ManagementPrincipal,
    @Query() input: ExportAuditEventsQuery,
    @Res() response: Response,
  ): Promise<void> {
    await this.exports.send(caller, input, response);
  }
}
