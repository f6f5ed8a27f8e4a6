import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Authenticated } from '../../auth/authenticated.decorator.js';
import { Caller } from '../../auth/caller.decorator.js';
import type { ManagementPrincipal } from '../../auth/principal.js';
import { Input } from '../../http/input/input.decorator.js';
import { Answers } from '../../http/openapi/answers.decorator.js';
import { EffectiveGuardrailsQuery, EffectiveGuardrailsResponse } from './dto/effective-guardrails.dto.js';
import { EffectiveGuardrailsService } from './effective-guardrails.service.js';

/** What guardrails come to together. Its path would be an id for GuardrailsController, so it stands before that. */
@Controller('guardrails/effective')
@ApiTags('Guardrails')
export class EffectiveGuardrailsController {
  constructor(private readonly effective: EffectiveGuardrailsService) {}

  @Get()
  @Authenticated('management_key')
  @Answers({
    status: 200,
    type: EffectiveGuardrailsResponse,
    summary: 'Get what applies to a key',
    description:
      "The default guardrail of the key's workspace, its owner's and its own together, the strictest of each rule winning, with the guardrails that each rule comes from and the models that are left. A guardrail that is not assigned yet can be tried out with it.",
    errors: [400, 403, 404],
    reasons: { 404: 'key_not_found' },
  })
  getEffectiveGuardrails(
    @Caller() caller: ManagementPrincipal,
    @Input({ query: EffectiveGuardrailsQuery }) input: EffectiveGuardrailsQuery,
  ): Promise<EffectiveGuardrailsResponse> {
    return this.effective.effective(caller, input);
  }
}
