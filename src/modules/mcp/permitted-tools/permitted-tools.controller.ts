import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Authenticated, KeepsToOwn } from '../../../auth/authenticated.decorator.js';
import { CurrentPrincipal } from '../../../auth/current-principal.decorator.js';
import type { ManagementPrincipal } from '../../../auth/principal.js';
import { Operation } from '../../../http/openapi/operation.decorator.js';
import { EffectiveGuardrailsQuery } from '../../guardrails/effective-policy/effective-guardrails.dto.js';
import { GuardrailNotFound } from '../../guardrails/guardrails.errors.js';
import { KeyNotFound } from '../../keys/keys.errors.js';
import { TooManyLargeLists } from '../../organization-limits/organization-limits.errors.js';
import { ListPermittedMcpToolsResponse } from './permitted-tools.dto.js';
import { PermittedTools } from './permitted-tools.service.js';

/** Trying keys with tools. It belongs to this module because the endpoint decides by the same rules. */
@Controller('guardrails/effective/mcp-tools')
@ApiTags('Guardrails')
export class PermittedToolsController {
  constructor(private readonly tools: PermittedTools) {}

  @Get()
  @Authenticated(['management_key'], 'guardrails_read')
  @KeepsToOwn()
  @Operation({
    type: ListPermittedMcpToolsResponse,
    summary: 'List the tools of MCP servers for a key',
    description:
      'Lists every tool of the MCP servers of the organization as it was last seen, with whether the key sees it and may call it, and why not. `with` adds a guardrail, to see its effect before it is assigned. No server is asked.',
    errors: [KeyNotFound, GuardrailNotFound, TooManyLargeLists],
  })
  listPermittedMcpTools(@CurrentPrincipal() caller: ManagementPrincipal, @Query() input: EffectiveGuardrailsQuery) {
    return this.tools.list(caller, input);
  }
}
