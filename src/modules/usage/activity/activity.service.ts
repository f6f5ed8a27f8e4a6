import { Injectable } from '@nestjs/common';
import { BadRequestError } from '../../../http/errors/bad-request-error.js';
import { TextAnswer } from '../../../http/text-answer.js';
import type { ManagementPrincipal } from '../../../auth/principal.js';
import { TOO_MANY_ROWS } from '../usage.errors.js';
import { type ActivitySearch, activitySearchOf } from './activity-search.js';
import { ACTIVITY_COLUMNS, toActivityItem } from './activity.mapper.js';
import { ActivityRepository } from './activity.repository.js';
import { CSV_TYPE, csvOf } from '../../../http/csv-table.js';
import type { ActivityQuery, ActivityResponse } from './dto/activity.dto.js';

/** The rows of one answer. */
const MAXIMUM_ROWS = 50_000;

/** What was used in the last 30 completed days (docs/interface/usage.md#activity). */
@Injectable()
export class ActivityService {
  constructor(private readonly repository: ActivityRepository) {}

  /**
   * The activity by day, model and endpoint.
   *
   * @throws BadRequestError for a date that is not available, and for more rows than an answer has
   */
  async list(caller: ManagementPrincipal, query: ActivityQuery): Promise<ActivityResponse> {
    const search = seenBy(caller, activitySearchOf(query, Date.now()));
    const byWorkspace = query.group_by === 'workspace';
    const rows = bounded(await this.repository.rows(caller.organizationId, search, byWorkspace, MAXIMUM_ROWS + 1));
    return { data: rows.map(toActivityItem) };
  }

  /**
   * Lists the activity as a table with exact amounts, in which workspaces and keys are told apart.
   *
   * @throws BadRequestError as {@link list} does
   */
  async table(caller: ManagementPrincipal, query: ActivityQuery): Promise<TextAnswer> {
    const search = seenBy(caller, activitySearchOf(query, Date.now()));
    const rows = bounded(await this.repository.rowsByKey(caller.organizationId, search, MAXIMUM_ROWS + 1));
    return new TextAnswer(await csvOf(ACTIVITY_COLUMNS, rows), CSV_TYPE, 'activity.csv');
  }
}

/** The id of no user. */
const NOBODY = '';

/** A search within what the caller sees: nothing of other people, where the caller reaches only what is their own. */
function seenBy({ onlyOwn, userId }: ManagementPrincipal, search: ActivitySearch): ActivitySearch {
  if (!onlyOwn) return search;
  return { ...search, userId: search.userId === null || search.userId === userId ? userId : NOBODY };
}

function bounded<Row>(rows: Row[]): Row[] {
  if (rows.length > MAXIMUM_ROWS) throw BadRequestError.of([TOO_MANY_ROWS.at('', MAXIMUM_ROWS)]);
  return rows;
}
