import { Body, Controller, Post, Req, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { chatRequestOfMessages } from '../../../codecs/anthropic-messages/request-decoder.js';
import type { ClientChatRequest } from '../../../codecs/chat/client-request.js';
import { MESSAGES_ENCODER } from '../../../codecs/anthropic-messages/stream-encoder.js';
import { messagesErrorEnvelope } from '../../../codecs/anthropic-messages/answer-encoder.js';
import type { RequestAdjustments } from '../../../codecs/chat/request-adjustments.js';
import { MESSAGES_STREAM_EVENT } from './dto/messages-schemas.js';
import { MessagesErrorResponse } from './dto/messages-error.dto.js';
import { InferenceRoute, CHAT_ERRORS } from '../inference-route.decorator.js';
import type { GatehouseRequest } from '../../../../http/request.js';
import { TakesApiKeyHeader } from '../../../../auth/authenticated.decorator.js';
import { CurrentPrincipal } from '../../../../auth/current-principal.decorator.js';
import type { ApiKeyPrincipal } from '../../../../auth/principal.js';
import { GenerationFailed } from '../../inference.errors.js';
import { ChatCompletionsService } from '../chat/chat-completions.service.js';
import { messagesRateHeaders } from './messages-rate-headers.js';
import { MessagesRequest } from './dto/messages-request.dto.js';
import { MessagesResponse } from './dto/messages-response.dto.js';
import { betasOf } from './betas.js';
import { RouterMetadataHeader } from '../documented-headers.decorator.js';
import { CHAT } from '../chat/operation.js';

/** Messages, for clients of that form (docs/interface/messages.md). */
@Controller('messages')
@ApiTags('Messages')
export class MessagesController {
  constructor(private readonly completions: ChatCompletionsService) {}

  @Post()
  @TakesApiKeyHeader()
  @RouterMetadataHeader()
  @InferenceRoute({
    operation: CHAT,
    rateHeaders: messagesRateHeaders,
    type: MessagesResponse,
    streamEvent: MESSAGES_STREAM_EVENT,
    errorWriter: { type: MessagesErrorResponse, write: messagesErrorEnvelope, repeats401: true },
    summary: 'Create a message',
    description:
      'Sends a conversation in the Messages form to a model of any provider, under the guardrails of the key. With `stream` the answer comes as server-sent events, the last of which is `message_stop`. The header `X-Generation-Id` is the id of the record. The key may also be sent in the header `X-Api-Key`.',
    errors: [...CHAT_ERRORS, GenerationFailed],
  })
  async createMessages(
    @CurrentPrincipal() caller: ApiKeyPrincipal,
    @Body() body: MessagesRequest,
    @Req() { headers }: GatehouseRequest,
    @Res() response: Response,
  ): Promise<void> {
    const translated = (adjustments: RequestAdjustments): ClientChatRequest =>
      chatRequestOfMessages(body, betasOf(headers), adjustments);
    await this.completions.answer(caller, translated, response, {
      encoder: MESSAGES_ENCODER,
      rateHeaders: messagesRateHeaders,
    });
  }
}
