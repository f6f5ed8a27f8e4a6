import { Body, Controller, Get, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Authenticated } from '../../auth/authenticated.decorator.js';
import { CurrentPrincipal } from '../../auth/current-principal.decorator.js';
import type { ManagementPrincipal } from '../../auth/principal.js';
import { ClientSignal } from '../../http/client-signal.js';
import { AdministratorRequired, PermissionMissing } from '../../http/errors/request.errors.js';
import { Operation } from '../../http/openapi/operation.decorator.js';
import { ConfigurationBeingApplied, ConfigurationChanged, ConfigurationConflicts } from './configuration.errors.js';
import { ConfigurationService } from './configuration.service.js';
import {
  ApplyConfigurationRequest,
  ApplyConfigurationResponse,
  ExportConfigurationQuery,
  ExportConfigurationResponse,
  ListManagedObjectsResponse,
  ManagedObjectsQuery,
  PlanConfigurationRequest,
  PlanConfigurationResponse,
} from './dto/configuration.dto.js';

/** The operations on configuration by files. What they need besides follows from what the files have. */
@Controller('configuration')
@ApiTags('Configuration')
@Authenticated(['management_key'], 'none')
export class ConfigurationController {
  constructor(private readonly configuration: ConfigurationService) {}

  @Post('plan')
  @Operation({
    type: PlanConfigurationResponse,
    isSafe: true,
    summary: 'Plan a configuration',
    description:
      'Says what applying files would do, what stands in the way, and what would break. Nothing is changed. It takes the permissions to read what the files have.',
    errors: [AdministratorRequired, PermissionMissing],
  })
  planConfiguration(
    @CurrentPrincipal() caller: ManagementPrincipal,
    @Body() input: PlanConfigurationRequest,
    @ClientSignal() signal: AbortSignal,
  ) {
    return this.configuration.planned(caller, input, signal);
  }

  @Post('apply')
  @Operation({
    type: ApplyConfigurationResponse,
    summary: 'Apply a configuration',
    description:
      'Makes what there is that of the files, in one transaction: all or nothing. It takes the permissions of all changes. A plan that was applied already is answered as such.',
    errors: [
      ConfigurationBeingApplied,
      ConfigurationChanged,
      ConfigurationConflicts,
      AdministratorRequired,
      PermissionMissing,
    ],
  })
  applyConfiguration(
    @CurrentPrincipal() caller: ManagementPrincipal,
    @Body() input: ApplyConfigurationRequest,
    @ClientSignal() signal: AbortSignal,
  ) {
    return this.configuration.applied(caller, input, signal);
  }

  @Get('export')
  @Operation({
    type: ExportConfigurationResponse,
    summary: 'Export the configuration',
    description:
      'Returns what there is as a document of a file: names in place of ids, and without secrets. Applied again, it changes nothing. It takes the permissions to read all that files configure.',
    errors: [AdministratorRequired, PermissionMissing],
  })
  exportConfiguration(
    @CurrentPrincipal() caller: ManagementPrincipal,
    @Query() input: ExportConfigurationQuery,
    @ClientSignal() signal: AbortSignal,
  ) {
    return this.configuration.exported(caller, input, signal);
  }

  @Get('objects')
  @Operation({
    type: ListManagedObjectsResponse,
    summary: 'List what files configure',
    description:
      'Lists the objects that files configure, with their owners, and which of them were changed by other means since.',
    errors: [AdministratorRequired],
  })
  listManagedObjects(@CurrentPrincipal() caller: ManagementPrincipal, @Query() input: ManagedObjectsQuery) {
    return this.configuration.managed(caller, input);
  }
}
