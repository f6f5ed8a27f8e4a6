import { Body, Controller, Post, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { InferenceRoute, CHAT_ERRORS } from '../inference-route.decorator.js';
import { CurrentPrincipal } from '../../../../auth/current-principal.decorator.js';
import type { ApiKeyPrincipal } from '../../../../auth/principal.js';
import { CHAT_ENCODER } from '../../../codecs/openai-chat/answer-encoder.js';
import { ChatCompletionsService } from './chat-completions.service.js';
import { CHAT_STREAM_EVENT } from './dto/chat-schemas.js';
import { ChatCompletionRequest } from './dto/chat-completion-request.dto.js';
import { ChatCompletionResponse } from './dto/chat-completion-response.dto.js';
import { RouterMetadataHeader } from '../documented-headers.decorator.js';
import { CHAT } from './operation.js';

/** Chat completions. */
@Controller('chat/completions')
@ApiTags('Chat')
export class ChatCompletionsController {
  constructor(private readonly completions: ChatCompletionsService) {}

  @Post()
  @RouterMetadataHeader()
  @InferenceRoute({
    operation: CHAT,
    type: ChatCompletionResponse,
    streamEvent: CHAT_STREAM_EVENT,
    summary: 'Create a chat completion',
    description:
      'Sends a conversation to a model under the guardrails of the key. With `stream` the answer comes as server-sent events, the last of which is `[DONE]`. The header `X-Generation-Id` is the id of the record.',
    errors: CHAT_ERRORS,
  })
  async sendChatCompletionRequest(
    @CurrentPrincipal() caller: ApiKeyPrincipal,
    @Body() body: ChatCompletionRequest,
    @Res() response: Response,
  ): Promise<void> {
    await this.completions.answer(caller, () => body, response, { encoder: CHAT_ENCODER });
  }
}
