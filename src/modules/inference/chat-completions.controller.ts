import { Body, Controller, Post, Req, Res } from '@nestjs/common';
import { ApiHeader, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { Operation } from '../../api/openapi/operation.decorator.js';
import type { GatehouseRequest } from '../../api/request.js';
import { Authenticated } from '../../auth/authenticated.decorator.js';
import { CurrentPrincipal } from '../../auth/current-principal.decorator.js';
import type { ApiKeyPrincipal } from '../../auth/principal.js';
import { HoldsSlotsInParts } from '../../limits/request-slots.js';
import {
  ContentBlocked,
  ContentFilterUnavailable,
  PromptInjectionDetected,
  TooManyContentScans,
} from '../content/content.errors.js';
import { NoEndpoints } from '../routing/routing.errors.js';
import { ChatCompletionsService } from './chat-completions.service.js';
import { ChatCompletionRequest } from './dto/chat-completion-request.dto.js';
import { ChatCompletionResponse } from './dto/chat-completion-response.dto.js';
import {
  DataRegionNotAllowed,
  InvalidModel,
  ModelMissing,
  PresetMissing,
  ProviderRefusedRequest,
  ProvidersRateLimited,
  ProvidersUnavailable,
  TooManyOpenRequests,
} from './inference.errors.js';

/** Chat completions. */
@Controller('chat/completions')
@ApiTags('Chat')
export class ChatCompletionsController {
  constructor(private readonly completions: ChatCompletionsService) {}

  @Post()
  @Authenticated('api_key')
  @HoldsSlotsInParts()
  @ApiHeader({
    name: 'X-Router-Metadata',
    required: false,
    description: '`enabled`: the answer says how the request was routed.',
    schema: { type: 'string', enum: ['disabled', 'enabled'] },
  })
  @Operation({
    status: 200,
    type: ChatCompletionResponse,
    alternative: 'text/event-stream',
    summary: 'Create a chat completion',
    description:
      'Sends a conversation to a model under the guardrails of the key. With `stream` the answer comes as server-sent events, the last of which is `[DONE]`. The header `X-Generation-Id` is the id of the record.',
    errors: [
      ModelMissing,
      InvalidModel,
      ContentBlocked,
      PromptInjectionDetected,
      DataRegionNotAllowed,
      PresetMissing,
      NoEndpoints,
      ...ProviderRefusedRequest.kinds,
      ProvidersRateLimited,
      ProvidersUnavailable,
      ContentFilterUnavailable,
      TooManyContentScans,
      TooManyOpenRequests,
    ],
  })
  async sendChatCompletionRequest(
    @CurrentPrincipal() caller: ApiKeyPrincipal,
    @Body() body: ChatCompletionRequest,
    @Req() request: GatehouseRequest,
    @Res() response: Response,
  ): Promise<void> {
    await this.completions.answer(caller, body, request, response);
  }
}
