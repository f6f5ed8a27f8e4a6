import type { ModelPricing } from '../../../catalog/model-facts.js';
import type { ContentError } from '../../../generations/content/generation-content.js';
import type { FinishReason, TokenUsage } from '../../../codecs/chat/chat-completion.js';
import type { PixelSize } from '../../../codecs/chat/image-size.js';
import type { DeliveredTokens } from '../answer/delivered-answer.js';
import type { Units } from '../cost/units.js';
import type { KeptOutput } from '../answer/kept-output.js';

/** What a provider's answer came to. */
export interface AnswerOutcome {
  /** Null where the provider reported nothing. */
  readonly usage: TokenUsage | null;
  /** Whether the provider has not counted the tokens of all that came; absent for what has none. */
  readonly isAnswerUncounted?: boolean;
  /** Whether the provider has not counted the tokens of the prompt. */
  readonly isPromptUncounted?: boolean;
  /** What came, where the provider has not counted it. */
  readonly delivered: DeliveredTokens;
  /** The tokens of what the model may have thought without showing it until its client left; absent for none. */
  readonly hiddenTokens?: number;
  /** Whether the client left before the end. */
  readonly isCancelled: boolean;
  /** Whether the gateway gave it up, so that what came is charged; absent for one that ended otherwise. */
  readonly isGivenUp?: boolean;
  /** Whether nothing of it had come when the client left, or the gateway gave up; absent for one that has begun. */
  readonly isUnbegun?: boolean;
  /** The reason of the error with which the gateway gave it up; absent where it did not. */
  readonly refusal?: string;
  /** The status that the caller got in place of the answer; absent for 200. */
  readonly status?: number;
  readonly hasFailed: boolean;
  /** Set for complete answers without tokens, such as vectors. */
  readonly isWithoutTokens?: boolean;
  /** What is charged besides tokens, as it came or as the provider counts it; images only of an answer that can have some. */
  readonly units?: Units;
  /** The sizes of its images, as far as they are known; absent where they do not matter. */
  readonly imageSizes?: readonly (PixelSize | undefined)[];
  /** Whether images were left out that no limit pays for, so that it is not kept for others; absent for what can have none. */
  readonly isCut?: boolean;
  /** The prices that it is charged by, where they depend on what was answered; absent for those of the endpoint. */
  readonly pricing?: ModelPricing;
  readonly finishReason: FinishReason | null;
  /** The finish reasons of all choices, in their order; absent for what has none. */
  readonly finishReasons?: readonly FinishReason[];
  readonly nativeFinishReason: string | null;
  readonly upstreamId: string | null;
  readonly serviceTier: string | null;
  /** What was delivered, for the record and for destinations; null where the content of the request is not kept. */
  readonly output: KeptOutput | null;
  /** What the caller was told of an answer that broke off. */
  readonly error?: ContentError;
}
