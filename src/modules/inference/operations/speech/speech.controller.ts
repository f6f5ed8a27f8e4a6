import { Body, Controller, Post, Req, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { CurrentPrincipal } from '../../../../auth/current-principal.decorator.js';
import type { ApiKeyPrincipal } from '../../../../auth/principal.js';
import { InferenceRoute } from '../inference-route.decorator.js';
import { NoContent } from '../../../../http/openapi/response-envelopes.js';
import type { GatehouseRequest } from '../../../../http/request.js';
import { AUDIO_TYPES } from './audio-formats.js';
import { SpeechRequest } from './dto/speech-request.dto.js';
import { SpeechService } from './speech.service.js';
import { SPEECH } from './operation.js';

/** Texts that are spoken. */
@Controller('audio/speech')
@ApiTags('Audio')
export class SpeechController {
  constructor(private readonly speech: SpeechService) {}

  @Post()
  @InferenceRoute({
    operation: SPEECH,
    type: NoContent,
    binaryTypes: AUDIO_TYPES,
    summary: 'Speak a text',
    description:
      'Answers with the audio of a text as it comes, under the guardrails of the key. The header `X-Generation-Id` is the id of the record, which has the cost.',
  })
  async createAudioSpeech(
    @CurrentPrincipal() caller: ApiKeyPrincipal,
    @Body() body: SpeechRequest,
    @Req() request: GatehouseRequest,
    @Res() response: Response,
  ): Promise<void> {
    await this.speech.answer(caller, body, request, response);
  }
}
