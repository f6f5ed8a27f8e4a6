import type { CatalogModel } from '../catalog-model.js';

/** Values of a model to filter and sort by; undefined if unknown. */
export type ModelValue = (model: CatalogModel) => number | undefined;

/** US dollars for a million prompt tokens. */
export const promptPrice: ModelValue = ({ row }) => millionTimes(row.pricing.prompt);

/** US dollars for a million completion tokens. */
export const completionPrice: ModelValue = ({ row }) => millionTimes(row.pricing.completion);

/** US dollars for a million tokens of each. */
export const price: ModelValue = (model) => {
  const [prompt, completion] = [promptPrice(model), completionPrice(model)];
  return prompt === undefined || completion === undefined ? undefined : prompt + completion;
};

/** Tokens of context. */
export const contextLength: ModelValue = ({ row }) => row.contextLength ?? undefined;

/** The intelligence index. */
export const intelligence: ModelValue = ({ row }) =>
  row.benchmarks?.artificial_analysis?.intelligence_index ?? undefined;

/** The coding index. */
export const coding: ModelValue = ({ row }) => row.benchmarks?.artificial_analysis?.coding_index ?? undefined;

/** The agentic index. */
export const agentic: ModelValue = ({ row }) => row.benchmarks?.artificial_analysis?.agentic_index ?? undefined;

/** The best rating in any arena. */
export const elo: ModelValue = ({ row }) => largest(row.benchmarks?.design_arena.map((result) => result.elo) ?? []);

/** The share of successful tool calls. */
export const toolSuccessRate: ModelValue = ({ row }) => row.traits?.tool_success_rate;

/** Tokens a second of the fastest endpoint. */
export const throughput: ModelValue = ({ endpoints }) =>
  largest(endpoints.flatMap(({ row }) => row.measurements.throughput_last_30m?.p50 ?? []));

/** Seconds to the first token of the quickest endpoint. */
export const latency: ModelValue = ({ endpoints }) => {
  const slowness = largest(endpoints.flatMap(({ row }) => -(row.measurements.latency_last_30m?.p50 ?? NaN)));
  return slowness === undefined ? undefined : -slowness;
};

/** Avoids binary rounding errors of decimal prices. A negative price means that it varies, and gives undefined. */
function millionTimes(decimal: string): number | undefined {
  const value = Number(decimal);
  return value < 0 ? undefined : Math.round(value * 1e12) / 1e6;
}

function largest(values: readonly number[]): number | undefined {
  const known = values.filter((value) => !Number.isNaN(value));
  return known.length === 0 ? undefined : Math.max(...known);
}
