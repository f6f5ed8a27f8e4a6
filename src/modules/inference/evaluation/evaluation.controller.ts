import { Body, Controller, Param, Post, Req } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { clientSignal } from '../../../http/client-signal.js';
import { TooMuchInferenceMemory } from '../../../http/errors/request.errors.js';
import { Operation } from '../../../http/openapi/operation.decorator.js';
import type { GatehouseRequest } from '../../../http/request.js';
import { Authenticated } from '../../../auth/authenticated.decorator.js';
import { CurrentPrincipal } from '../../../auth/current-principal.decorator.js';
import type { ManagementPrincipal } from '../../../auth/principal.js';
import { HoldsSlotsInParts } from '../../../http/request-limits/request-slots.js';
import { TooManyContentScans } from '../../content/index.js';
import { DEFAULT_GUARDRAIL_NOT_ASSIGNABLE, GuardrailNotFound, MemberNotFound } from '../../guardrails/index.js';
import { KeyNotFound } from '../../keys/index.js';
import { TooManyOpenRequests } from '../inference.errors.js';
import { EvaluatedGuardrailPath, EvaluateGuardrailRequest } from './dto/evaluate-guardrail-request.dto.js';
import { EvaluateGuardrailResponse } from './dto/guardrail-evaluation.dto.js';
import { EVALUATION_EXAMPLES } from './evaluation-examples.js';
import { EvaluationService } from './evaluation.service.js';

/** Trying guardrails. It belongs to this module because the gateway itself is asked. */
@Controller('guardrails/:id/evaluate')
@ApiTags('Guardrails')
export class EvaluationController {
  constructor(private readonly evaluations: EvaluationService) {}

  @Post()
  @Authenticated(['management_key'], 'guardrails_read')
  @HoldsSlotsInParts()
  @Operation({
    type: EvaluateGuardrailResponse,
    isSafe: true,
    summary: 'Try a guardrail',
    description:
      'Shows step by step what would happen to a chat completion if the guardrail were assigned to a key or member: its preset, its models, the limits that are reached, the content filters that match, the endpoints that would be tried, and what would be left of each limit in the worst case. Nothing is sent to a provider, reserved, charged or recorded. A request that would be refused is a success of this operation.',
    examples: EVALUATION_EXAMPLES,
    errors: [
      DEFAULT_GUARDRAIL_NOT_ASSIGNABLE,
      GuardrailNotFound,
      KeyNotFound,
      MemberNotFound,
      TooManyOpenRequests,
      TooManyContentScans,
      TooMuchInferenceMemory,
    ],
  })
  async evaluateGuardrail(
    @CurrentPrincipal() { organizationId }: ManagementPrincipal,
    @Param() { id }: EvaluatedGuardrailPath,
    @Body() body: EvaluateGuardrailRequest,
    @Req() request: GatehouseRequest,
  ): Promise<EvaluateGuardrailResponse> {
    // Work can continue after the client has left.
    const release = request.heldMemory?.keep();
    try {
      return await this.evaluations.evaluate(organizationId, id, body, clientSignal(request.res!));
    } finally {
      release?.();
    }
  }
}
