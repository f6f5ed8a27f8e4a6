import { Injectable } from '@nestjs/common';
import type { Response } from 'express';
import type { ApiKeyPrincipal } from '../../../../auth/principal.js';
import { Environment } from '../../../../config/environment.js';
import type { GatehouseRequest } from '../../../../http/request.js';
import { type CountedResult, ResultAnswerService } from '../../pipeline/answer/result-answer.service.js';
import { InferencePipeline } from '../../pipeline/pipeline.service.js';
import type { Exchange } from '../../pipeline/request/exchange.js';
import { InferenceRequest } from '../../pipeline/request/inference-request.js';
import { askedImages, countedImages, DrawnImagesService, sizeOfImage } from './drawn-images.service.js';
import type { ImageBody } from './image-body.js';
import type { ImageForm } from './image-forms.js';
import { IMAGES } from './operation.js';
import { ImageStreamService } from './image-stream.service.js';

interface Drawn extends CountedResult {
  readonly images: readonly string[];
}

/** Draws images (docs/interface/images.md). */
@Injectable()
export class ImagesService {
  constructor(
    private readonly pipeline: InferencePipeline,
    private readonly results: ResultAnswerService,
    private readonly streams: ImageStreamService,
    private readonly drawn: DrawnImagesService,
    private readonly environment: Environment,
  ) {}

  /**
   * Answers a request, and records it.
   *
   * @param form in which it is answered
   * @throws DomainError for a request that is refused
   */
  async answer(
    caller: ApiKeyPrincipal,
    body: ImageBody,
    http: GatehouseRequest,
    response: Response,
    form: ImageForm,
  ): Promise<void> {
    const request = InferenceRequest.of(IMAGES, caller, body, http, {
      streamed: body.stream,
      dataRegion: this.environment.dataRegion,
    });
    const answer = (exchange: Exchange<ImageBody>): Promise<void> =>
      body.stream ? this.streams.send(exchange, form) : this.sendWhole(exchange, form);
    await this.pipeline.run({ operation: IMAGES, request, body, response, answer });
  }

  private async sendWhole(exchange: Exchange<ImageBody>, form: ImageForm): Promise<void> {
    const { created } = exchange.request;
    await this.results.send<ImageBody, Drawn>(exchange, {
      ask: async (candidate, sent) => {
        const { upstreamId, usage, images } = await this.drawn.whole(exchange, candidate, sent);
        return { upstreamId, usage, images, came: countedImages(exchange, candidate, images.map(sizeOfImage)) };
      },
      leftOf: (candidate) => askedImages(exchange, candidate),
      documentOf: ({ images }, _candidate, usage) => form.whole({ created, images, usage }),
    });
  }
}
