import { Body, Controller, Post, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { chatRequestOfResponses } from '../../../codecs/openai-responses/request-decoder.js';
import { responsesEncoder } from '../../../codecs/openai-responses/stream-encoder.js';
import { responsesErrorEnvelope } from '../../../codecs/openai-responses/answer-encoder.js';
import { RESPONSES_STREAM_EVENT } from './dto/responses-schemas.js';
import { ResponsesErrorResponse, ResponsesResponse } from './dto/responses-response.dto.js';
import { InferenceRoute, CHAT_ERRORS } from '../inference-route.decorator.js';
import { CurrentPrincipal } from '../../../../auth/current-principal.decorator.js';
import type { ApiKeyPrincipal } from '../../../../auth/principal.js';
import { ChatCompletionsService } from '../chat/chat-completions.service.js';
import { ResponsesRequest } from './dto/responses-request.dto.js';
import { RouterMetadataHeader } from '../documented-headers.decorator.js';
import { CHAT } from '../chat/operation.js';

/** Answers in the form of the Responses interface (docs/interface/responses.md). */
@Controller('responses')
@ApiTags('Responses')
export class ResponsesController {
  constructor(private readonly completions: ChatCompletionsService) {}

  @Post()
  @RouterMetadataHeader()
  @InferenceRoute({
    operation: CHAT,
    type: ResponsesResponse,
    streamEvent: RESPONSES_STREAM_EVENT,
    summary: 'Create a response',
    description:
      'Sends an input to a model of any provider, under the guardrails of the key. Nothing is stored: every request contains the whole conversation. With `stream` the answer comes as server-sent events, the last of which is `response.completed`, `response.incomplete` or `response.failed`. The header `X-Generation-Id` is the id of the record.',
    errorWriter: { type: ResponsesErrorResponse, write: responsesErrorEnvelope },
    errors: CHAT_ERRORS,
  })
  async createResponses(
    @CurrentPrincipal() caller: ApiKeyPrincipal,
    @Body() body: ResponsesRequest,
    @Res() response: Response,
  ): Promise<void> {
    await this.completions.answer(caller, (adjustments) => chatRequestOfResponses(body, adjustments), response, {
      encoder: responsesEncoder(body),
    });
  }
}
