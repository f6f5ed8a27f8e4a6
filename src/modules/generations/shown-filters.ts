import type { AnswerFiltering, GuardrailAction, InspectorAction, ProviderFilterResult } from './dto/generation.dto.js';
import type { GenerationDetails } from './generation-details.js';

/** What content filters and inspectors did with a request and its answer, as the interface shows it (docs/interface/generations.md#fields). */
interface ShownFilters {
  readonly guardrail_actions: readonly GuardrailAction[];
  readonly inspector_actions?: readonly InspectorAction[];
  readonly answer_filtering?: AnswerFiltering;
  readonly provider_filters?: readonly ProviderFilterResult[];
}

/** What the record of a request says of content filters. It never holds what they found. */
export function shownFiltersOf({
  filters,
  judgements,
  answerFiltering,
  providerFilters,
}: GenerationDetails): ShownFilters {
  return {
    guardrail_actions: filters.map(({ filter, action, guardrailIds, count, place }) => ({
      filter,
      action,
      guardrail_ids: guardrailIds,
      count,
      ...(place !== undefined && { place }),
    })),
    ...(judgements !== undefined && {
      inspector_actions: judgements.map(({ id, costUsd, ...judgement }) => ({
        inspector_id: id,
        ...judgement,
        ...(costUsd !== undefined && { cost: Number(costUsd) }),
      })),
    }),
    ...(answerFiltering !== undefined && {
      answer_filtering: {
        held_characters: answerFiltering.heldCharacters,
        milliseconds: answerFiltering.milliseconds,
      },
    }),
    ...(providerFilters !== undefined && { provider_filters: providerFilters }),
  };
}
