import { type AnswerMemory, UNCOUNTED_MEMORY } from '../../../../api/input/inference-memory.js';
import type { ApiKeyPrincipal } from '../../../../auth/principal.js';
import type { GatehouseRequest } from '../../../../api/request.js';
import type { HeldSlot } from '../../../../api/request-limits/request-slots.js';
import type { DataRegion } from '../../../../config/data-region.js';
import type { Finding } from '../../../content/content-result.js';
import {
  type ContentError,
  type ContentInput,
  type ContentOutput,
  NO_OUTPUT,
} from '../../../generations/content/generation-content.js';
import type { AppliedFilter, GenerationDetails, ProviderAttempt } from '../../../generations/generation-details.js';
import type { NewGeneration } from '../../../generations/generations.service.js';
import { timeOfGeneration } from '../../../generations/generation-time.js';
import type { FinishReason, TokenUsage } from '../../../codecs/chat/chat-completion.js';
import { RequestAdjustments } from '../../../codecs/chat/request-adjustments.js';
import type { AdmissionRequest } from '../../../spend/admission.service.js';
import { largerOf, textOfUnits } from '../../../spend/decimal-amount.js';
import type { ReservedAmounts, WorstCase } from '../../../spend/worst-case.js';
import type { RequestSize } from './request-size.js';
import type { RequestWorstCase } from '../admission/request-worst-case.js';
import { NO_COST } from '../cost/cost.js';
import type { RoutedRequest } from '../routing-metadata/router-metadata.js';
import type { Candidate } from './candidate.js';
import { nameOfFilter } from './filter-name.js';
import { newGenerationId } from './generation-id.js';
import type { PluginStage } from './plugins.js';
import type { RatedRequest } from './rated-request.js';
import { RequestClock } from './request-clock.js';
import { type AttemptCharge, costOfAttempts, recordedCharge } from '../cost/attempt-charge.js';
import type { RequestedModel } from '../context/model-names.js';
import type { RequestFacts } from './prepared-request.js';
import type { PromptMedia } from './prompt-media.js';

/** How a request ended. */
export interface GenerationEnd {
  readonly status: number;
  readonly refusal?: string;
  readonly cancelled?: boolean;
  /** What the attempt that answered is charged; absent where none answered. */
  readonly charge?: AttemptCharge;
  readonly finishReason?: FinishReason | null;
  readonly nativeFinishReason?: string | null;
  readonly upstreamId?: string | null;
  readonly serviceTier?: string | null;
  /** Images of the answer; absent for one that can have none. */
  readonly images?: number;
  readonly output?: ContentOutput | null;
  /** The error if the answer is missing or incomplete. */
  readonly error?: ContentError;
}

/** What a record says of the request, before anything is known of its answer. */
interface DraftOptions {
  readonly apiType: GenerationDetails['apiType'];
  readonly streamed: boolean;
  readonly requestedModel: string;
  readonly externalUser: string | null | undefined;
  readonly sessionId: string | null | undefined;
  readonly dataRegion: DataRegion;
  /** What its translation into a chat has noted; absent for a request that is not translated. */
  readonly adjustments?: RequestAdjustments;
}

/** The record of a request while it is being answered. */
export class GenerationDraft implements RequestFacts {
  readonly id = newGenerationId(Date.now());
  /** The second that the id states. */
  readonly createdAt = timeOfGeneration(this.id)!;
  workspaceId: string | null;
  model: string;
  presetId?: string;
  models: readonly RequestedModel[] = [];
  findings: readonly Finding[] = [];
  candidates: readonly Candidate[] = [];
  pluginStages: readonly PluginStage[] = [];
  media?: PromptMedia;
  /** What is sent to providers, where it is kept. */
  input?: ContentInput;
  slot?: HeldSlot;
  /** Undefined where no limit applies. */
  size?: RequestSize;
  /** Whether there may be a reservation. */
  isReserved = false;
  /** What was reserved; undefined where nothing was. */
  reserved?: ReservedAmounts;
  /** What it may cost at each candidate; undefined where nothing was reserved. */
  worstCase?: RequestWorstCase;
  /** The longest answer that its limits pay for, in tokens; undefined where it is not capped. */
  cappedTokens?: number;
  /** What attempts are charged that were given up. */
  readonly givenUp: AttemptCharge[] = [];
  /** Whether its record is on its way, perhaps after the answer. */
  isSettled = false;
  /** Undefined where no limits per minute apply. */
  rates?: RatedRequest;
  readonly attempts: ProviderAttempt[] = [];
  /** What was left out of the request or changed in it. */
  readonly adjustments: RequestAdjustments;
  readonly clock = new RequestClock();
  private readonly start = performance.now();
  private firstTokenAt: number | undefined;

  constructor(
    private readonly caller: ApiKeyPrincipal,
    private readonly request: GatehouseRequest,
    private readonly options: DraftOptions,
  ) {
    this.workspaceId = caller.workspaceId;
    this.model = options.requestedModel;
    this.adjustments = options.adjustments ?? new RequestAdjustments();
  }

  /** Unix time in seconds. */
  get created(): number {
    return this.createdAt.getTime() / 1000;
  }

  get organizationId(): string {
    return this.caller.organizationId;
  }

  get sessionId(): string | null {
    return this.options.sessionId ?? null;
  }

  get bodyBytes(): number {
    return this.request.heldMemory?.size ?? 0;
  }

  /** What the answer holds, until it has been sent. */
  get memory(): AnswerMemory {
    return this.request.heldMemory ?? UNCOUNTED_MEMORY;
  }

  /** Forgets the memory of an answer that is not used, because another one is asked for. */
  releaseAnswer(): void {
    this.request.heldMemory?.releaseAnswer();
  }

  /** The way of the request so far; undefined while its models are not known. */
  get routed(): RoutedRequest | undefined {
    const { requestedModel, dataRegion } = this.options;
    const { models, candidates, attempts, findings, pluginStages } = this;
    const adjustments = this.adjustments.list;
    const generationMs = this.clock.sinceLastCall;
    const known = { models, candidates, attempts, findings, pluginStages, adjustments, generationMs };
    return models.length === 0 ? undefined : { requestedModel, dataRegion, ...known };
  }

  /** What is asked for when it is to be sent to its candidates. */
  admission(worstCase: WorstCase): AdmissionRequest {
    const { caller, request, options } = this;
    const [first] = this.candidates;
    return {
      organizationId: caller.organizationId,
      generationId: this.id,
      keyId: caller.credentialId,
      userId: caller.userId,
      workspaceId: this.workspaceId,
      createdAt: this.createdAt,
      worstCase,
      request: {
        requestId: request.requestId,
        requestedModel: options.requestedModel,
        model: first!.model.row.id,
        apiType: options.apiType,
        streamed: options.streamed,
      },
    };
  }

  /** Notes the time of the first token. */
  answering(): void {
    this.firstTokenAt ??= performance.now();
  }

  /** The row of the record. */
  finished(end: GenerationEnd): NewGeneration {
    const { charge } = end;
    const { caller, request, options } = this;
    const charges = charge === undefined ? this.givenUp : [...this.givenUp, charge];
    const usage = charge?.usage;
    const charged = charges.filter(({ cost }) => cost !== NO_COST);
    const last = this.attempts.at(-1);
    const total = textOfUnits(costOfAttempts(charged));
    const isMixed = new Set(charged.map(({ candidate }) => candidate.isByok)).size > 1;
    const overrun = overrunOf(this.reserved, charged);
    const adjustments = this.adjustments.list;
    return {
      organizationId: caller.organizationId,
      id: this.id,
      createdAt: this.createdAt,
      keyId: caller.credentialId,
      userId: caller.userId,
      workspaceId: this.workspaceId,
      status: end.status,
      model: this.model,
      provider: last?.provider ?? null,
      isByok: (charge === undefined ? charges.at(-1)?.candidate.isByok : undefined) ?? last?.isByok ?? false,
      costUsd: total,
      promptTokens: usage?.prompt_tokens ?? sumOf(charges, ({ prompt_tokens: tokens }) => tokens),
      completionTokens: usage?.completion_tokens ?? sumOf(charges, ({ completion_tokens: tokens }) => tokens),
      details: {
        requestId: request.requestId,
        requestedModel: options.requestedModel,
        apiType: options.apiType,
        streamed: options.streamed,
        cancelled: end.cancelled === true,
        ...given({
          refusal: end.refusal,
          upstreamId: end.upstreamId,
          latencyMs: this.firstTokenAt === undefined ? undefined : milliseconds(this.firstTokenAt - this.start),
          generationMs: last === undefined ? undefined : milliseconds(performance.now() - this.start),
          finishReason: end.finishReason,
          nativeFinishReason: end.nativeFinishReason,
          serviceTier: end.serviceTier,
          cachedTokens: usage?.prompt_tokens_details?.cached_tokens,
          reasoningTokens: usage?.completion_tokens_details?.reasoning_tokens,
          imageTokens: usage?.completion_tokens_details?.image_tokens,
          // At list price: what the provider charges the key is between it and the organization.
          upstreamCostUsd: last?.isByok === true ? textOfUnits(costOfAttempts(charged, true)) : undefined,
          byokCostUsd: isMixed ? textOfUnits(costOfAttempts(charged, true)) : undefined,
          charges: charged.length === 0 ? undefined : charged.map(recordedCharge),
          cacheDiscountUsd: charge?.cost.cacheDiscount,
          overrunUsd: overrun === undefined ? undefined : textOfUnits(overrun),
          mediaInPrompt: this.media?.images,
          audioInPrompt: this.media?.recordings,
          mediaInAnswer: end.images,
          externalUser: options.externalUser,
          sessionId: options.sessionId,
          presetId: this.presetId,
          referer: headerOf(request, 'http-referer') ?? headerOf(request, 'referer'),
          userAgent: headerOf(request, 'user-agent'),
        }),
        dataRegion: options.dataRegion,
        attempts: this.attempts,
        filters: this.findings.map(toAppliedFilter),
        ...(adjustments.length > 0 && { adjustments }),
      },
      content:
        this.input === undefined
          ? undefined
          : { input: this.input, output: end.output ?? NO_OUTPUT, error: end.error ?? null },
    };
  }
}

function sumOf(charges: readonly AttemptCharge[], tokensOf: (usage: TokenUsage) => number): number | null {
  return charges.length === 0 ? null : charges.reduce((sum, { usage }) => sum + tokensOf(usage), 0);
}

/** The part of the cost above what was reserved, in the smallest units; undefined if it is not above, or if nothing was reserved. */
function overrunOf(reserved: ReservedAmounts | undefined, charges: readonly AttemptCharge[]): bigint | undefined {
  if (reserved === undefined) return undefined;
  const [ofDeployment, ofOrganization] = [costOfAttempts(charges, false), costOfAttempts(charges, true)];
  const bound =
    ofDeployment === 0n
      ? reserved.byokAmount
      : largerOf(reserved.amount, ofOrganization === 0n ? 0n : reserved.byokAmount);
  const overrun = ofDeployment + ofOrganization - bound;
  return overrun > 0n ? overrun : undefined;
}

function toAppliedFilter({ filter, action, guardrailIds, count }: Finding): AppliedFilter {
  return { filter: nameOfFilter(filter), action, guardrailIds, count };
}

/** The longest header that a record keeps, in characters. */
const MAXIMUM_HEADER = 512;

function headerOf({ headers }: GatehouseRequest, name: string): string | undefined {
  const value = headers[name];
  // Node.js reads headers as Latin-1, in which NUL cannot occur.
  return typeof value === 'string' ? value.slice(0, MAXIMUM_HEADER) : undefined;
}

function milliseconds(duration: number): number {
  return Math.round(duration * 1000) / 1000;
}

function given<T extends object>(fields: T): { [Name in keyof T]?: Exclude<T[Name], null | undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined && value !== null)) as {
    [Name in keyof T]?: Exclude<T[Name], null | undefined>;
  };
}
