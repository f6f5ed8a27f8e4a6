import { Body, Controller, Post, Req, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { CurrentPrincipal } from '../../../../auth/current-principal.decorator.js';
import type { ApiKeyPrincipal } from '../../../../auth/principal.js';
import { DocumentOperations } from '../document-operations.service.js';
import { InferenceRoute } from '../inference-route.decorator.js';
import type { GatehouseRequest } from '../../../../http/request.js';
import { ProvidersTimedOut, REFUSALS_OF_EVERY_OPERATION } from '../../inference.errors.js';
import { TranscriptionForm } from './dto/transcription-fields.dto.js';
import { TranscriptionRequest } from './dto/transcription-request.dto.js';
import { TranscriptionResponse } from './dto/transcription-response.dto.js';
import { transcriptionBodyOf, TRANSCRIPTIONS } from './operation.js';

/** Recordings that are written down. */
@Controller('audio/transcriptions')
@ApiTags('Audio')
export class TranscriptionsController {
  constructor(private readonly operations: DocumentOperations) {}

  @Post()
  @InferenceRoute({
    operation: TRANSCRIPTIONS,
    type: TranscriptionResponse,
    multipartBody: TranscriptionForm,
    errors: [...REFUSALS_OF_EVERY_OPERATION, ProvidersTimedOut],
    summary: 'Transcribe a recording',
    description:
      'Writes down what is said in a recording, which comes as the file of a form or within JSON. The header `X-Generation-Id` is the id of the record.',
  })
  async createAudioTranscriptions(
    @CurrentPrincipal() caller: ApiKeyPrincipal,
    @Body() input: TranscriptionRequest,
    @Req() request: GatehouseRequest,
    @Res() response: Response,
  ): Promise<void> {
    const body = transcriptionBodyOf(input);
    // The text of a recording within JSON is not kept any longer.
    if ('input_audio' in input) request.body = undefined;
    await this.operations.answer(TRANSCRIPTIONS, body, { caller, http: request, response });
  }
}
