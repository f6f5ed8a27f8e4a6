import { Injectable, Optional } from '@nestjs/common';
import { LongWork } from '../../../../concurrency/long-work.js';
import { LoopTurns } from '../../../../concurrency/loop-turns.js';
import { Environment } from '../../../../config/environment.js';
import { BrokenAnswers } from '../../../../http/broken-answers.js';
import { ClientGoneError } from '../../../../http/client-signal.js';
import { ServiceLogger } from '../../../../telemetry/logging/service-logger.js';
import { Metrics } from '../../../../telemetry/metrics/metrics.js';
import type { AnswerUsage } from '../../../codecs/client-codec.js';
import { IMAGE_ATTRIBUTES, type ImageAttributes, type ImagePart } from '../../../codecs/chat/images.js';
import type { PixelSize } from '../../../codecs/chat/image-size.js';
import { ProviderError } from '../../../codecs/errors/provider-error.js';
import { brokenAnswerErrorOf } from '../../../codecs/errors/shown-error.js';
import type { TokenUsage } from '../../../codecs/chat/chat-completion.js';
import { EventStream } from '../../pipeline/answer/event-stream.js';
import { NOTHING_KEPT } from '../../pipeline/answer/kept-output.js';
import { NOTHING_CAME, ResultAnswerService } from '../../pipeline/answer/result-answer.service.js';
import { type Answering, AttemptsService } from '../../pipeline/attempts/attempts.service.js';
import { wasGivenUp } from '../../pipeline/attempts/charged-attempts.service.js';
import type { AnswerOutcome } from '../../pipeline/request/answer-outcome.js';
import type { Candidate } from '../../pipeline/request/candidate.js';
import { keepsContentOf } from '../../pipeline/request/decision.js';
import type { Exchange } from '../../pipeline/request/exchange.js';
import { givenUp, isGivingUp } from '../../pipeline/settlement/given-up.js';
import { SettlementService } from '../../pipeline/settlement/settlement.service.js';
import { askedImages, countedImages, DrawnImagesService, sizeOfImage } from './drawn-images.service.js';
import type { ImageBody } from './image-body.js';
import type { ImageForm, StreamedImage } from './image-forms.js';

interface BegunStream {
  readonly first: ImagePart;
  readonly rest: AsyncIterator<ImagePart, void>;
}

interface StreamedImages {
  /** Of each finished image. */
  readonly sizes: (PixelSize | undefined)[];
  /** The last one, which is sent when its costs are known. */
  last: StreamedImage | undefined;
  usage: TokenUsage | null;
}

/** Answers requests to draw images with server-sent events (docs/interface/images.md#streams). */
@Injectable()
export class ImageStreamService {
  constructor(
    private readonly attempts: AttemptsService,
    private readonly drawn: DrawnImagesService,
    private readonly results: ResultAnswerService,
    private readonly settlement: SettlementService,
    private readonly logger: ServiceLogger,
    private readonly environment: Environment,
    private readonly turns: LoopTurns,
    private readonly brokenAnswers: BrokenAnswers,
    @Optional() private readonly metrics?: Metrics,
  ) {}

  /**
   * Answers a request, which is charged before the last image is sent.
   *
   * @throws DomainError where no provider answers, and nothing is sent yet
   * @throws ClientGoneError
   */
  async send(exchange: Exchange<ImageBody>, form: ImageForm): Promise<void> {
    this.metrics?.gateway.streams(1);
    try {
      await this.answer(exchange, form);
    } finally {
      this.metrics?.gateway.streams(-1);
    }
  }

  private async answer(exchange: Exchange<ImageBody>, form: ImageForm): Promise<void> {
    const { request, response } = exchange;
    const work = new LongWork(this.turns, request.organizationId);
    const events = new EventStream(response, this.environment.apiDialect, undefined, request.memory, work);
    let begun: Answering<BegunStream>;
    try {
      begun = await this.results.asked(exchange, (candidate, sent) => this.begun(exchange, candidate, sent), {
        leftOf: (candidate) => askedImages(exchange, candidate),
      });
    } catch (error) {
      events.abandon();
      if (!events.hasBegun) throw error;
      await this.settlement.recordRefusal(exchange, error);
      if (error instanceof ClientGoneError) throw error;
      await events.breakOff(form.failure(error), this.brokenAnswers);
      return;
    }
    const came: StreamedImages = { sizes: [], last: undefined, usage: null };
    const failure = await this.pass(exchange, begun.result, came, { events, form });
    await this.finish(exchange, begun.candidate, came, { events, form, failure });
  }

  /** Asks a candidate, and waits for the first part of an image, so that another one can be asked until it has come. */
  private async begun(exchange: Exchange<ImageBody>, candidate: Candidate, sent: () => void): Promise<BegunStream> {
    const rest = this.drawn.inParts(exchange, candidate, sent);
    const first = await rest.next();
    if (first.done === true) throw new ProviderError('invalid', 'The provider’s stream has no image.');
    return { first: first.value, rest };
  }

  /** Passes the parts of a stream on, but for the last image. @returns what ended it early */
  private async pass(
    exchange: Exchange<ImageBody>,
    { first, rest }: BegunStream,
    came: StreamedImages,
    { events, form }: { readonly events: EventStream; readonly form: ImageForm },
  ): Promise<unknown> {
    exchange.outcome.answering();
    try {
      let part: ImagePart | undefined = first;
      while (part !== undefined) {
        const image = streamedImage(exchange, part);
        if (part.kind === 'partial') await events.send(form.partial(part.index, image));
        else {
          const { last } = came;
          if (last !== undefined) await events.send(form.finished({ ...last, usage: undefined }));
          came.sizes.push(sizeOfImage(part.data));
          came.last = image;
          came.usage = part.usage ?? came.usage;
        }
        const next: IteratorResult<ImagePart, void> = await rest.next();
        part = next.done === true ? undefined : next.value;
      }
      return undefined;
    } catch (error) {
      await rest.return?.();
      return error;
    }
  }

  /** Settles a stream, whether the provider, the client or the gateway ended it, and tells the client how it ended. */
  private async finish(
    exchange: Exchange<ImageBody>,
    candidate: Candidate,
    came: StreamedImages,
    {
      events,
      form,
      failure: ofStream,
    }: { readonly events: EventStream; readonly form: ImageForm; readonly failure: unknown },
  ): Promise<void> {
    const { request, decision, signal } = exchange;
    const { organizationId } = request;
    const isCancelled = ofStream instanceof ClientGoneError || signal.reason instanceof ClientGoneError;
    let failure = ofStream;
    if (!isCancelled && failure === undefined) this.attempts.succeeded(candidate, organizationId);
    else if (!isCancelled && failure instanceof ProviderError) this.attempts.failed(candidate, organizationId, failure);
    let usage: AnswerUsage | undefined;
    try {
      usage = await this.settlement.settle(exchange, candidate, {
        ...outcomeOf(exchange, candidate, came, { failure, isCancelled }),
        output: keepsContentOf(decision) ? NOTHING_KEPT : null,
      });
    } catch (error) {
      failure ??= error;
      this.logger.failure(request.http.requestId, error);
    }
    if (isCancelled) throw new ClientGoneError();
    const { last } = came;
    if (failure !== undefined) await events.breakOff(form.failure(failure), this.brokenAnswers);
    else await events.end([...form.finished({ ...last!, usage }), ...form.end]);
  }
}

/** What of an image is not said by its provider is what the request asks for. */
function streamedImage(
  { request: { created }, decision: { sent } }: Exchange<ImageBody>,
  { data, attributes }: ImagePart,
): StreamedImage {
  const asked = IMAGE_ATTRIBUTES.flatMap((name) => (sent[name] === undefined ? [] : [[name, sent[name]]]));
  return { created, data, attributes: { ...(Object.fromEntries(asked) as ImageAttributes), ...attributes } };
}

/** The outcome of a stream. What its client has left, or the gateway has given up, is charged as if all had been drawn. */
function outcomeOf(
  exchange: Exchange<ImageBody>,
  candidate: Candidate,
  { sizes, usage }: StreamedImages,
  { failure, isCancelled }: { readonly failure: unknown; readonly isCancelled: boolean },
): AnswerOutcome {
  const left: AnswerOutcome = { ...NOTHING_CAME, ...askedImages(exchange, candidate), usage };
  if (isCancelled) return left;
  if (isGivingUp(failure) || (failure instanceof ProviderError && wasGivenUp(failure))) return givenUp(left, failure);
  const ended: AnswerOutcome = {
    ...NOTHING_CAME,
    ...countedImages(exchange, candidate, sizes),
    usage,
    isCancelled: false,
  };
  return failure === undefined ? ended : { ...ended, hasFailed: true, error: brokenAnswerErrorOf(failure) };
}
