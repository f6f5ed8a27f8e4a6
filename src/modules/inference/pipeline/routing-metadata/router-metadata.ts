import type { Finding } from '../../../content/content-result.js';
import type { ProviderAttempt, RecordedJudgement } from '../../../generations/generation-details.js';
import type { RequestAdjustment } from '../../../codecs/chat/request-adjustments.js';
import type { CandidateEndpoint } from '../../../routing/endpoint-order.js';
import type { PipelineStage, RouterAttempt, RouterMetadata } from '../../dto/router-metadata.dto.js';
import { nameOfFilter } from '../request/filter-name.js';
import type { PluginId, PluginStage } from '../request/plugins.js';
import type { RequestedModel } from '../context/requested-models.js';

/** How a request was routed so far. */
export interface RoutedRequest {
  /** The model as the caller wrote it. */
  readonly requestedModel: string;
  readonly dataRegion: string;
  /** The models of the request; at least one. */
  readonly models: readonly RequestedModel[];
  /** The candidates in the order in which they are tried; an endpoint occurs once for each credential. */
  readonly candidates: readonly CandidateEndpoint[];
  readonly attempts: readonly ProviderAttempt[];
  readonly findings: readonly Finding[];
  readonly judgements: readonly RecordedJudgement[];
  readonly pluginStages: readonly PluginStage[];
  /** What was left out of the request or changed in it. */
  readonly adjustments: readonly RequestAdjustment[];
  /** Since the call of the provider that was asked last; undefined where none was asked. */
  readonly generationMs: number | undefined;
}

/** The words of the public interface. */
const STAGE_TYPES = {
  'context-compression': 'context_compression',
  'response-healing': 'response_healing',
} as const satisfies Readonly<Record<PluginId, string>>;

/** The status of an attempt to which a provider gave no answer. */
const NO_ANSWER = 502;

/**
 * How a request was routed (docs/interface/inference.md#routing-metadata).
 *
 * @param selected the endpoint that answered; undefined if none did
 */
export function routerMetadata(request: RoutedRequest, selected?: CandidateEndpoint): RouterMetadata {
  const { models, attempts } = request;
  const stages = [
    ...request.findings.map(toStage),
    ...request.judgements.map(toInspectorStage),
    ...request.pluginStages.map(toPluginStage),
  ];
  // One object per endpoint, even if several credentials reach it.
  const endpoints = [...new Map(request.candidates.map((candidate) => [candidate.endpoint, candidate])).values()];
  const routes = new Set(models.map(({ model }) => model));
  const available = endpoints.map(({ endpoint, model }) => ({
    provider: endpoint.provider.name,
    model: model.row.id,
    selected: endpoint === selected?.endpoint,
  }));
  return {
    requested: request.requestedModel || models[0]!.name,
    strategy: strategyOf(models),
    region: request.dataRegion,
    summary: `available=${available.length}, selected=${selected?.endpoint.provider.name ?? 'none'}`,
    attempt: attempts.length,
    is_byok: attempts.at(-1)?.isByok ?? false,
    endpoints: { total: [...routes].reduce((sum, model) => sum + model.endpoints.length, 0), available },
    ...(attempts.length > 0 && { attempts: attempts.map(toAttempt) }),
    ...(request.generationMs !== undefined && { generation_time: Math.round(request.generationMs) }),
    ...(stages.length > 0 && { pipeline: stages }),
    ...(request.adjustments.length > 0 && { adjustments: request.adjustments }),
  };
}

function strategyOf(models: readonly RequestedModel[]): RouterMetadata['strategy'] {
  if (models.length > 1) return 'fallback';
  const { name, model } = models[0]!;
  const base = name.toLowerCase().split(':', 1)[0]!;
  const own = [model.row.id, model.row.canonicalSlug].map((known) => known.toLowerCase().split(':', 1)[0]!);
  if (own.includes(base)) return 'direct';
  return base.endsWith('-latest') ? 'latest' : 'alias';
}

function toAttempt({ providerName, model, status }: ProviderAttempt): RouterAttempt {
  return { provider: providerName, model, status: status ?? NO_ANSWER };
}

function toPluginStage({ id, summary, data }: PluginStage): PipelineStage {
  return { type: STAGE_TYPES[id], name: id, summary, data };
}

function toInspectorStage({ id, name, place, outcome, count }: RecordedJudgement): PipelineStage {
  return {
    type: 'guardrail',
    name: 'content-filter',
    summary: `${name}: ${outcome}${PLACES[place]}`,
    data: { inspector_id: id, inspector: name, place, outcome, count },
  };
}

/** Where something was found, in words. */
const PLACES = {
  request: '',
  tool_result: ' in results of tools',
  response: ' in the answer',
  tool_call: ' in tool calls',
} as const;

/** The names of guardrails, filters and patterns; never what was found. */
function toStage({ filter, action, count, guardrailIds, patterns, place }: Finding): PipelineStage {
  const name = nameOfFilter(filter);
  const isInjection = name === 'regex-prompt-injection';
  const [guardrailId] = guardrailIds;
  return {
    type: 'guardrail',
    name: isInjection ? 'regex_pi_detection' : 'content-filter',
    ...(guardrailId !== undefined && { guardrail_id: guardrailId }),
    summary: `${name}: ${action}, ${count} ${count === 1 ? 'match' : 'matches'}${PLACES[place ?? 'request']}`,
    data: isInjection
      ? { action, detected: true, engines: ['regex'], patterns }
      : { filter: name, action, count, guardrail_ids: guardrailIds, ...(place !== undefined && { place }) },
  };
}
