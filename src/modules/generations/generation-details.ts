import type { Labels } from '../labels/labels.js';
import type { RecordedType } from '../../telemetry/operations.js';
import type { RefusingCounter } from '../limits/limits.errors.js';
import type { RefusingLimit } from '../spend/spend.errors.js';
import type { FeedbackCategory } from './feedback/generation-feedback.dto.js';

/** A request to a provider on behalf of a generation. */
export interface ProviderAttempt {
  readonly provider: string;
  readonly providerName: string;
  readonly model: string;
  /** The permanent slug of the model, which no other model ever gets; absent in older records. */
  readonly canonicalSlug?: string;
  /** The tag of the endpoint. */
  readonly endpoint: string;
  /** The status of the provider's answer; null when there was none. */
  readonly status: number | null;
  readonly isByok: boolean;
  /** Milliseconds from the start of the request to that of the attempt; absent in older records. */
  readonly startedMs?: number;
  /** Milliseconds until the first token or the failure. */
  readonly latencyMs: number;
  /** What was said of the failure, without credentials; absent for an answer, where the request was at fault, and in older records. */
  readonly error?: string;
}

/** What the filters of an answer took (docs/interface/generations.md#fields). */
export interface AnswerFilteringReport {
  /** The most that was held of the answer at a time, in UTF-16 code units. */
  readonly heldCharacters: number;
  /** How long the filters took, all together. */
  readonly milliseconds: number;
}

/** Where inspectors judge texts, and what becomes of these. */
export const JUDGED_PLACES = ['request', 'response', 'tool_call', 'tool_result'] as const;
export const JUDGED_OUTCOMES = ['passed', 'blocked', 'changed', 'failed'] as const;

/** What an inspector said of texts of one place, all together (docs/interface/generations.md#fields). */
export interface RecordedJudgement {
  readonly id: string;
  readonly name: string;
  readonly place: (typeof JUDGED_PLACES)[number];
  readonly outcome: (typeof JUDGED_OUTCOMES)[number];
  /** Whether its verdict changes nothing; absent for one that enforces. */
  readonly observed?: true;
  /** How often it was asked. */
  readonly count: number;
  readonly milliseconds: number;
  /** US dollars that a judge model cost; absent for nothing. */
  readonly costUsd?: string;
}

/** What a filter found in a request or its answer, and did. It never holds what was found. */
export interface AppliedFilter {
  /** The slug of a builtin filter, or the label of a custom one. */
  readonly filter: string;
  readonly action: 'block' | 'redact' | 'flag';
  readonly guardrailIds: readonly string[];
  readonly count: number;
  /** Where in the answer; absent for the request. */
  readonly place?: 'response' | 'tool_call';
}

/** What a provider's own filter said of a request or its answer (docs/interface/providers.md#filters-of-providers). */
export interface RecordedProviderFilter {
  readonly source: 'prompt' | 'answer';
  readonly category: string;
  readonly filtered: boolean;
  readonly severity?: string;
  readonly detected?: boolean;
}

/** What a guardrail that only observes would have done: refused the request, taken an endpoint out, or taken something out of the request. */
export const OBSERVED_OUTCOMES = ['refused', 'excluded', 'redacted'] as const;

/** The rule of an observing guardrail, as the policy of a request names it, or the part of the guardrail that has it. */
export const OBSERVED_REASONS = [
  'model',
  'provider',
  'zero_data_retention',
  'publication',
  'training',
  'data_region',
  'content',
  'budget',
  'limit',
  'tool',
] as const;

/** What a guardrail that only observes would have done to a request (docs/interface/guardrails.md#observing). */
export interface ObservedGuardrail {
  readonly kind: 'guardrail';
  readonly id: string;
  readonly name: string;
  readonly outcome: (typeof OBSERVED_OUTCOMES)[number];
  readonly reason: (typeof OBSERVED_REASONS)[number];
}

/** What a limit by condition and group that only observes would have done to a request (docs/interface/limits.md#fields). */
export interface ObservedLimit extends Omit<RefusingCounter, 'subject'> {
  readonly kind: 'limit';
  readonly outcome: 'refused';
  readonly reason: 'limit';
}

/** What a rule that only observes would have done to a request. */
export type Observation = ObservedGuardrail | ObservedLimit;

/** What a provider got in another form than the client had sent, or not at all. */
export interface RecordedAdjustment {
  /** Names and positions joined by dots. */
  readonly path: string;
  readonly action: 'left_out' | 'changed';
  /** A stable word in snake_case. */
  readonly reason: string;
}

/** What one attempt was charged: enough to calculate its cost again. */
export interface UsageCharge {
  readonly model: string;
  /** The tag of the endpoint. */
  readonly endpoint: string;
  readonly isByok: boolean;
  /** US dollars. */
  readonly costUsd: string;
  /** The prices in force, and the discount, by their names in the catalog. */
  readonly prices: Readonly<Record<string, string | number>>;
  /** Tokens and images by their kinds; absent is zero. */
  readonly usage: Readonly<Partial<Record<ChargedKind, number>>>;
  /** The inspector whose judge model was asked, perhaps several times; absent for an attempt. */
  readonly inspectorId?: string;
  /** The tokens of the longest of several prompts, by which the prices in force were chosen; absent for an attempt. */
  readonly longestPromptTokens?: number;
  /** Set where tokens were estimated, because the provider has not counted them. */
  readonly isEstimated?: true;
  /** Set where the provider has counted more than there can be, and less was charged. */
  readonly isCapped?: true;
}

/** What is charged. Tokens of the prompt contain those that were cached or written to the cache, those of the answer its reasoning. */
export type ChargedKind =
  | 'promptTokens'
  | 'completionTokens'
  | 'cachedTokens'
  | 'cacheWriteTokens'
  | 'cacheWriteForAnHourTokens'
  | 'promptAudioTokens'
  | 'promptImageTokens'
  | 'reasoningTokens'
  | 'completionAudioTokens'
  | 'completionImageTokens'
  | 'promptImages'
  | 'completionImages'
  | 'searchUnits'
  | 'audioSeconds'
  | 'inputCharacters';

/** Why endpoints of the models that a request asked for were excluded, when none was left (docs/interface/generations.md#fields). */
export interface RecordedExclusion {
  /** One of docs/interface/inference.md#excluded-endpoints. */
  readonly reason: string;
  /** The same in words. */
  readonly detail: string;
  /** How many endpoints. */
  readonly endpoints: number;
  /** The guardrails that have rules of this kind; empty where no guardrail excludes one. */
  readonly guardrailIds: readonly string[];
}

/** What was asked of an MCP server (docs/interface/mcp.md#records). */
export interface RecordedMcpRequest {
  /** The method of the protocol, such as `tools/call`. */
  readonly method: string;
  /** The name of the server. */
  readonly server: string;
  /** Absent in older records. */
  readonly serverId?: string;
  /** The name of the tool at its server; absent for another method. */
  readonly tool?: string;
  /** The revision of the protocol that the client has. */
  readonly protocolVersion: string;
  /** The sizes of the arguments as they were sent and of the result as it came, in bytes of JSON; absent where there was none. */
  readonly requestBytes?: number;
  readonly resultBytes?: number;
  /** Set where the tool says that it has failed. */
  readonly isError?: true;
}

/** What someone has said of a generation. */
export interface RecordedFeedback {
  readonly comment: string | null;
  /** When, as PostgreSQL writes it in JSON. */
  readonly createdAt: string;
}

/** The parts of a record that nothing is searched or summed up by. Absent is null. */
export interface GenerationDetails {
  readonly requestId: string;
  readonly requestedModel: string;
  /** The tag of the endpoint whose answer was cached, or which may have been asked when a process died; absent where attempts say it. */
  readonly endpoint?: string;
  readonly apiType: RecordedType;
  readonly streamed: boolean;
  readonly cancelled: boolean;
  /** The reason of the refusal; absent for an answer. */
  readonly refusal?: string;
  /** The limit that refused it; absent where none did, and in older records. */
  readonly limitedBy?: RefusingLimit;
  /** The guardrails whose rules refused it, where neither a filter nor an excluded endpoint says so; absent where none did, and in older records. */
  readonly refusingGuardrailIds?: readonly string[];
  /** Absent where endpoints were left, and in older records. */
  readonly exclusions?: readonly RecordedExclusion[];
  readonly upstreamId?: string;
  /** The id of the generation whose answer was used; absent where a provider answered. */
  readonly cacheSourceId?: string;
  /** Milliseconds until the first token. */
  readonly latencyMs?: number;
  /** Milliseconds from the dispatch to the end. */
  readonly generationMs?: number;
  readonly finishReason?: string;
  readonly nativeFinishReason?: string;
  readonly serviceTier?: string;
  readonly cachedTokens?: number;
  readonly reasoningTokens?: number;
  readonly imageTokens?: number;
  /** US dollars that the organization's own provider key is charged. */
  readonly upstreamCostUsd?: string;
  /** US dollars that cached tokens saved, below zero where writing to the cache cost more. */
  readonly cacheDiscountUsd?: string;
  /** What each attempt was charged, those that were given up first, and then what judge models were; absent where nothing was, and in older records. */
  readonly charges?: readonly UsageCharge[];
  /** US dollars of the cost that were used through the organization's own provider keys, where others were used too. */
  readonly byokCostUsd?: string;
  /** US dollars by which the cost is above what was reserved for it. */
  readonly overrunUsd?: string;
  readonly mediaInPrompt?: number;
  readonly audioInPrompt?: number;
  /** Images of the answer. */
  readonly mediaInAnswer?: number;
  readonly externalUser?: string;
  readonly sessionId?: string;
  /** Absent for none, and in older records. */
  readonly labels?: Labels;
  readonly presetId?: string;
  readonly referer?: string;
  readonly userAgent?: string;
  /** The session of the console that it was sent in, without the secret of its key; absent for others, and in older records. */
  readonly consoleSessionId?: string;
  readonly dataRegion: 'global' | 'europe' | 'us';
  readonly attempts: readonly ProviderAttempt[];
  readonly filters: readonly AppliedFilter[];
  /** What inspectors said; absent where none was asked. */
  readonly judgements?: readonly RecordedJudgement[];
  /** Absent where no filter applied to the answer. */
  readonly answerFiltering?: AnswerFilteringReport;
  /** What the filters of providers have said; absent where nothing, and in older records. */
  readonly providerFilters?: readonly RecordedProviderFilter[];
  /** What rules that only observe would have done; absent where nothing, and in older records. */
  readonly observed?: readonly Observation[];
  /** Absent for what a model was asked. */
  readonly mcp?: RecordedMcpRequest;
  /** Absent where there is none, and in older records. */
  readonly adjustments?: readonly RecordedAdjustment[];
  /** By category; added later, and absent before. */
  readonly feedback?: Readonly<Partial<Record<FeedbackCategory, RecordedFeedback>>>;
}
