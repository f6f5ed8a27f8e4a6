import { Body, Controller, Delete, Get, Param, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Authenticated } from '../../auth/authenticated.decorator.js';
import { CurrentPrincipal } from '../../auth/current-principal.decorator.js';
import type { ManagementPrincipal } from '../../auth/principal.js';
import { PermissionMissing } from '../../http/errors/request.errors.js';
import { Operation } from '../../http/openapi/operation.decorator.js';
import { PageQuery } from '../../http/pagination/pagination.js';
import { GuardrailNotFound, TooManyPatternChecks } from '../guardrails/guardrails.errors.js';
import { LimitNotFound } from '../limits/limits.errors.js';
import {
  CancelReplayResponse,
  GetReplayResponse,
  ListReplaysResponse,
  ReplayedGuardrailPath,
  ReplayGuardrailRequest,
  ReplayedLimitPath,
  ReplayGuardrailResponse,
  ReplayLimitRequest,
  ReplayLimitResponse,
  ReplayPath,
} from './dto/replay.dto.js';
import { ConcurrentLimitNotReplayable, ReplayNotFound, ReplayRunning } from './replays.errors.js';
import { ReplaysService } from './replays.service.js';

/** Replaying guardrails. */
@Controller('guardrails')
@ApiTags('Guardrails')
export class ReplayGuardrailController {
  constructor(private readonly replays: ReplaysService) {}

  @Post(':id/replay')
  @Authenticated(['management_key'], 'guardrails_read')
  @Operation({
    status: 202,
    type: ReplayGuardrailResponse,
    summary: 'Replay a guardrail',
    description:
      'Begins a job that reads recorded requests and says which of them the guardrail would have refused, by which rule, of which keys, and what they cost. With `draft`, as if these changes of it were saved. Nothing is refused or charged. An organization has one job at a time.',
    errors: [GuardrailNotFound, PermissionMissing, ReplayRunning, TooManyPatternChecks],
  })
  replayGuardrail(
    @CurrentPrincipal() caller: ManagementPrincipal,
    @Param() { id }: ReplayedGuardrailPath,
    @Body() body: ReplayGuardrailRequest,
  ) {
    return this.replays.begin(caller, id, body);
  }
}

/** Replaying limits. */
@Controller('limits')
@ApiTags('Limits')
export class ReplayLimitController {
  constructor(private readonly replays: ReplaysService) {}

  @Post(':id/replay')
  @Authenticated(['management_key'], 'limits_read')
  @Operation({
    status: 202,
    type: ReplayLimitResponse,
    summary: 'Replay a limit',
    description:
      'Begins a job that reads recorded requests and says which of them the limit would have refused, of which keys, and what they cost. With `draft`, as if these changes of it were saved. Nothing is refused or charged. An organization has one job at a time.',
    errors: [LimitNotFound, ConcurrentLimitNotReplayable, ReplayRunning],
  })
  replayLimit(
    @CurrentPrincipal() caller: ManagementPrincipal,
    @Param() { id }: ReplayedLimitPath,
    @Body() body: ReplayLimitRequest,
  ) {
    return this.replays.beginOfLimit(caller, id, body);
  }
}

/** The jobs that replay guardrails and limits. */
@Controller('replays')
@ApiTags('Guardrails')
export class ReplaysController {
  constructor(private readonly replays: ReplaysService) {}

  @Get()
  @Authenticated(['management_key'], 'usage_read')
  @Operation({
    type: ListReplaysResponse,
    summary: 'List replays',
    description: 'Lists the replays of the organization, oldest first.',
  })
  listReplays(@CurrentPrincipal() caller: ManagementPrincipal, @Query() input: PageQuery) {
    return this.replays.list(caller, input);
  }

  @Get(':id')
  @Authenticated(['management_key'], 'usage_read')
  @Operation({
    type: GetReplayResponse,
    summary: 'Get a replay',
    description: 'Returns a replay: how far it is, and at its end what it has found.',
    errors: [ReplayNotFound],
  })
  getReplay(@CurrentPrincipal() caller: ManagementPrincipal, @Param() { id }: ReplayPath) {
    return this.replays.get(caller, id);
  }

  @Delete(':id')
  @Authenticated(['management_key'], 'usage_write')
  @Operation({
    type: CancelReplayResponse,
    summary: 'Cancel a replay',
    description: 'Cancels a replay that is running, which finds nothing then. One that has ended stays as it is.',
    errors: [ReplayNotFound],
  })
  cancelReplay(@CurrentPrincipal() caller: ManagementPrincipal, @Param() { id }: ReplayPath) {
    return this.replays.cancel(caller, id);
  }
}
