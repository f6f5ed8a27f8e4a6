import type { HeldSlot } from '../../../../api/request-limits/request-slots.js';
import type { Finding } from '../../../content/content-result.js';
import type { ContentInput } from '../../../generations/content/generation-content.js';
import type { Conversation } from '../../../routing/sticky-endpoints.js';
import type { RequestSize } from './request-size.js';
import type { UsageBounds } from '../cost/usage-bounds.js';
import type { Candidate } from './candidate.js';
import type { PreparationObserver } from './preparation-observer.js';
import type { PluginStage } from './plugins.js';
import type { RatedRequest } from './rated-request.js';
import type { PromptMedia } from './prompt-media.js';
import type { RequestedModel } from '../context/model-names.js';

/** A request that may be sent to providers. */
export interface PreparedRequest<Body> {
  /** The body, with the preset and without what was redacted. */
  readonly body: Body;
  /** The endpoints to try, in order; at least one. */
  readonly candidates: readonly Candidate[];
  /** Counts the bytes of its texts, by which its prompt is estimated if a provider reports nothing. */
  readonly promptBytes: () => number;
  /** Whether a limit applies to it (docs/budgets.md). */
  readonly isLimited: boolean;
  /** Measures what its cost depends on. */
  readonly size: () => RequestSize;
  /** The most tokens that a candidate can count for a body of it. */
  usageBounds(body: Body, candidate: Candidate): UsageBounds;
  /** The body with a longest answer, in tokens, where it names none. */
  readonly withLongestAnswer: (tokens: number) => Body;
  /** The conversation for which the endpoint that answers is remembered. */
  readonly conversation: Conversation | undefined;
}

/** What is learned about a request on its way, for its record and for the metadata of its routing. */
export interface RequestFacts {
  /** The id of the generation. */
  readonly id: string;
  /** The session id of the body, else of the header. */
  readonly sessionId: string | null;
  /** The size of the body, in bytes. */
  readonly bodyBytes: number;
  workspaceId: string | null;
  /** The id of the model that was asked for first. */
  model: string;
  presetId?: string;
  /** The models to try, in order; empty until they are known. */
  models: readonly RequestedModel[];
  /** What content filters have found. */
  findings: readonly Finding[];
  /** The endpoints to try, in order; empty until they are known. */
  candidates: readonly Candidate[];
  /** What plugins did to it so far. */
  pluginStages: readonly PluginStage[];
  /** The media of the prompt; undefined until the preset is merged. */
  media?: PromptMedia;
  /** What is sent to providers, where it is kept. */
  input?: ContentInput;
  /** The slot that the request holds while it is prepared; undefined if it keeps that slot to its end. */
  slot?: HeldSlot;
  /** Observes the preparation; undefined if the request is to be answered. */
  readonly observer?: PreparationObserver;
  /** How the request was counted; undefined where no limits per minute apply. */
  rates?: RatedRequest;
}
