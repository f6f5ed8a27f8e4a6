import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Authenticated } from '../../../auth/authenticated.decorator.js';
import { CurrentPrincipal } from '../../../auth/current-principal.decorator.js';
import { NO_PERMISSION_NEEDED } from '../../../auth/permissions.js';
import type { ManagementPrincipal } from '../../../auth/principal.js';
import { Operation } from '../../../http/openapi/operation.decorator.js';
import { GetSessionResponse } from '../dto/session.dto.js';
import { SessionsService } from './sessions.service.js';

/** The operations on the caller's session. */
@Controller('session')
@ApiTags('Sign-in')
export class SessionController {
  constructor(private readonly sessions: SessionsService) {}

  @Get()
  @Authenticated(['management_key'], NO_PERMISSION_NEEDED)
  @Operation({
    type: GetSessionResponse,
    summary: 'Get the current session',
    description:
      'Says who calls, for which organization, and what they may do: who has signed in to the console, or the owner of the management key.',
  })
  getSession(@CurrentPrincipal() caller: ManagementPrincipal) {
    return this.sessions.describe(caller);
  }
}
