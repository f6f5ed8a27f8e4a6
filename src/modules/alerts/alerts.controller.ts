import { Body, Controller, Delete, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Authenticated } from '../../auth/authenticated.decorator.js';
import { CurrentPrincipal } from '../../auth/current-principal.decorator.js';
import type { ManagementPrincipal } from '../../auth/principal.js';
import { ManagedByFiles } from '../../http/managed-objects/managed-objects.js';
import { Operation } from '../../http/openapi/operation.decorator.js';
import { IfMatch, Precondition } from '../../http/precondition.js';
import { NamedPageQuery } from '../../http/pagination/pagination.js';
import { AlertNotFound, TooManyConfirmationMails } from './alerts.errors.js';
import { AlertsService } from './alerts.service.js';
import {
  AlertPath,
  CreateAlertRequest,
  CreateAlertResponse,
  DeleteAlertResponse,
  GetAlertResponse,
  ListAlertsResponse,
  UpdateAlertRequest,
  UpdateAlertResponse,
} from './dto/alert.dto.js';

/** The operations on alerts. */
@Controller('alerts')
@ManagedByFiles('alerts')
@ApiTags('Alerts')
@Authenticated(['management_key'], 'alerts')
export class AlertsController {
  constructor(private readonly alerts: AlertsService) {}

  @Post()
  @Operation({
    status: 201,
    type: CreateAlertResponse,
    hasEntityTag: true,
    summary: 'Create an alert',
    description:
      'Creates an alert on budgets, keys that expire or destinations that pause, which notifies once each window: a webhook, addresses by e-mail, or both. Each address is sent a link, and is notified after it has confirmed by it.',
    errors: [TooManyConfirmationMails],
  })
  createAlert(@CurrentPrincipal() caller: ManagementPrincipal, @Body() input: CreateAlertRequest) {
    return this.alerts.create(caller, input);
  }

  @Get()
  @Operation({
    type: ListAlertsResponse,
    summary: 'List alerts',
    description: 'Lists the alerts of the organization, oldest first.',
  })
  listAlerts(@CurrentPrincipal() caller: ManagementPrincipal, @Query() input: NamedPageQuery) {
    return this.alerts.list(caller, input);
  }

  @Get(':id')
  @Operation({
    type: GetAlertResponse,
    hasEntityTag: true,
    summary: 'Get an alert',
    description: 'Returns an alert, and which of its addresses have confirmed.',
    errors: [AlertNotFound],
  })
  getAlert(@CurrentPrincipal() caller: ManagementPrincipal, @Param() input: AlertPath) {
    return this.alerts.get(caller, input);
  }

  @Patch(':id')
  @Operation({
    type: UpdateAlertResponse,
    hasEntityTag: true,
    summary: 'Update an alert',
    description:
      'Changes the fields in the request; absent ones stay. `emails` replaces the list: new addresses, and those whose link has expired, are sent a link to confirm by.',
    errors: [AlertNotFound, TooManyConfirmationMails],
  })
  updateAlert(
    @CurrentPrincipal() caller: ManagementPrincipal,
    @Param() path: AlertPath,
    @Body() body: UpdateAlertRequest,
    @IfMatch() precondition: Precondition,
  ) {
    return this.alerts.update(caller, { ...body, ...path }, precondition);
  }

  @Delete(':id')
  @Operation({
    type: DeleteAlertResponse,
    hasEntityTag: true,
    summary: 'Delete an alert',
    description: 'Deletes an alert, its addresses, and what it has not sent yet.',
    errors: [AlertNotFound],
  })
  deleteAlert(
    @CurrentPrincipal() caller: ManagementPrincipal,
    @Param() input: AlertPath,
    @IfMatch() precondition: Precondition,
  ) {
    return this.alerts.delete(caller, input, precondition);
  }
}
