import { requireNoIssues } from '../../../http/errors/require-all.js';
import type { CatalogModel } from '../catalog-model.js';
import { UNKNOWN_MODEL } from '../catalog.errors.js';
import { toMessagesModel } from '../catalog.mapper.js';
import type { ListModelsQuery } from '../dto/list-models.dto.js';
import type { MessagesModelsPage } from '../dto/messages-model.dto.js';

/** As many as its clients expect of a page. */
const DEFAULT_LIMIT = 20;

/**
 * A page of a list of models in the Messages form, whose places are models: those behind one, or those in front of one.
 *
 * @throws BadRequestError for a place that is not in the list
 */
export function toMessagesModelsPage(
  models: readonly CatalogModel[],
  { after_id: after, before_id: before, offset = 0, limit = DEFAULT_LIMIT }: ListModelsQuery,
): MessagesModelsPage {
  const placeOf = (id: string): number => models.findIndex(({ row }) => row.id === id);
  const places = { after_id: after, before_id: before };
  requireNoIssues(
    Object.entries(places).flatMap(([path, id]) =>
      id === undefined || placeOf(id) >= 0 ? [] : [UNKNOWN_MODEL.at(path, id)],
    ),
  );
  const first = after === undefined ? offset : placeOf(after) + 1;
  const end = before === undefined ? models.length : placeOf(before);
  const between = models.slice(first, Math.max(first, end));
  // In front of a model are those next to it, so that a client can read the list backwards.
  const isBackwards = before !== undefined && after === undefined;
  const page = isBackwards ? between.slice(-limit) : between.slice(0, limit);
  return {
    data: page.map(({ row }) => toMessagesModel(row)),
    has_more: page.length < between.length,
    first_id: page[0]?.row.id ?? null,
    last_id: page.at(-1)?.row.id ?? null,
  };
}
