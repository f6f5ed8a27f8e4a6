import { Body, Controller, Get, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Operation } from '../../http/openapi/operation.decorator.js';
import { Authenticated, KeepsToOwn } from '../../auth/authenticated.decorator.js';
import { CurrentPrincipal } from '../../auth/current-principal.decorator.js';
import type { ApiKeyPrincipal, ManagementPrincipal } from '../../auth/principal.js';
import { GenerationContentResponse } from './content/generation-content.dto.js';
import { GenerationQuery, GenerationResponse } from './dto/generation.dto.js';
import {
  SubmitGenerationFeedbackRequest,
  SubmitGenerationFeedbackResponse,
} from './feedback/generation-feedback.dto.js';
import { GenerationFeedbackService } from './feedback/generation-feedback.service.js';
import { GenerationContentNotFound, GenerationNotFound } from './generations.errors.js';
import { GenerationsService } from './generations.service.js';

/** The records of inference requests. */
@Controller('generation')
@ApiTags('Generations')
export class GenerationsController {
  constructor(
    private readonly generations: GenerationsService,
    private readonly feedback: GenerationFeedbackService,
  ) {}

  @Get()
  @Authenticated(['management_key', 'api_key'], 'usage_read')
  @KeepsToOwn()
  @Operation({
    type: GenerationResponse,
    summary: 'Get the record of an inference request',
    description:
      'Returns what a request used and cost, and how it was answered or refused. The id is in the answer and in the header `X-Generation-Id`. An API key sees the records of its own requests, a management key those of the organization.',
    errors: [GenerationNotFound],
  })
  getGeneration(
    @CurrentPrincipal() caller: ManagementPrincipal | ApiKeyPrincipal,
    @Query() input: GenerationQuery,
  ): Promise<GenerationResponse> {
    return this.generations.get(caller, input);
  }

  @Get('content')
  @Authenticated(['management_key', 'api_key'], 'content_read')
  @KeepsToOwn()
  @Operation({
    type: GenerationContentResponse,
    summary: 'Get the content of an inference request',
    description:
      'Returns what was sent to the provider, without what was redacted, and what came back. It is kept if the workspace logs input and output (`is_observability_io_logging_enabled`). A credential that can read the record can read its content.',
    errors: [GenerationNotFound, GenerationContentNotFound],
  })
  listGenerationContent(
    @CurrentPrincipal() caller: ManagementPrincipal | ApiKeyPrincipal,
    @Query() input: GenerationQuery,
  ): Promise<GenerationContentResponse> {
    return this.generations.content(caller, input);
  }

  @Post('feedback')
  @Authenticated(['management_key'], 'usage_write')
  @KeepsToOwn()
  @Operation({
    type: SubmitGenerationFeedbackResponse,
    summary: 'Say what is wrong with a generation',
    description:
      'Stores feedback with the record of an inference request, where `GET /generation` shows it. Feedback of a category replaces what was said in it before.',
    errors: [GenerationNotFound],
  })
  submitGenerationFeedback(
    @CurrentPrincipal() caller: ManagementPrincipal,
    @Body() input: SubmitGenerationFeedbackRequest,
  ): Promise<SubmitGenerationFeedbackResponse> {
    return this.feedback.submit(caller, input);
  }
}
