import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Authenticated } from '../../auth/authenticated.decorator.js';
import { Caller } from '../../auth/caller.decorator.js';
import type { ApiKeyPrincipal, ManagementPrincipal } from '../../auth/principal.js';
import { Input } from '../../http/input/input.decorator.js';
import { Answers } from '../../http/openapi/answers.decorator.js';
import { Revalidated } from '../../http/revalidation/revalidated.decorator.js';
import { ListModelsResponse, UserModelsQuery } from '../catalog/catalog.service.js';
import { EffectiveGuardrailsService } from './effective-guardrails.service.js';

/** The models that a caller may use. */
@Controller('models/user')
@ApiTags('Models')
export class UserModelsController {
  constructor(private readonly effective: EffectiveGuardrailsService) {}

  @Get()
  @Revalidated()
  @Authenticated('management_key', 'api_key')
  @Answers({
    status: 200,
    type: ListModelsResponse,
    summary: 'List the models that the caller may use',
    description:
      "Oldest first: those that the guardrails of the caller's workspace, of its owner and of the key itself leave.",
    errors: [400, 403],
  })
  listModelsUser(
    @Caller() caller: ManagementPrincipal | ApiKeyPrincipal,
    @Input({ query: UserModelsQuery }) input: UserModelsQuery,
  ): Promise<ListModelsResponse> {
    return this.effective.listModels(caller, input);
  }
}
