import { Body, Controller, Post, Req, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { chatRequestOfMessages } from '../../../codecs/anthropic-messages/request-decoder.js';
import { messagesErrorEnvelope } from '../../../codecs/anthropic-messages/answer-encoder.js';
import { MessagesErrorResponse } from './dto/messages-error.dto.js';
import { Operation } from '../../../../http/openapi/operation.decorator.js';
import type { GatehouseRequest } from '../../../../http/request.js';
import { Authenticated, ResolvedBy, TakesApiKeyHeader } from '../../../../auth/authenticated.decorator.js';
import { CurrentPrincipal } from '../../../../auth/current-principal.decorator.js';
import type { ApiKeyPrincipal } from '../../../../auth/principal.js';
import { HoldsSlotsInParts } from '../../../../http/request-limits/request-slots.js';
import { CHAT_ERRORS } from '../inference-route.decorator.js';
import { CallerContexts } from '../../pipeline/context/caller-contexts.service.js';
import { MessageTokenCount } from './dto/messages-response.dto.js';
import { MessagesRequest } from './dto/messages-request.dto.js';
import { MessageTokensService } from './message-tokens.service.js';
import { betasOf } from './betas.js';

/** Counting the tokens of messages (docs/interface/messages.md#counting-tokens). */
@Controller('messages/count_tokens')
@ApiTags('Messages')
export class MessageTokensController {
  constructor(private readonly tokens: MessageTokensService) {}

  @Post()
  @Authenticated(['api_key'])
  @TakesApiKeyHeader()
  @HoldsSlotsInParts()
  @ResolvedBy(CallerContexts)
  @Operation({
    type: MessageTokenCount,
    errorWriter: { type: MessagesErrorResponse, write: messagesErrorEnvelope, repeats401: true },
    summary: 'Count the tokens of a message',
    description:
      'Estimates how many tokens a message would have, under the guardrails of the key. No provider is asked, and nothing is charged or recorded.',
    isInference: true,
    errors: CHAT_ERRORS,
  })
  countMessageTokens(
    @CurrentPrincipal() caller: ApiKeyPrincipal,
    @Body() body: MessagesRequest,
    @Req() { headers }: GatehouseRequest,
    @Res({ passthrough: true }) response: Response,
  ): Promise<MessageTokenCount> {
    return this.tokens.count(caller, chatRequestOfMessages(body, betasOf(headers)), response);
  }
}
