import { Body, Controller, Param, Post, Req } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { clientSignal } from '../../../http/client-signal.js';
import { Operation } from '../../../http/openapi/operation.decorator.js';
import type { GatehouseRequest } from '../../../http/request.js';
import { Authenticated } from '../../../auth/authenticated.decorator.js';
import { CurrentPrincipal } from '../../../auth/current-principal.decorator.js';
import type { ManagementPrincipal } from '../../../auth/principal.js';
import { HoldsSlotsInParts } from '../../../http/request-limits/request-slots.js';
import { TooManyContentScans } from '../../content/content.errors.js';
import {
  DEFAULT_GUARDRAIL_NOT_ASSIGNABLE,
  GuardrailNotFound,
  MemberNotFound,
  TooManyPatternChecks,
} from '../../guardrails/guardrails.errors.js';
import { KeyNotFound } from '../../keys/keys.errors.js';
import { TooManyOpenRequests, TooMuchInferenceMemory } from '../inference.errors.js';
import {
  EvaluatedGuardrailPath,
  EvaluateGuardrailDraftRequest,
  EvaluateGuardrailRequest,
} from './dto/evaluate-guardrail-request.dto.js';
import { EvaluateGuardrailDraftResponse, EvaluateGuardrailResponse } from './dto/guardrail-evaluation.dto.js';
import { EVALUATION_EXAMPLES } from './evaluation-examples.js';
import { EvaluationService } from './evaluation.service.js';

/** Trying guardrails. It belongs to this module because the gateway itself is asked. */
@Controller('guardrails')
@ApiTags('Guardrails')
export class EvaluationController {
  constructor(private readonly evaluations: EvaluationService) {}

  @Post(':id/evaluate')
  @Authenticated(['management_key'], 'guardrails_read')
  @HoldsSlotsInParts()
  @Operation({
    type: EvaluateGuardrailResponse,
    isSafe: true,
    summary: 'Try a guardrail',
    description:
      'Shows step by step what would happen to a request of inference, by default a chat completion, if the guardrail were assigned to a key or member: its preset, its models, the limits that are reached, the content filters that match, the endpoints that would be tried, and what would be left of each limit in the worst case. With `guardrail`, as if these changes of it were saved. Nothing is sent to a provider, reserved, charged or recorded. A request that would be refused is a success of this operation.',
    examples: EVALUATION_EXAMPLES,
    errors: [
      DEFAULT_GUARDRAIL_NOT_ASSIGNABLE,
      GuardrailNotFound,
      KeyNotFound,
      MemberNotFound,
      TooManyOpenRequests,
      TooManyContentScans,
      TooManyPatternChecks,
      TooMuchInferenceMemory,
    ],
  })
  async evaluateGuardrail(
    @CurrentPrincipal() { organizationId }: ManagementPrincipal,
    @Param() { id }: EvaluatedGuardrailPath,
    @Body() body: EvaluateGuardrailRequest,
    @Req() request: GatehouseRequest,
  ): Promise<EvaluateGuardrailResponse> {
    return holdingMemory(request, (signal) => this.evaluations.evaluate(organizationId, id, body, signal));
  }

  @Post('evaluate')
  @Authenticated(['management_key'], 'guardrails_read')
  @HoldsSlotsInParts()
  @Operation({
    type: EvaluateGuardrailDraftResponse,
    isSafe: true,
    summary: 'Try a guardrail before it is created',
    description:
      'Shows what evaluateGuardrail shows, for a guardrail that does not exist yet. Neither it nor anything else is created or recorded, and it counts toward no quota.',
    errors: [
      KeyNotFound,
      MemberNotFound,
      TooManyOpenRequests,
      TooManyContentScans,
      TooManyPatternChecks,
      TooMuchInferenceMemory,
    ],
  })
  async evaluateGuardrailDraft(
    @CurrentPrincipal() { organizationId }: ManagementPrincipal,
    @Body() body: EvaluateGuardrailDraftRequest,
    @Req() request: GatehouseRequest,
  ): Promise<EvaluateGuardrailDraftResponse> {
    return holdingMemory(request, (signal) => this.evaluations.evaluateDraft(organizationId, body, signal));
  }
}

/** Keeps the memory of a request taken until its work has ended, which can continue after the client has left. */
async function holdingMemory<Result>(
  request: GatehouseRequest,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const release = request.heldMemory?.keep();
  try {
    return await work(clientSignal(request.res!));
  } finally {
    release?.();
  }
}
