import { Column } from 'typeorm';

/** What is counted of requests, in totals and in what is not in them yet. */
export abstract class UsageMeasures {
  /** Requests that were answered. */
  @Column({ name: 'request_count', type: 'numeric' })
  requestCount: string;

  /** Requests that were refused, or failed before they were answered. */
  @Column({ name: 'refused_count', type: 'numeric' })
  refusedCount: string;

  /** The answered requests that went through a provider key of the organization. */
  @Column({ name: 'byok_request_count', type: 'numeric' })
  byokRequestCount: string;

  /** Requests, also refused ones, in which a content filter found something. */
  @Column({ name: 'filtered_request_count', type: 'numeric' })
  filteredRequestCount: string;

  @Column({ name: 'prompt_tokens', type: 'numeric' })
  promptTokens: string;

  @Column({ name: 'completion_tokens', type: 'numeric' })
  completionTokens: string;

  @Column({ name: 'reasoning_tokens', type: 'numeric' })
  reasoningTokens: string;

  /** Prompt tokens that the provider had cached. */
  @Column({ name: 'cached_tokens', type: 'numeric' })
  cachedTokens: string;

  /** US dollars, through the gateway's own provider keys. */
  @Column({ name: 'usage_usd', type: 'numeric' })
  usageUsd: string;

  /** US dollars at list price, through the organization's own provider keys. */
  @Column({ name: 'byok_usage_usd', type: 'numeric' })
  byokUsageUsd: string;

  /** Milliseconds until the first token, of all {@link timedRequestCount}. */
  @Column({ name: 'latency_ms', type: 'numeric' })
  latencyMs: string;

  /** Answered requests with a first token. */
  @Column({ name: 'timed_request_count', type: 'numeric' })
  timedRequestCount: string;

  /** Milliseconds that answers took which have completion tokens. */
  @Column({ name: 'generation_ms', type: 'numeric' })
  generationMs: string;

  /** The completion tokens of answers whose time is known. */
  @Column({ name: 'generated_tokens', type: 'numeric' })
  generatedTokens: string;

  /** Answered calls of tools that say of themselves that they have failed. */
  @Column({ name: 'tool_error_count', type: 'numeric', default: 0 })
  toolErrorCount: string;
}
