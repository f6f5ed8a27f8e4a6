import { Controller, Get, Headers, Query, Req } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Authenticated, KeepsToOwn } from '../../../auth/authenticated.decorator.js';
import { CurrentPrincipal } from '../../../auth/current-principal.decorator.js';
import type { ManagementPrincipal } from '../../../auth/principal.js';
import { preferredMediaType } from '../../../http/accepted-media-type.js';
import type { EventAnswer } from '../../../http/event-answer.js';
import { Operation } from '../../../http/openapi/operation.decorator.js';
import type { GatehouseRequest } from '../../../http/request.js';
import type { TextAnswer } from '../../../http/text-answer.js';
import { TooManyConcurrentRequests } from '../../../http/errors/request.errors.js';
import { INVALID_CURSOR, TOO_MANY_GENERATIONS } from '../generations.errors.js';
import { ListGenerationsQuery, ListGenerationsResponse } from './generation-list.dto.js';
import { GenerationListService } from './generation-list.service.js';
import { LiveGenerationsService } from './live-generations.service.js';
import { LIVE_GENERATION_EVENT } from './live-schemas.js';

/** The forms of the list. */
const FORMS = ['application/json', 'text/csv', 'text/event-stream'] as const;

/** The list of the records of inference requests. */
@Controller('generations')
@ApiTags('Generations')
export class GenerationListController {
  constructor(
    private readonly generations: GenerationListService,
    private readonly live: LiveGenerationsService,
  ) {}

  @Get()
  @Authenticated(['management_key'], 'usage_read')
  @KeepsToOwn()
  @Operation({
    type: ListGenerationsResponse,
    alternative: 'text/csv',
    streamEvent: LIVE_GENERATION_EVENT,
    summary: 'List the records of inference requests',
    description:
      'Lists what requests used and cost, and how they were answered or refused, latest first. Pages go on behind `next_cursor`: a page looks at 5,000 records at most, so with filters it may have fewer than `limit` although there are more. With `Accept: text/csv` it is a table (RFC 4180) of all of them, at most 10,000, and with `Accept: text/event-stream` a stream of those that are written from then on; both take the same filters, and neither `cursor` nor `limit`.',
    errors: [INVALID_CURSOR, TOO_MANY_GENERATIONS, TooManyConcurrentRequests],
  })
  listGenerations(
    @CurrentPrincipal() caller: ManagementPrincipal,
    @Query() query: ListGenerationsQuery,
    @Headers('accept') accept: string | undefined,
    @Headers('last-event-id') lastEventId: string | undefined,
    @Req() request: GatehouseRequest,
  ): Promise<ListGenerationsResponse | TextAnswer | EventAnswer> {
    switch (preferredMediaType(accept, FORMS)) {
      case 'text/csv':
        return this.generations.table(caller, query);
      case 'text/event-stream':
        return Promise.resolve(this.live.listen(caller, query, request, lastEventId));
      default:
        return this.generations.list(caller, query);
    }
  }
}
