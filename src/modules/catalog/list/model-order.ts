import type { CatalogModel } from '../catalog-model.js';
import type { ModelOrder } from '../model-vocabulary.js';
import {
  agentic,
  coding,
  contextLength,
  elo,
  intelligence,
  latency,
  type ModelValue,
  price,
  throughput,
} from './model-values.js';

interface Order {
  readonly by: ModelValue;
  readonly largestFirst: boolean;
}

const largestFirst = (by: ModelValue): Order => ({ by, largestFirst: true });

const smallestFirst = (by: ModelValue): Order => ({ by, largestFirst: false });

/** The catalog has no data about how often a model is used. */
const popularity: ModelValue = () => undefined;

const ORDERS: Readonly<Record<ModelOrder, Order>> = {
  newest: largestFirst(({ row }) => row.created),
  'most-popular': largestFirst(popularity),
  'top-weekly': largestFirst(popularity),
  'pricing-low-to-high': smallestFirst(price),
  'pricing-high-to-low': largestFirst(price),
  'context-high-to-low': largestFirst(contextLength),
  'throughput-high-to-low': largestFirst(throughput),
  'latency-low-to-high': smallestFirst(latency),
  'intelligence-high-to-low': largestFirst(intelligence),
  'coding-high-to-low': largestFirst(coding),
  'agentic-high-to-low': largestFirst(agentic),
  'design-arena-elo-high-to-low': largestFirst(elo),
};

/** Sorts models. Models without the value come last; equal ones keep their order. */
export function sortedModels(models: readonly CatalogModel[], order: ModelOrder): CatalogModel[] {
  const { by, largestFirst: isDescending } = ORDERS[order];
  const keyed = models.map((model) => ({ model, value: by(model) }));
  const sign = isDescending ? -1 : 1;
  return keyed
    .toSorted((one, other) => {
      if (one.value === undefined || other.value === undefined) {
        return Number(one.value === undefined) - Number(other.value === undefined);
      }
      return sign * (one.value - other.value);
    })
    .map(({ model }) => model);
}
