import type { LongWork } from '../../../../concurrency/long-work.js';
import type { OperationName } from '../../../../telemetry/operations.js';
import type { CatalogEndpoint } from '../../../catalog/catalog-endpoint.js';
import type { CatalogModel } from '../../../catalog/catalog-model.js';
import type { ModelPricing } from '../../../catalog/model-facts.js';
import type { ContentInput } from '../../../generations/content/generation-content.js';
import type { EndpointNeeds } from '../../../routing/endpoint-exclusion.js';
import type { ChatMessage } from '../../../codecs/chat/chat-completion.js';
import type { PartOf, RequestOf, WholeOf } from '../../../codecs/provider-operations.js';
import type { PixelSize } from '../../../codecs/chat/image-size.js';
import type { ProviderPreferences } from '../../../codecs/chat/client-request.js';
import type { RequestAdjustments } from '../../../codecs/chat/request-adjustments.js';
import type { CallReport, ObservedCall } from '../attempts/observed-call.js';
import type { RequestTexts } from '../content/fields/request-texts.js';
import type { RequestSize } from './request-size.js';
import type { LikelyUse } from '../cost/compared-price.js';
import type { UsageBounds } from '../cost/usage-bounds.js';
import type { Candidate } from './candidate.js';
import type { PluginStage } from './plugins.js';
import type { PresetInForce } from '../../../presets/presets-in-force.service.js';
import type { PromptMedia } from './prompt-media.js';
import type { RequestedModel } from '../context/requested-models.js';
import type { RequestContext } from '../context/request-context.repository.js';

/** What every body of an inference operation can say about where it is sent. */
export interface RoutedBody {
  readonly provider?: ProviderPreferences | null;
  readonly route?: 'fallback' | 'sort' | null;
  /** Where its data may be processed; `global` restricts nothing. */
  readonly inference_geo?: string | null;
  /** How fast an answer is made, or a text is spoken. */
  readonly speed?: string | number | null;
  /** How observability destinations group the request with others. */
  readonly trace?: Readonly<Record<string, unknown>> | null;
  /** Texts by name, of which some may be labels. */
  readonly metadata?: Readonly<Record<string, unknown>> | null;
  /** The end user. */
  readonly user?: string | null;
  readonly session_id?: string | null;
}

/** What a conversation is recognized by, as far as a request says it. */
export interface ConversationHints {
  readonly session_id?: string | null;
  readonly prompt_cache_key?: string | null;
  readonly messages: readonly ChatMessage[];
}

/** A body from which messages may have been left out. */
export interface CompressedBody<Body> {
  readonly body: Body;
  /** What was left out; undefined where nothing was. */
  readonly stage?: PluginStage;
}

/** The preset that a body names, and how it is completed with it. */
export interface NamesPreset<Body> {
  /** The slug, which may be empty; undefined where none is named. */
  readonly slugOf: (body: Body) => string | undefined;
  /** The model as the caller wrote it, with a preset. */
  readonly modelOf: (body: Body) => string;
  /** The body with the settings of the preset. @throws BadRequestError, InvalidModel */
  readonly completed: (body: Body, preset: PresetInForce) => Body;
}

/** How providers are asked for an operation, and what is told of their answers. */
export interface ProviderCallOf<Name extends OperationName> {
  readonly name: Name;
  /** What is said of a provider whose protocol has none of it, or no streams of it. */
  readonly absence: string;
  readonly streamAbsence?: string;
  /** What metrics and traces are told of a whole answer; absent where there is none. */
  readonly reportOf?: (answer: WholeOf<Name>) => CallReport;
  /** A stream that tells metrics and traces of its parts; absent where there is none. */
  readonly observed?: (
    parts: AsyncIterable<PartOf<Name>, void>,
    call: ObservedCall,
  ) => AsyncIterable<PartOf<Name>, void>;
}

/** An operation that one of providers answers. */
export interface AskedOperation<Body extends RoutedBody, Name extends OperationName>
  extends InferenceOperation<Body>, ProviderCallOf<Name> {
  readonly name: Name;
}

/** An operation whose requests have one form for all candidates and clients. */
export interface ResultOperation<Body extends RoutedBody, Name extends OperationName> extends AskedOperation<
  Body,
  Name
> {
  /**
   * The request for a candidate, without the fields of the gateway.
   *
   * @param adjustments is told what is left out
   */
  readonly requestFor: (body: Body, candidate: Candidate, adjustments: RequestAdjustments) => RequestOf<Name>;
}

/**
 * What the pipeline has to know about the bodies of an operation. Everything else, from the policy to the attempts, is the same for
 * all operations.
 */
export interface InferenceOperation<Body extends RoutedBody> {
  readonly name: OperationName;
  /** Absent where presets do not apply. */
  readonly preset?: NamesPreset<Body>;
  /** Whether its answers are kept for equal requests that ask for it (docs/response-cache.md). */
  readonly isCached: boolean;
  /** The numbers of parts of a prompt that are not texts; absent where there are none. */
  readonly mediaOf?: (body: Body) => PromptMedia;
  /** The names of the models to try, in order. @throws ModelMissing */
  readonly modelNamesOf: (body: Body, context: RequestContext) => readonly string[];
  /** The endpoints of a model that have it; absent for those of the list of endpoints, with its prices. */
  readonly endpointsOf?: (model: CatalogModel, body: Body) => readonly CatalogEndpoint[];
  /** The prices of a candidate for an answer with images of these sizes; absent where they do not depend on that. */
  readonly pricingOf?: (candidate: Candidate, body: Body, images: readonly (PixelSize | undefined)[]) => ModelPricing;
  /** The texts that content filters look at, where they stand, and how others are put in their place. */
  readonly texts: RequestTexts<Body>;
  /** Whether a part of the body may be text that content filters cannot read. The work lets others use the event loop. */
  readonly hidesText: (body: Body, work: LongWork) => Promise<boolean>;
  /** The body without what the models cannot read together with the rest, where it asks for that; absent where nothing is left out. */
  readonly compressed?: (body: Body, models: readonly RequestedModel[]) => CompressedBody<Body>;
  /** The bytes that the texts count as where a provider reports nothing (`estimated-tokens.ts`). */
  readonly promptBytesOf: (body: Body) => number;
  readonly sizeOf: (body: Body) => RequestSize;
  /** The most tokens that a candidate can count for it. */
  readonly usageBoundsOf: (body: Body, candidate: Candidate) => UsageBounds;
  /** The body with a longest answer, in tokens, where it names none. */
  readonly withLongestAnswer: (body: Body, tokens: number) => Body;
  /** What its conversation is recognized by; undefined where the operation has none. */
  readonly conversationHintsOf: (body: Body) => ConversationHints | undefined;
  /** What is logged of the body, where its workspace has contents logged. */
  readonly loggedInputOf: (body: Body) => ContentInput;
  readonly needsOf: (body: Body) => EndpointNeeds;
  /** What a request is likely to use, by which the prices of endpoints are compared; absent for a token of the prompt and one of the answer. */
  readonly likelyUseOf?: (body: Body) => LikelyUse;
}
