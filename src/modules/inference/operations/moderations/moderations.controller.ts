import { Body, Controller, Post, Req, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { CurrentPrincipal } from '../../../../auth/current-principal.decorator.js';
import type { ApiKeyPrincipal } from '../../../../auth/principal.js';
import type { GatehouseRequest } from '../../../../http/request.js';
import { DocumentOperations } from '../document-operations.service.js';
import { InferenceRoute } from '../inference-route.decorator.js';
import { ModerationRequest } from './dto/moderation-request.dto.js';
import { ModerationResponse } from './dto/moderation-response.dto.js';
import { MODERATIONS } from './operation.js';

/** Moderation of texts and images. */
@Controller('moderations')
@ApiTags('Moderations')
export class ModerationsController {
  constructor(private readonly operations: DocumentOperations) {}

  @Post()
  @InferenceRoute({
    operation: MODERATIONS,
    type: ModerationResponse,
    summary: 'Classify texts and images',
    description:
      'Says whether texts and images may be harmful, and how, under the guardrails of the key. The header `X-Generation-Id` is the id of the record.',
  })
  async createModerations(
    @CurrentPrincipal() caller: ApiKeyPrincipal,
    @Body() body: ModerationRequest,
    @Req() request: GatehouseRequest,
    @Res() response: Response,
  ): Promise<void> {
    await this.operations.answer(MODERATIONS, body, { caller, http: request, response });
  }
}
