import { Injectable } from '@nestjs/common';
import type { ManagementPrincipal } from '../../../auth/principal.js';
import { BadRequestError } from '../../../http/errors/bad-request-error.js';
import { INVALID_CURSOR } from '../generations.errors.js';
import { cursorBehind, positionOf } from './generation-cursor.js';
import type { ListGenerationsQuery, ListGenerationsResponse } from './generation-list.dto.js';
import { toListedGeneration } from './generation-list.mapper.js';
import { GenerationListRepository, type GenerationSearch } from './generation-list.repository.js';

const DEFAULT_LIMIT = 50;

/** Seconds of ids have ten digits from 2001 to 2286. */
const FIRST_SECOND = 1_000_000_000;
const LAST_SECOND = 9_999_999_999;

/** Lists of the records of inference requests. */
@Injectable()
export class GenerationListService {
  constructor(private readonly repository: GenerationListRepository) {}

  /**
   * A page of the records of the organization, latest first (docs/interface/generations.md#list); of the caller's own where it reaches no
   * others.
   *
   * @throws BadRequestError for a cursor that is none, and if `until` is before `since`
   */
  async list(caller: ManagementPrincipal, query: ListGenerationsQuery): Promise<ListGenerationsResponse> {
    const period = periodOf(query);
    const ownUserId = caller.onlyOwn ? caller.userId : undefined;
    const search = { ...period, ...filtersOf({ ...query, user_id: ownUserId ?? query.user_id }) };
    // Other people's records look as if there were none.
    if (query.user_id !== undefined && query.user_id !== search.userId)
      return { data: [], next_cursor: null, searched_to: null };
    const { items, last } = await this.repository.page(caller.organizationId, search, query.limit ?? DEFAULT_LIMIT);
    return {
      data: items.map(toListedGeneration),
      next_cursor: last === null ? null : cursorBehind(last.id),
      searched_to: last === null ? null : last.createdAt.toISOString(),
    };
  }
}

type Period = Pick<GenerationSearch, 'since' | 'until' | 'fromId' | 'beforeId'>;

/** The times of a query, and the ids that belong to them. Records have the second of their request. */
function periodOf({ since, until, cursor }: ListGenerationsQuery): Period {
  const first = secondOf(since, FIRST_SECOND);
  const end = secondOf(until, LAST_SECOND);
  if (since !== undefined && until !== undefined && Date.parse(until) < Date.parse(since)) {
    throw BadRequestError.of([{ path: 'until', message: 'must not be before since' }]);
  }
  const period = { since: dateOf(first), until: dateOf(end), fromId: firstIdOf(first), beforeId: firstIdOf(end) };
  if (cursor === undefined) return period;
  const position = positionOf(cursor);
  if (position === undefined) throw BadRequestError.of([INVALID_CURSOR.at('cursor')]);
  const { id, createdAt } = position;
  const behind = createdAt.getTime() / 1000 + 1;
  return behind > end ? period : { ...period, until: dateOf(behind), beforeId: id };
}

function filtersOf(query: ListGenerationsQuery): Omit<GenerationSearch, keyof Period> {
  return {
    workspaceId: query.workspace_id ?? null,
    keyHash: query.key_hash === undefined ? null : Buffer.from(query.key_hash, 'hex'),
    userId: query.user_id ?? null,
    model: query.model ?? null,
    provider: query.provider ?? null,
    status: query.status ?? null,
    refused: query.refused ?? null,
  };
}

/** The first whole second from a time on, within those that ids can have. */
function secondOf(time: string | undefined, missing: number): number {
  if (time === undefined) return missing;
  return Math.min(Math.max(Math.ceil(Date.parse(time) / 1000), FIRST_SECOND), LAST_SECOND);
}

function dateOf(second: number): Date {
  return new Date(second * 1000);
}

/** What is before every id of a second, and behind those of the second before. */
function firstIdOf(second: number): string {
  return `gen-${second}-`;
}
