import { Body, Controller, Delete, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Authenticated } from '../../auth/authenticated.decorator.js';
import { CurrentPrincipal } from '../../auth/current-principal.decorator.js';
import type { ManagementPrincipal } from '../../auth/principal.js';
import { ClientSignal } from '../../http/client-signal.js';
import { ManagedByFiles } from '../../http/managed-objects/managed-objects.js';
import { Operation } from '../../http/openapi/operation.decorator.js';
import { NamedPageQuery } from '../../http/pagination/pagination.js';
import { IfMatch, Precondition } from '../../http/precondition.js';
import { HoldsSlotsInParts } from '../../http/request-limits/request-slots.js';
import { TooManyContentScans } from '../content/content.errors.js';
import { CREDENTIALS_REQUIRED, TooManyHostLookups } from '../observability/observability.errors.js';
import {
  CreateInspectorRequest,
  CreateInspectorResponse,
  DeleteInspectorResponse,
  GetInspectorResponse,
  InspectorPath,
  ListInspectorsResponse,
  TestInspectorRequest,
  TestInspectorResponse,
  UpdateInspectorRequest,
  UpdateInspectorResponse,
} from './dto/inspector.dto.js';
import { InspectorInUse, InspectorNotFound } from './inspectors.errors.js';
import { InspectorsService } from './inspectors.service.js';

/** The operations on inspectors. */
@Controller('inspectors')
@ManagedByFiles('inspectors')
@ApiTags('Inspectors')
@Authenticated(['management_key'], 'inspectors')
export class InspectorsController {
  constructor(private readonly inspectors: InspectorsService) {}

  @Post()
  @Operation({
    status: 201,
    type: CreateInspectorResponse,
    hasEntityTag: true,
    summary: 'Create an inspector',
    description:
      'Creates an inspector: a server that judges the texts of requests and answers. It judges nothing until guardrails name it. Every response masks its secrets.',
    errors: [TooManyHostLookups],
  })
  createInspector(
    @CurrentPrincipal() caller: ManagementPrincipal,
    @Body() input: CreateInspectorRequest,
    @ClientSignal() gone: AbortSignal,
  ) {
    return this.inspectors.create(caller, input, gone);
  }

  @Get()
  @Operation({
    type: ListInspectorsResponse,
    summary: 'List inspectors',
    description: 'Lists the inspectors of the organization, oldest first.',
  })
  listInspectors(@CurrentPrincipal() caller: ManagementPrincipal, @Query() input: NamedPageQuery) {
    return this.inspectors.list(caller, input);
  }

  @Get(':id')
  @Operation({
    type: GetInspectorResponse,
    hasEntityTag: true,
    summary: 'Get an inspector',
    description: 'Returns an inspector.',
    errors: [InspectorNotFound],
  })
  getInspector(@CurrentPrincipal() caller: ManagementPrincipal, @Param() input: InspectorPath) {
    return this.inspectors.get(caller, input);
  }

  @Patch(':id')
  @Operation({
    type: UpdateInspectorResponse,
    hasEntityTag: true,
    summary: 'Update an inspector',
    description:
      'Changes the fields in the request; absent ones stay. `settings` and `headers` are replaced as a whole. A secret that is sent back masked stays. It holds for each request that comes after the answer.',
    errors: [CREDENTIALS_REQUIRED, InspectorNotFound, TooManyHostLookups],
  })
  updateInspector(
    @CurrentPrincipal() caller: ManagementPrincipal,
    @Param() path: InspectorPath,
    @Body() body: UpdateInspectorRequest,
    @ClientSignal() gone: AbortSignal,
    @IfMatch() precondition: Precondition,
  ) {
    return this.inspectors.update(caller, { ...body, ...path }, gone, precondition);
  }

  @Delete(':id')
  @Operation({
    type: DeleteInspectorResponse,
    hasEntityTag: true,
    summary: 'Delete an inspector',
    description: 'Deletes an inspector that no guardrail names.',
    errors: [InspectorInUse, InspectorNotFound],
  })
  deleteInspector(
    @CurrentPrincipal() caller: ManagementPrincipal,
    @Param() input: InspectorPath,
    @IfMatch() precondition: Precondition,
  ) {
    return this.inspectors.delete(caller, input, precondition);
  }

  @Post(':id/test')
  @HoldsSlotsInParts()
  @Operation({
    type: TestInspectorResponse,
    isSafe: true,
    summary: 'Test an inspector',
    description:
      'Asks the inspector now about some texts, and returns what it says of them, how long that took, and why it failed if it did. Nothing of it is recorded.',
    errors: [InspectorNotFound, TooManyContentScans],
  })
  testInspector(
    @CurrentPrincipal() caller: ManagementPrincipal,
    @Param() path: InspectorPath,
    @Body() body: TestInspectorRequest,
    @ClientSignal() gone: AbortSignal,
  ) {
    return this.inspectors.test(caller, { ...body, ...path }, gone);
  }
}
