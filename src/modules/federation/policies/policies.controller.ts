import { Body, Controller, Delete, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Authenticated } from '../../../auth/authenticated.decorator.js';
import { CurrentPrincipal } from '../../../auth/current-principal.decorator.js';
import type { ManagementPrincipal } from '../../../auth/principal.js';
import { ManagedByFiles } from '../../../http/managed-objects/managed-objects.js';
import { Operation } from '../../../http/openapi/operation.decorator.js';
import { IfMatch, Precondition } from '../../../http/precondition.js';
import { NamedPageQuery } from '../../../http/pagination/pagination.js';
import {
  CreateFederationPolicyRequest,
  CreateFederationPolicyResponse,
  DeleteFederationPolicyResponse,
  FederationPolicyPath,
  GetFederationPolicyResponse,
  ListFederationPoliciesResponse,
  UpdateFederationPolicyRequest,
  UpdateFederationPolicyResponse,
} from '../dto/policy.dto.js';
import { FederationPolicyNotFound } from '../federation.errors.js';
import { PoliciesService } from './policies.service.js';

/** The operations on policies. */
@Controller('federation/policies')
@ManagedByFiles('federation_policies')
@ApiTags('Federation')
@Authenticated(['management_key'], 'federation')
export class PoliciesController {
  constructor(private readonly policies: PoliciesService) {}

  @Post()
  @Operation({
    status: 201,
    type: CreateFederationPolicyResponse,
    hasEntityTag: true,
    summary: 'Create a policy',
    description:
      'Says which tokens of an issuer are exchanged, and the API key that they act as. Whoever may do this can have any API key of the organization acted as.',
    decidesIdentity: true,
  })
  createFederationPolicy(
    @CurrentPrincipal() caller: ManagementPrincipal,
    @Body() input: CreateFederationPolicyRequest,
  ) {
    return this.policies.create(caller, input);
  }

  @Get()
  @Operation({
    type: ListFederationPoliciesResponse,
    summary: 'List policies',
    description: 'Lists the policies of the organization, oldest first.',
  })
  listFederationPolicies(@CurrentPrincipal() caller: ManagementPrincipal, @Query() input: NamedPageQuery) {
    return this.policies.list(caller, input);
  }

  @Get(':id')
  @Operation({
    type: GetFederationPolicyResponse,
    hasEntityTag: true,
    summary: 'Get a policy',
    description: 'Returns a policy.',
    errors: [FederationPolicyNotFound],
  })
  getFederationPolicy(@CurrentPrincipal() caller: ManagementPrincipal, @Param() input: FederationPolicyPath) {
    return this.policies.get(caller, input);
  }

  @Patch(':id')
  @Operation({
    type: UpdateFederationPolicyResponse,
    hasEntityTag: true,
    summary: 'Update a policy',
    description:
      'Changes the fields in the request; absent ones stay. Tokens that were issued before stay valid: disable the key to end them.',
    errors: [FederationPolicyNotFound],
    decidesIdentity: true,
  })
  updateFederationPolicy(
    @CurrentPrincipal() caller: ManagementPrincipal,
    @Param() path: FederationPolicyPath,
    @Body() body: UpdateFederationPolicyRequest,
    @IfMatch() precondition: Precondition,
  ) {
    return this.policies.update(caller, { ...body, ...path }, precondition);
  }

  @Delete(':id')
  @Operation({
    type: DeleteFederationPolicyResponse,
    hasEntityTag: true,
    summary: 'Delete a policy',
    description: 'Deletes a policy. Tokens that were issued before stay valid: disable the key to end them.',
    errors: [FederationPolicyNotFound],
    decidesIdentity: true,
  })
  deleteFederationPolicy(
    @CurrentPrincipal() caller: ManagementPrincipal,
    @Param() input: FederationPolicyPath,
    @IfMatch() precondition: Precondition,
  ) {
    return this.policies.delete(caller, input, precondition);
  }
}
