import { Controller, Get, Headers, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { preferredMediaType } from '../../../http/accepted-media-type.js';
import { Operation } from '../../../http/openapi/operation.decorator.js';
import type { TextAnswer } from '../../../http/text-answer.js';
import { Authenticated, KeepsToOwn } from '../../../auth/authenticated.decorator.js';
import { CurrentPrincipal } from '../../../auth/current-principal.decorator.js';
import type { ManagementPrincipal } from '../../../auth/principal.js';
import { DATE_NOT_AVAILABLE } from '../usage.errors.js';
import { ActivityService } from './activity.service.js';
import { ActivityQuery, ActivityResponse } from './dto/activity.dto.js';

/** What was used, by day. */
@Controller('activity')
@ApiTags('Analytics')
export class ActivityController {
  constructor(private readonly activity: ActivityService) {}

  @Get()
  @Authenticated(['management_key'], 'usage_read')
  @KeepsToOwn()
  @Operation({
    type: ActivityResponse,
    alternative: 'text/csv',
    summary: 'Get activity',
    description:
      'Returns the usage on each of the last 30 completed days (UTC), by model and endpoint. With `Accept: text/csv` it is a table (RFC 4180) with one row for each workspace and key, with their names and exact amounts, for internal billing. A text that a spreadsheet would run as a formula begins with an apostrophe.',
    errors: [DATE_NOT_AVAILABLE],
  })
  getUserActivity(
    @CurrentPrincipal() caller: ManagementPrincipal,
    @Query() query: ActivityQuery,
    @Headers('accept') accept: string | undefined,
  ): Promise<ActivityResponse | TextAnswer> {
    const type = preferredMediaType(accept, ['application/json', 'text/csv']);
    return type === 'text/csv' ? this.activity.table(caller, query) : this.activity.list(caller, query);
  }
}
