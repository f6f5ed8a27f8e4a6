import type { Labels } from '../../labels/labels.js';
import type { DataRegion } from '../../../config/data-region.js';
import type { OperationName } from '../../../telemetry/operations.js';

/** The operation of a call of a tool of an MCP server, by OpenTelemetry's conventions for generative AI. */
export const TOOL_OPERATION = 'execute_tool';

/** A call of a tool of an MCP server. */
export interface EventToolRequest {
  /** The method of the protocol. */
  readonly method: string;
  /** The names of the server and of the tool. */
  readonly server: string;
  readonly tool: string;
  /** The revision of the protocol that the client has. */
  readonly protocolVersion: string;
  /** Whether the tool says that it has failed. */
  readonly isError: boolean;
}

/** One request to a provider on behalf of a generation. */
export interface EventAttempt {
  readonly providerName: string;
  readonly providerSlug: string;
  /** The permanent slug of the model. */
  readonly model: string;
  /** The tag of the endpoint. */
  readonly endpoint: string;
  /** The status of the provider's answer; null when there was none. */
  readonly status: number | null;
  readonly isByok: boolean;
  /** When it was begun, in milliseconds of Unix time with fractions. */
  readonly startedAt: number;
  /** Milliseconds until the first token or the failure. */
  readonly latencyMs: number;
}

/** Tokens of a generation; null where neither is known. */
export interface EventUsage {
  /** With those that were cached or written to the cache. */
  readonly promptTokens: number | null;
  /** With those of the reasoning. */
  readonly completionTokens: number | null;
  readonly cachedTokens: number | null;
  readonly cacheWriteTokens: number | null;
  readonly reasoningTokens: number | null;
  readonly imagesInPrompt: number | null;
  readonly recordingsInPrompt: number | null;
  readonly imagesInAnswer: number | null;
}

/** Costs of a generation in US dollars, as decimal text so that nothing is rounded; null where nothing answered. */
export interface EventCost {
  /** What the organization is charged, with attempts that were given up. */
  readonly total: string;
  readonly input: string | null;
  readonly output: string | null;
  /** What the organization's own provider key is charged. */
  readonly upstream: string | null;
  /** What cached tokens saved, below zero where writing to the cache cost more. */
  readonly cacheDiscount: string | null;
  /** US dollars a token. */
  readonly inputUnitPrice: string | null;
  readonly outputUnitPrice: string | null;
}

/** A tool call of an answer. */
export interface EventToolCall {
  readonly id: string;
  readonly name: string;
  /** JSON as the model wrote it, which need not be valid. */
  readonly arguments: string;
}

/** What was sent to the provider, without what was redacted, and what came back as far as it was delivered. */
export interface EventContent {
  /** Chat messages in the OpenAI form, or the text of an operation without messages. */
  readonly input: { readonly messages: readonly unknown[] } | { readonly prompt: string };
  readonly output: {
    /** The text, or that of a refusal. */
    readonly completion: string | null;
    readonly reasoning: string | null;
    readonly toolCalls: readonly EventToolCall[];
  };
  /** Definitions of tools as the request has them; absent without any. */
  readonly tools?: readonly unknown[];
}

/** Why a generation has no complete answer. */
export interface EventError {
  readonly status: number;
  /** A stable word: the reason of the refusal, or `provider_error`. */
  readonly type: string;
  /** As the caller was told it. It may quote content. */
  readonly message: string;
}

/** What content filters did with a request and its answer, as its record says it (docs/interface/generations.md#fields). */
export interface EventFilters {
  readonly guardrail_actions: readonly object[];
  readonly answer_filtering?: object;
  readonly provider_filters?: readonly object[];
}

/**
 * A generation as destinations are told it (docs/interface/destinations.md#what-is-sent). It is written to the outbox when the generation
 * is recorded. Everything that is sent is a function of it alone, so that a repeated delivery is the same.
 */
export interface GenerationEvent {
  readonly id: string;
  readonly organizationId: string;
  readonly workspaceId: string;
  readonly requestId: string;
  readonly operation: OperationName | 'text_completion' | typeof TOOL_OPERATION;
  /** The path of the operation, such as `/api/v1/messages`. */
  readonly apiPath: string;
  /** Milliseconds of Unix time with fractions. */
  readonly startedAt: number;
  readonly endedAt: number;
  /** Milliseconds from the start to the first token; null without one. */
  readonly firstTokenMs: number | null;
  readonly model: {
    /** As the caller wrote it. */
    readonly requested: string;
    /** The id of the model that answered, or that was asked for. */
    readonly id: string;
    readonly canonicalSlug: string;
    /** The author's slug, such as `openai`. */
    readonly author: string;
  };
  /** Absent but for {@link TOOL_OPERATION}, of which the model is the tool, and the provider its server. */
  readonly tool?: EventToolRequest;
  /** The provider that was asked last. */
  readonly provider: { readonly name: string; readonly slug: string };
  readonly attempts: readonly EventAttempt[];
  readonly status: number;
  readonly error: EventError | null;
  /** Whether the client left before the end. */
  readonly isCancelled: boolean;
  readonly isStreamed: boolean;
  readonly isByok: boolean;
  readonly finishReason: string | null;
  /** The finish reasons of all choices, in their order; absent where there are not several. */
  readonly finishReasons?: readonly string[];
  readonly nativeFinishReason: string | null;
  readonly usage: EventUsage;
  readonly cost: EventCost;
  readonly key: { readonly id: string; readonly hash: string; readonly name: string };
  /** The id of the member who has made the key. */
  readonly creatorUserId: string;
  /** The `user` of the request. */
  readonly externalUser: string | null;
  readonly sessionId: string | null;
  /** Absent for none. */
  readonly labels?: Labels;
  /** The `trace` object of the request. */
  readonly trace: Readonly<Record<string, unknown>>;
  /** The `metadata` of the request. */
  readonly metadata: Readonly<Record<string, unknown>>;
  /** Sampling and similar parameters by the names of the OpenAI chat interface. */
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly app: { readonly title: string | null; readonly referer: string | null };
  readonly userAgent: string | null;
  readonly presetId: string | null;
  readonly serviceTier: string | null;
  readonly dataRegion: DataRegion;
  /** What rules that only observe would have done; absent where nothing. */
  readonly observed?: readonly object[];
  /** What content filters did, which is never what they found; absent in events of older releases. */
  readonly filters?: EventFilters;
  /** Whether it is the one that a test of a destination sends. */
  readonly isTest?: true;
  /** Null where no destination of the generation gets content. */
  readonly content: EventContent | null;
}

/** Which groups of additional fields a destination gets (docs/interface/destination-types.md#additional-fields). */
export interface AdditionalFields {
  readonly cost: boolean;
  readonly identity: boolean;
  readonly requestContext: boolean;
}

/** A generation on its way to one destination: without content where the destination is private. */
export interface OutgoingGeneration {
  readonly event: GenerationEvent;
  readonly additional: AdditionalFields;
}

/** What most receivers tell apart: calls of models, embeddings, and calls of tools. */
export function kindOf({ operation }: GenerationEvent): 'llm' | 'embedding' | 'tool' {
  if (operation === TOOL_OPERATION) return 'tool';
  return operation === 'embeddings' ? 'embedding' : 'llm';
}

/** Tokens of the prompt and the answer together; null where they were not counted. */
export function totalTokensOf({ usage }: GenerationEvent): number | null {
  if (usage.promptTokens === null && usage.completionTokens === null) return null;
  return (usage.promptTokens ?? 0) + (usage.completionTokens ?? 0);
}

/** The counts that are known. */
export function knownCounts(counts: Readonly<Record<string, number | null>>): Record<string, number> {
  return Object.fromEntries(Object.entries(counts).filter((entry): entry is [string, number] => entry[1] !== null));
}
