import { Body, Controller, Get, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Operation } from '../../../http/openapi/operation.decorator.js';
import { Authenticated, KeepsToOwn } from '../../../auth/authenticated.decorator.js';
import { CurrentPrincipal } from '../../../auth/current-principal.decorator.js';
import type { ManagementPrincipal } from '../../../auth/principal.js';
import { AnalyticsTimeout } from '../usage.errors.js';
import { AnalyticsService } from './analytics.service.js';
import { AnalyticsMetaResponse } from './dto/analytics-meta.dto.js';
import { AnalyticsQueryRequest, AnalyticsQueryResponse } from './dto/analytics-query.dto.js';

/** Queries over what was used. */
@Controller('analytics')
@ApiTags('Analytics')
@Authenticated(['management_key'], 'usage_read')
export class AnalyticsController {
  constructor(private readonly analytics: AnalyticsService) {}

  @Get('meta')
  @KeepsToOwn()
  @Operation({
    type: AnalyticsMetaResponse,
    summary: 'Get the metadata of analytics',
    description: 'Returns the metrics, dimensions, operators and granularities of queries.',
  })
  getAnalyticsMeta(): AnalyticsMetaResponse {
    return this.analytics.meta();
  }

  @Post('query')
  @KeepsToOwn()
  @Operation({
    type: AnalyticsQueryResponse,
    isSafe: true,
    summary: 'Query analytics',
    description:
      'Returns metrics of usage, over time and by up to three dimensions. They are read from running totals, which include every request as soon as it is answered; what filters did (`filter_matches`, `filtered_requests`), percentiles (`p50_latency`, `p95_latency`), reasons (`refusal`) and labels (`label`) are read from records. The answer is 408 if a query takes too long; ask for a shorter period or fewer dimensions.',
    errors: [AnalyticsTimeout],
  })
  queryAnalytics(
    @CurrentPrincipal() caller: ManagementPrincipal,
    @Body() query: AnalyticsQueryRequest,
  ): Promise<AnalyticsQueryResponse> {
    return this.analytics.query(caller, query);
  }
}
