import { Body, Controller, Delete, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Authenticated } from '../../auth/authenticated.decorator.js';
import { CurrentPrincipal } from '../../auth/current-principal.decorator.js';
import type { ManagementPrincipal } from '../../auth/principal.js';
import { ManagedByFiles } from '../../http/managed-objects/managed-objects.js';
import { Operation } from '../../http/openapi/operation.decorator.js';
import { IfMatch, Precondition } from '../../http/precondition.js';
import {
  CreateGuardrailRequest,
  CreateGuardrailResponse,
  DeleteGuardrailResponse,
  GetGuardrailResponse,
  GuardrailPath,
  ListGuardrailsQuery,
  ListGuardrailsResponse,
  UpdateGuardrailRequest,
  UpdateGuardrailResponse,
} from './dto/guardrail.dto.js';
import { GuardrailsService } from './guardrails.service.js';
import { TooManyLargeLists } from '../organization-limits/organization-limits.errors.js';
import { DEFAULT_GUARDRAIL_NOT_DELETABLE, GuardrailNotFound, TooManyPatternChecks } from './guardrails.errors.js';

/** The operations on guardrails. */
@Controller('guardrails')
@ManagedByFiles('guardrails')
@ApiTags('Guardrails')
@Authenticated(['management_key'], 'guardrails')
export class GuardrailsController {
  constructor(private readonly guardrails: GuardrailsService) {}

  @Post()
  @Operation({
    status: 201,
    type: CreateGuardrailResponse,
    hasEntityTag: true,
    summary: 'Create a guardrail',
    description:
      "Creates a guardrail. It has no effect until it is assigned to keys or members. To restrict all traffic of a workspace, update the workspace's default guardrail instead.",
    unavailableStatus: 500,
    errors: [TooManyPatternChecks],
  })
  createGuardrail(@CurrentPrincipal() caller: ManagementPrincipal, @Body() input: CreateGuardrailRequest) {
    return this.guardrails.create(caller, input);
  }

  @Get(':id')
  @Operation({
    type: GetGuardrailResponse,
    hasEntityTag: true,
    summary: 'Get a guardrail',
    description:
      'Returns a guardrail. The default guardrail of a workspace exists from the start; its id is a UUIDv5 of the workspace id.',
    errors: [GuardrailNotFound],
  })
  getGuardrail(@CurrentPrincipal() caller: ManagementPrincipal, @Param() input: GuardrailPath) {
    return this.guardrails.get(caller, input);
  }

  @Patch(':id')
  @Operation({
    type: UpdateGuardrailResponse,
    hasEntityTag: true,
    summary: 'Update a guardrail',
    description:
      'Changes the fields in the request. Absent fields stay, null clears, and a list replaces the stored list. limit_usd and reset_interval are checked together on the result. A request that changes nothing leaves updated_at unchanged.',
    errors: [GuardrailNotFound, TooManyPatternChecks],
  })
  updateGuardrail(
    @CurrentPrincipal() caller: ManagementPrincipal,
    @Param() path: GuardrailPath,
    @Body() body: UpdateGuardrailRequest,
    @IfMatch() precondition: Precondition,
  ) {
    return this.guardrails.update(caller, { ...body, ...path }, precondition);
  }

  @Delete(':id')
  @Operation({
    type: DeleteGuardrailResponse,
    hasEntityTag: true,
    summary: 'Delete a guardrail',
    description: "Deletes a guardrail and its assignments. A workspace's default guardrail cannot be deleted.",
    errors: [DEFAULT_GUARDRAIL_NOT_DELETABLE, GuardrailNotFound],
  })
  deleteGuardrail(
    @CurrentPrincipal() caller: ManagementPrincipal,
    @Param() input: GuardrailPath,
    @IfMatch() precondition: Precondition,
  ) {
    return this.guardrails.delete(caller, input, precondition);
  }

  @Get()
  @Operation({
    type: ListGuardrailsResponse,
    summary: 'List guardrails',
    description:
      'Lists the guardrails of a workspace, oldest first; by default those of the default workspace. The default guardrail of a workspace is listed after its first change.',
    unavailableStatus: 500,
    errors: [TooManyLargeLists],
  })
  listGuardrails(@CurrentPrincipal() caller: ManagementPrincipal, @Query() input: ListGuardrailsQuery) {
    return this.guardrails.list(caller, input);
  }
}
