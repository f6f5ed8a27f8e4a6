import { Body, Controller, Post, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { InferenceRoute, CHAT_ERRORS } from '../inference-route.decorator.js';
import { CurrentPrincipal } from '../../../../auth/current-principal.decorator.js';
import type { ApiKeyPrincipal } from '../../../../auth/principal.js';
import { ChatCompletionsService } from '../chat/chat-completions.service.js';
import { RouterMetadataHeader } from '../documented-headers.decorator.js';
import { chatRequestOfCompletions } from '../../../codecs/openai-completions/request-decoder.js';
import { completionsEncoder } from '../../../codecs/openai-completions/answer-encoder.js';
import { COMPLETION_STREAM_EVENT } from './dto/completion-schemas.js';
import { CompletionRequest } from './dto/completion-request.dto.js';
import { CompletionResponse } from './dto/completion-response.dto.js';
import { CHAT } from '../chat/operation.js';

/** Completes texts, in the form that was there before chats (docs/interface/completions.md). */
@Controller('completions')
@ApiTags('Completions')
export class CompletionsController {
  constructor(private readonly completions: ChatCompletionsService) {}

  @Post()
  @RouterMetadataHeader()
  @InferenceRoute({
    operation: CHAT,
    type: CompletionResponse,
    streamEvent: COMPLETION_STREAM_EVENT,
    summary: 'Create a completion',
    description:
      'Sends a prompt to a model as the message of a user, under the guardrails of the key, for clients of the legacy form. With `stream` the answer comes as server-sent events, the last of which is `[DONE]`. The header `X-Generation-Id` is the id of the record.',
    errors: CHAT_ERRORS,
  })
  async createCompletions(
    @CurrentPrincipal() caller: ApiKeyPrincipal,
    @Body() body: CompletionRequest,
    @Res() response: Response,
  ): Promise<void> {
    await this.completions.answer(caller, () => chatRequestOfCompletions(body), response, {
      encoder: completionsEncoder(body),
    });
  }
}
