import { Controller, Delete, Get, Patch, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Authenticated } from '../../auth/authenticated.decorator.js';
import { Caller } from '../../auth/caller.decorator.js';
import type { ManagementPrincipal } from '../../auth/principal.js';
import { Input } from '../../http/input/input.decorator.js';
import { Answers } from '../../http/openapi/answers.decorator.js';
import { CreateGuardrailRequest } from './dto/create-guardrail-request.dto.js';
import { DeleteGuardrailResponse } from './dto/delete-guardrail-response.dto.js';
import { GuardrailPath } from './dto/guardrail-path.dto.js';
import {
  CreateGuardrailResponse,
  GetGuardrailResponse,
  ListGuardrailsResponse,
  UpdateGuardrailResponse,
} from './dto/guardrail.dto.js';
import { ListGuardrailsQuery } from './dto/list-guardrails-query.dto.js';
import { UpdateGuardrailRequest } from './dto/update-guardrail-request.dto.js';
import { GuardrailsService } from './guardrails.service.js';

/** The operations on guardrails. */
@Controller('guardrails')
@ApiTags('Guardrails')
export class GuardrailsController {
  constructor(private readonly guardrails: GuardrailsService) {}

  @Post()
  @Authenticated('management_key')
  @Answers({
    status: 201,
    type: CreateGuardrailResponse,
    summary: 'Create a guardrail',
    description:
      'A new guardrail enforces nothing until it is assigned to keys or members; placing it in a workspace does not apply it to the traffic of that workspace.',
    unavailableStatus: 500,
    errors: [400, 403, 413, 429],
    reasons: { 429: 'pattern_check_limit' },
  })
  createGuardrail(
    @Caller() caller: ManagementPrincipal,
    @Input({ body: CreateGuardrailRequest }) input: CreateGuardrailRequest,
  ): Promise<CreateGuardrailResponse> {
    return this.guardrails.create(caller, input);
  }

  @Get(':id')
  @Authenticated('management_key')
  @Answers({
    status: 200,
    type: GetGuardrailResponse,
    summary: 'Get a guardrail',
    description:
      'The default guardrail of a workspace, which applies to all its traffic, is there from the start; its id is the UUIDv5 of the workspace.',
    errors: [400, 403, 404],
    reasons: { 404: 'guardrail_not_found' },
  })
  getGuardrail(
    @Caller() caller: ManagementPrincipal,
    @Input({ path: GuardrailPath }) input: GuardrailPath,
  ): Promise<GetGuardrailResponse> {
    return this.guardrails.get(caller, input);
  }

  @Patch(':id')
  @Authenticated('management_key')
  @Answers({
    status: 200,
    type: UpdateGuardrailResponse,
    summary: 'Update a guardrail',
    description:
      'What is left out stays as it is, null clears, and a list takes the place of the list that there was. limit_usd and reset_interval are judged together as they are afterwards. A request that changes nothing leaves updated_at as it is.',
    errors: [400, 403, 404, 413, 429],
    reasons: { 404: 'guardrail_not_found', 429: 'pattern_check_limit' },
  })
  updateGuardrail(
    @Caller() caller: ManagementPrincipal,
    @Input({ path: GuardrailPath, body: UpdateGuardrailRequest }) input: GuardrailPath & UpdateGuardrailRequest,
  ): Promise<UpdateGuardrailResponse> {
    return this.guardrails.update(caller, input);
  }

  @Delete(':id')
  @Authenticated('management_key')
  @Answers({
    status: 200,
    type: DeleteGuardrailResponse,
    summary: 'Delete a guardrail',
    description: 'Its assignments go with it. The default guardrail of a workspace goes with its workspace alone.',
    errors: [400, 403, 404],
    reasons: { 400: 'default_guardrail_not_deletable', 404: 'guardrail_not_found' },
  })
  deleteGuardrail(
    @Caller() caller: ManagementPrincipal,
    @Input({ path: GuardrailPath }) input: GuardrailPath,
  ): Promise<DeleteGuardrailResponse> {
    return this.guardrails.delete(caller, input);
  }

  @Get()
  @Authenticated('management_key')
  @Answers({
    status: 200,
    type: ListGuardrailsResponse,
    summary: 'List guardrails',
    description:
      'Oldest first, of the default workspace unless another one is asked for. The default guardrail of a workspace is among them from its first change on.',
    unavailableStatus: 500,
    errors: [400, 403],
  })
  listGuardrails(
    @Caller() caller: ManagementPrincipal,
    @Input({ query: ListGuardrailsQuery }) input: ListGuardrailsQuery,
  ): Promise<ListGuardrailsResponse> {
    return this.guardrails.list(caller, input);
  }
}
