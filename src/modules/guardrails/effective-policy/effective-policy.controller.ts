import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Authenticated, KeepsToOwn } from '../../../auth/authenticated.decorator.js';
import { CurrentPrincipal } from '../../../auth/current-principal.decorator.js';
import type { ManagementPrincipal, ApiKeyPrincipal } from '../../../auth/principal.js';
import { Operation } from '../../../http/openapi/operation.decorator.js';
import { EffectiveGuardrailsQuery, EffectiveGuardrailsResponse } from './effective-guardrails.dto.js';
import { EffectiveGuardrailsService } from './effective-guardrails.service.js';
import { GuardrailNotFound } from '../guardrails.errors.js';
import { TooManyLargeLists } from '../../organization-limits/organization-limits.errors.js';
import { CurrentKeyResponse } from '../../keys/keys.service.js';
import { KeyNotFound } from '../../keys/keys.errors.js';
import { ConditionalGet } from '../../../http/conditional-requests.js';
import { ListModelsResponse, UserModelsQuery } from '../../catalog/catalog.service.js';

/** The effective policy. Must be registered before GuardrailsController, whose `:id` would match `effective`. */
@Controller('guardrails/effective')
@ApiTags('Guardrails')
export class EffectiveGuardrailsController {
  constructor(private readonly effective: EffectiveGuardrailsService) {}

  @Get()
  @Authenticated(['management_key'], 'guardrails_read')
  @KeepsToOwn()
  @Operation({
    type: EffectiveGuardrailsResponse,
    summary: 'Get the effective policy of a key',
    description:
      "Combines the default guardrail of the key's workspace, the guardrail of its owner and its own; the strictest rule wins. Shows the guardrails behind each rule, and the permitted models. `with` adds a guardrail, to see its effect before it is assigned.",
    errors: [KeyNotFound, GuardrailNotFound, TooManyLargeLists],
  })
  getEffectiveGuardrails(@CurrentPrincipal() caller: ManagementPrincipal, @Query() input: EffectiveGuardrailsQuery) {
    return this.effective.effective(caller, input);
  }
}

/** The models that a caller may use. */
@Controller('models/user')
@ApiTags('Models')
export class UserModelsController {
  constructor(private readonly effective: EffectiveGuardrailsService) {}

  @Get()
  @ConditionalGet()
  @Authenticated(['management_key', 'api_key'], 'none')
  @Operation({
    type: ListModelsResponse,
    summary: 'List the models that the caller may use',
    description: 'Lists the models that the effective policy of the caller permits, oldest first.',
  })
  listModelsUser(@CurrentPrincipal() caller: ManagementPrincipal | ApiKeyPrincipal, @Query() input: UserModelsQuery) {
    return this.effective.listModels(caller, input);
  }
}

/** The current key. It belongs to this module because guardrails are part of the response. */
@Controller('key')
@ApiTags('API Keys')
export class CurrentKeyController {
  constructor(private readonly effective: EffectiveGuardrailsService) {}

  @Get()
  @Authenticated(['management_key', 'api_key'], 'none')
  @Operation({
    type: CurrentKeyResponse,
    summary: 'Get the current key',
    description:
      'Describes the key that sent the request: its limit, its usage, and the regions that its guardrails allow.',
  })
  getCurrentKey(@CurrentPrincipal() caller: ManagementPrincipal | ApiKeyPrincipal) {
    return this.effective.describeKey(caller);
  }
}
