import { Body, Controller, Get, Param, Post, Query, RequestMethod } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Authenticated } from '../../../auth/authenticated.decorator.js';
import { CurrentPrincipal } from '../../../auth/current-principal.decorator.js';
import type { ManagementPrincipal } from '../../../auth/principal.js';
import { AlsoChanges, ManagedByFiles } from '../../../http/managed-objects/managed-objects.js';
import { Operation } from '../../../http/openapi/operation.decorator.js';
import { PageQuery } from '../../../http/pagination/pagination.js';
import { AssignmentsService } from './assignments.service.js';
import { ReplacedGuardrails } from './replaced-guardrails.js';
import {
  BulkAssignKeysRequest,
  BulkAssignKeysResponse,
  BulkAssignMembersRequest,
  BulkAssignMembersResponse,
  BulkUnassignKeysRequest,
  BulkUnassignKeysResponse,
  BulkUnassignMembersRequest,
  BulkUnassignMembersResponse,
  ListKeyAssignmentsResponse,
  ListMemberAssignmentsResponse,
} from './assignment.dto.js';
import { GuardrailPath } from '../dto/guardrail.dto.js';
import { GuardrailNotFound, MemberNotFound, OlderReplicas } from '../guardrails.errors.js';
import { KeyNotFound } from '../../keys/keys.errors.js';

/** The operations on guardrail assignments of keys and members. */
@Controller('guardrails')
@ManagedByFiles('guardrails', { changedBy: [RequestMethod.POST] })
@ApiTags('Guardrails')
@Authenticated(['management_key'], 'guardrails')
export class AssignmentsController {
  constructor(private readonly assignments: AssignmentsService) {}

  @Get('assignments/keys')
  @Operation({
    type: ListKeyAssignmentsResponse,
    summary: 'List guardrail assignments of keys',
    description: 'Lists the assignments of all guardrails, oldest first.',
  })
  listKeyAssignments(@CurrentPrincipal() caller: ManagementPrincipal, @Query() input: PageQuery) {
    return this.assignments.listKeys(caller, input);
  }

  @Get(':id/assignments/keys')
  @Operation({
    type: ListKeyAssignmentsResponse,
    summary: 'List the keys of a guardrail',
    description: 'Lists the assignments of one guardrail, oldest first.',
    errors: [GuardrailNotFound],
  })
  listGuardrailKeyAssignments(
    @CurrentPrincipal() caller: ManagementPrincipal,
    @Param() path: GuardrailPath,
    @Query() query: PageQuery,
  ) {
    return this.assignments.listKeys(caller, { ...query, ...path });
  }

  @Post(':id/assignments/keys')
  @AlsoChanges(ReplacedGuardrails)
  @Operation({
    type: BulkAssignKeysResponse,
    summary: 'Assign a guardrail to keys',
    description:
      'Assigns the guardrail to all keys in the request, or to none if one of them is unknown. A key has at most one guardrail, so the assignment replaces the previous one. A default guardrail cannot be assigned: it applies to all traffic of its workspace.',
    errors: [KeyNotFound, GuardrailNotFound],
  })
  bulkAssignKeysToGuardrail(
    @CurrentPrincipal() caller: ManagementPrincipal,
    @Param() path: GuardrailPath,
    @Body() body: BulkAssignKeysRequest,
  ) {
    return this.assignments.assign(caller, path.id, 'key', body.key_hashes);
  }

  @Post(':id/assignments/keys/remove')
  @Operation({
    type: BulkUnassignKeysResponse,
    summary: 'Remove a guardrail from keys',
    description:
      'Removes the assignments of this guardrail. Keys with another guardrail, or none, are unchanged and not counted.',
    errors: [KeyNotFound, GuardrailNotFound],
  })
  bulkUnassignKeysFromGuardrail(
    @CurrentPrincipal() caller: ManagementPrincipal,
    @Param() path: GuardrailPath,
    @Body() body: BulkUnassignKeysRequest,
  ) {
    return this.assignments.unassign(caller, path.id, 'key', body.key_hashes);
  }

  @Get('assignments/members')
  @Operation({
    type: ListMemberAssignmentsResponse,
    summary: 'List guardrail assignments of members',
    description: 'Lists the assignments of all guardrails, oldest first.',
  })
  listMemberAssignments(@CurrentPrincipal() caller: ManagementPrincipal, @Query() input: PageQuery) {
    return this.assignments.listMembers(caller, input);
  }

  @Get(':id/assignments/members')
  @Operation({
    type: ListMemberAssignmentsResponse,
    summary: 'List the members of a guardrail',
    description: 'Lists the assignments of one guardrail, oldest first.',
    errors: [GuardrailNotFound],
  })
  listGuardrailMemberAssignments(
    @CurrentPrincipal() caller: ManagementPrincipal,
    @Param() path: GuardrailPath,
    @Query() query: PageQuery,
  ) {
    return this.assignments.listMembers(caller, { ...query, ...path });
  }

  @Post(':id/assignments/members')
  @AlsoChanges(ReplacedGuardrails)
  @Operation({
    type: BulkAssignMembersResponse,
    summary: 'Assign a guardrail to members',
    description:
      'Assigns the guardrail to all members in the request, or to none if one of them is unknown. It applies to their keys of its workspace. A member has at most one guardrail for each workspace, so the assignment replaces the previous one of the same workspace. A default guardrail cannot be assigned: it applies to all traffic of its workspace.',
    errors: [MemberNotFound, GuardrailNotFound, OlderReplicas],
  })
  bulkAssignMembersToGuardrail(
    @CurrentPrincipal() caller: ManagementPrincipal,
    @Param() path: GuardrailPath,
    @Body() body: BulkAssignMembersRequest,
  ) {
    return this.assignments.assign(caller, path.id, 'member', body.member_user_ids);
  }

  @Post(':id/assignments/members/remove')
  @Operation({
    type: BulkUnassignMembersResponse,
    summary: 'Remove a guardrail from members',
    description:
      'Removes the assignments of this guardrail. Members with another guardrail, or none, are unchanged and not counted.',
    errors: [MemberNotFound, GuardrailNotFound],
  })
  bulkUnassignMembersFromGuardrail(
    @CurrentPrincipal() caller: ManagementPrincipal,
    @Param() path: GuardrailPath,
    @Body() body: BulkUnassignMembersRequest,
  ) {
    return this.assignments.unassign(caller, path.id, 'member', body.member_user_ids);
  }
}
