import { Controller, Get, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Authenticated } from '../../auth/authenticated.decorator.js';
import { Caller } from '../../auth/caller.decorator.js';
import type { ManagementPrincipal } from '../../auth/principal.js';
import { Input } from '../../http/input/input.decorator.js';
import { Answers } from '../../http/openapi/answers.decorator.js';
import { PageQuery } from '../../http/pagination/page-query.dto.js';
import { AssignmentsService } from './assignments.service.js';
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
} from './dto/assignment.dto.js';
import { GuardrailPath } from './dto/guardrail-path.dto.js';

/** The operations on which key and which member has which guardrail. */
@Controller('guardrails')
@ApiTags('Guardrails')
export class AssignmentsController {
  constructor(private readonly assignments: AssignmentsService) {}

  @Get('assignments/keys')
  @Authenticated('management_key')
  @Answers({
    status: 200,
    type: ListKeyAssignmentsResponse,
    summary: 'List which keys have a guardrail',
    description: 'Oldest assignment first, of all guardrails.',
    errors: [400, 403],
  })
  listKeyAssignments(
    @Caller() caller: ManagementPrincipal,
    @Input({ query: PageQuery }) input: PageQuery,
  ): Promise<ListKeyAssignmentsResponse> {
    return this.assignments.listKeys(caller, input);
  }

  @Get(':id/assignments/keys')
  @Authenticated('management_key')
  @Answers({
    status: 200,
    type: ListKeyAssignmentsResponse,
    summary: 'List the keys that have a guardrail',
    description: 'Oldest assignment first.',
    errors: [400, 403, 404],
    reasons: { 404: 'guardrail_not_found' },
  })
  listGuardrailKeyAssignments(
    @Caller() caller: ManagementPrincipal,
    @Input({ path: GuardrailPath, query: PageQuery }) input: GuardrailPath & PageQuery,
  ): Promise<ListKeyAssignmentsResponse> {
    return this.assignments.listKeysOf(caller, input);
  }

  @Post(':id/assignments/keys')
  @Authenticated('management_key')
  @Answers({
    status: 200,
    type: BulkAssignKeysResponse,
    summary: 'Give keys a guardrail',
    description:
      'It takes the place of the guardrail that one has; each has at most one. All keys that the request names get it, or none does. The default guardrail of a workspace is not assigned: it applies to all traffic there.',
    errors: [400, 403, 404, 413],
    reasons: { 404: 'key_not_found' },
  })
  bulkAssignKeysToGuardrail(
    @Caller() caller: ManagementPrincipal,
    @Input({ path: GuardrailPath, body: BulkAssignKeysRequest }) input: GuardrailPath & BulkAssignKeysRequest,
  ): Promise<BulkAssignKeysResponse> {
    return this.assignments.assignKeys(caller, input);
  }

  @Post(':id/assignments/keys/remove')
  @Authenticated('management_key')
  @Answers({
    status: 200,
    type: BulkUnassignKeysResponse,
    summary: 'Take a guardrail from keys',
    description: 'One that has another guardrail, or none, stays as it is and is not counted.',
    errors: [400, 403, 404, 413],
    reasons: { 404: 'key_not_found' },
  })
  bulkUnassignKeysFromGuardrail(
    @Caller() caller: ManagementPrincipal,
    @Input({ path: GuardrailPath, body: BulkUnassignKeysRequest }) input: GuardrailPath & BulkUnassignKeysRequest,
  ): Promise<BulkUnassignKeysResponse> {
    return this.assignments.unassignKeys(caller, input);
  }

  @Get('assignments/members')
  @Authenticated('management_key')
  @Answers({
    status: 200,
    type: ListMemberAssignmentsResponse,
    summary: 'List which members have a guardrail',
    description: 'Oldest assignment first, of all guardrails.',
    errors: [400, 403],
  })
  listMemberAssignments(
    @Caller() caller: ManagementPrincipal,
    @Input({ query: PageQuery }) input: PageQuery,
  ): Promise<ListMemberAssignmentsResponse> {
    return this.assignments.listMembers(caller, input);
  }

  @Get(':id/assignments/members')
  @Authenticated('management_key')
  @Answers({
    status: 200,
    type: ListMemberAssignmentsResponse,
    summary: 'List the members that have a guardrail',
    description: 'Oldest assignment first.',
    errors: [400, 403, 404],
    reasons: { 404: 'guardrail_not_found' },
  })
  listGuardrailMemberAssignments(
    @Caller() caller: ManagementPrincipal,
    @Input({ path: GuardrailPath, query: PageQuery }) input: GuardrailPath & PageQuery,
  ): Promise<ListMemberAssignmentsResponse> {
    return this.assignments.listMembersOf(caller, input);
  }

  @Post(':id/assignments/members')
  @Authenticated('management_key')
  @Answers({
    status: 200,
    type: BulkAssignMembersResponse,
    summary: 'Give members a guardrail',
    description:
      'It takes the place of the guardrail that one has; each has at most one. All members of the organization that the request names get it, or none does. The default guardrail of a workspace is not assigned: it applies to all traffic there.',
    errors: [400, 403, 404, 413],
    reasons: { 404: 'member_not_found' },
  })
  bulkAssignMembersToGuardrail(
    @Caller() caller: ManagementPrincipal,
    @Input({ path: GuardrailPath, body: BulkAssignMembersRequest }) input: GuardrailPath & BulkAssignMembersRequest,
  ): Promise<BulkAssignMembersResponse> {
    return this.assignments.assignMembers(caller, input);
  }

  @Post(':id/assignments/members/remove')
  @Authenticated('management_key')
  @Answers({
    status: 200,
    type: BulkUnassignMembersResponse,
    summary: 'Take a guardrail from members',
    description: 'One that has another guardrail, or none, stays as it is and is not counted.',
    errors: [400, 403, 404, 413],
    reasons: { 404: 'member_not_found' },
  })
  bulkUnassignMembersFromGuardrail(
    @Caller() caller: ManagementPrincipal,
    @Input({ path: GuardrailPath, body: BulkUnassignMembersRequest }) input: GuardrailPath & BulkUnassignMembersRequest,
  ): Promise<BulkUnassignMembersResponse> {
    return this.assignments.unassignMembers(caller, input);
  }
}
