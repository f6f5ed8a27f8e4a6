import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Operation } from '../../api/openapi/operation.decorator.js';
import { Authenticated } from '../../auth/authenticated.decorator.js';
import { CurrentPrincipal } from '../../auth/current-principal.decorator.js';
import type { ApiKeyPrincipal, ManagementPrincipal } from '../../auth/principal.js';
import { GenerationQuery, GenerationResponse } from './dto/generation.dto.js';
import { GenerationNotFound } from './generations.errors.js';
import { GenerationsService } from './generations.service.js';

/** The records of inference requests. */
@Controller('generation')
@ApiTags('Generations')
export class GenerationsController {
  constructor(private readonly generations: GenerationsService) {}

  @Get()
  @Authenticated('management_key', 'api_key')
  @Operation({
    status: 200,
    type: GenerationResponse,
    summary: 'Get the record of an inference request',
    description:
      'Returns what a request used, cost and met on its way, also if it was refused. The id is that of the answer and of the header `X-Generation-Id`. An API key sees the records of its own requests, a management key those of the organization.',
    errors: [GenerationNotFound],
  })
  getGeneration(
    @CurrentPrincipal() caller: ManagementPrincipal | ApiKeyPrincipal,
    @Query() input: GenerationQuery,
  ): Promise<GenerationResponse> {
    return this.generations.get(caller, input);
  }
}
