import { Controller, Get, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Authenticated } from '../../auth/authenticated.decorator.js';
import { Caller } from '../../auth/caller.decorator.js';
import type { ManagementPrincipal } from '../../auth/principal.js';
import { Input } from '../../http/input/input.decorator.js';
import { Answers } from '../../http/openapi/answers.decorator.js';
import { CreateGuardrailRequest } from './dto/create-guardrail-request.dto.js';
import { CreateGuardrailResponse, ListGuardrailsResponse } from './dto/guardrail.dto.js';
import { ListGuardrailsQuery } from './dto/list-guardrails-query.dto.js';
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
    errors: [400, 403, 413],
  })
  createGuardrail(
    @Caller() caller: ManagementPrincipal,
    @Input({ body: CreateGuardrailRequest }) input: CreateGuardrailRequest,
  ): Promise<CreateGuardrailResponse> {
    return this.guardrails.create(caller, input);
  }

  @Get()
  @Authenticated('management_key')
  @Answers({
    status: 200,
    type: ListGuardrailsResponse,
    summary: 'List guardrails',
    description: 'Oldest first, of the default workspace unless another one is asked for.',
    errors: [400, 403],
  })
  listGuardrails(
    @Caller() caller: ManagementPrincipal,
    @Input({ query: ListGuardrailsQuery }) input: ListGuardrailsQuery,
  ): Promise<ListGuardrailsResponse> {
    return this.guardrails.list(caller, input);
  }
}
