import { Injectable } from '@nestjs/common';
import type { ManagementPrincipal } from '../../../auth/principal.js';
import { BadRequestError } from '../../../http/errors/bad-request-error.js';
import { CSV_TYPE, csvOf } from '../../../http/csv-table.js';
import { TextAnswer } from '../../../http/text-answer.js';
import { INVALID_CURSOR, TOO_MANY_GENERATIONS } from '../generations.errors.js';
import { cursorBehind, positionOf } from './generation-cursor.js';
import type { ListGenerationsQuery, ListGenerationsResponse } from './generation-list.dto.js';
import { TABLE_COLUMNS, type TableRow, toListedGeneration, toTableRow } from './generation-list.mapper.js';
import {
  GenerationListRepository,
  type GenerationPage,
  type GenerationSearch,
  type ListedGenerationRow,
  MAXIMUM_EXAMINED,
} from './generation-list.repository.js';

const DEFAULT_LIMIT = 50;

/** The most rows of a table, how many are read at a time, and how many pages are read for one. */
const MAXIMUM_ROWS = 10_000;
const ROWS_OF_PAGE = 1_000;
const PAGES_OF_TABLE = 40;

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
    const search = searchOf(caller, query);
    if (search === undefined) return { data: [], next_cursor: null, searched_to: null };
    const { items, last } = await this.repository.page(caller.organizationId, search, query.limit ?? DEFAULT_LIMIT);
    return {
      data: items.map(toListedGeneration),
      next_cursor: last === null ? null : cursorBehind(last.id),
      searched_to: last === null ? null : last.createdAt.toISOString(),
    };
  }

  /**
   * The records of the list as a table, whatever its limit is.
   *
   * @throws BadRequestError as {@link list} does, and for more records than a table has
   */
  async table(caller: ManagementPrincipal, query: ListGenerationsQuery): Promise<TextAnswer> {
    const rows: TableRow[] = [];
    let search = searchOf(caller, query);
    for (let page = 0; search !== undefined; page += 1) {
      const { items, last }: GenerationPage = await this.repository.page(caller.organizationId, search, ROWS_OF_PAGE);
      rows.push(...items.map(toTableRow));
      if (rows.length > MAXIMUM_ROWS || (last !== null && page === PAGES_OF_TABLE - 1)) {
        throw BadRequestError.of([TOO_MANY_GENERATIONS.at('', MAXIMUM_ROWS, PAGES_OF_TABLE * MAXIMUM_EXAMINED)]);
      }
      search = last === null ? undefined : { ...search, ...positionBehind(last) };
    }
    return new TextAnswer(await csvOf(TABLE_COLUMNS, rows), CSV_TYPE, 'requests.csv');
  }
}

/**
 * What a query looks for, within what its caller sees.
 *
 * @returns undefined where that is nothing: other people's records look as if there were none
 * @throws BadRequestError for a cursor that is none, and if `until` is before `since`
 */
export function searchOf(
  { onlyOwn, userId }: ManagementPrincipal,
  query: ListGenerationsQuery,
): GenerationSearch | undefined {
  const ownUserId = onlyOwn ? userId : undefined;
  const search = { ...periodOf(query), ...filtersOf({ ...query, user_id: ownUserId ?? query.user_id }) };
  return query.user_id !== undefined && query.user_id !== search.userId ? undefined : search;
}

type Period = Pick<GenerationSearch, 'since' | 'until' | 'fromId' | 'beforeId'>;

/** The times of a query, and the ids that belong to them. Records have the second of their request. */
export function periodOf({ since, until, cursor }: ListGenerationsQuery): Period {
  const first = secondOf(since, FIRST_SECOND);
  const end = secondOf(until, LAST_SECOND);
  if (since !== undefined && until !== undefined && Date.parse(until) < Date.parse(since)) {
    throw BadRequestError.of([{ path: 'until', message: 'must not be before since' }]);
  }
  const period = { since: dateOf(first), until: dateOf(end), fromId: firstIdOf(first), beforeId: firstIdOf(end) };
  if (cursor === undefined) return period;
  const position = positionOf(cursor);
  if (position === undefined) throw BadRequestError.of([INVALID_CURSOR.at('cursor')]);
  return position.createdAt.getTime() / 1000 + 1 > end ? period : { ...period, ...positionBehind(position) };
}

/** Where a list goes on behind a record. */
function positionBehind({ id, createdAt }: Pick<ListedGenerationRow, 'id' | 'createdAt'>): {
  readonly until: Date;
  readonly beforeId: string;
} {
  return { until: dateOf(createdAt.getTime() / 1000 + 1), beforeId: id };
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
    refusal: query.refusal ?? null,
    label: query.label === undefined ? null : labelOf(query.label),
    sessionId: query.session_id ?? null,
    limitId: query.limit_id ?? null,
    server: query.server ?? null,
    tool: query.tool ?? null,
    endedSince: null,
  };
}

/** The name and the value of a label; names have no `=`. */
function labelOf(text: string): readonly [name: string, value: string] {
  const place = text.indexOf('=');
  return [text.slice(0, place), text.slice(place + 1)];
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
