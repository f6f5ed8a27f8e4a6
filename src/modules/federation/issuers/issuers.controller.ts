import { Body, Controller, Delete, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Authenticated } from '../../../auth/authenticated.decorator.js';
import { CurrentPrincipal } from '../../../auth/current-principal.decorator.js';
import type { ManagementPrincipal } from '../../../auth/principal.js';
import { ManagedByFiles } from '../../../http/managed-objects/managed-objects.js';
import { Operation } from '../../../http/openapi/operation.decorator.js';
import { IfMatch, Precondition } from '../../../http/precondition.js';
import { PageQuery } from '../../../http/pagination/pagination.js';
import {
  CreateFederationIssuerRequest,
  CreateFederationIssuerResponse,
  DeleteFederationIssuerResponse,
  FederationIssuerPath,
  GetFederationIssuerResponse,
  ListFederationIssuersResponse,
  UpdateFederationIssuerRequest,
  UpdateFederationIssuerResponse,
} from '../dto/issuer.dto.js';
import { FederationIssuerInUse, FederationIssuerNotFound } from '../federation.errors.js';
import { IssuersService } from './issuers.service.js';

/** The operations on issuers. */
@Controller('federation/issuers')
@ManagedByFiles('federation_issuers')
@ApiTags('Federation')
@Authenticated(['management_key'], 'federation')
export class IssuersController {
  constructor(private readonly issuers: IssuersService) {}

  @Post()
  @Operation({
    status: 201,
    type: CreateFederationIssuerResponse,
    hasEntityTag: true,
    summary: 'Create an issuer',
    description: 'Names an issuer whose tokens workloads exchange, and where its keys are.',
    decidesIdentity: true,
  })
  createFederationIssuer(
    @CurrentPrincipal() caller: ManagementPrincipal,
    @Body() input: CreateFederationIssuerRequest,
  ) {
    return this.issuers.create(caller, input);
  }

  @Get()
  @Operation({
    type: ListFederationIssuersResponse,
    summary: 'List issuers',
    description: 'Lists the issuers of the organization, oldest first.',
  })
  listFederationIssuers(@CurrentPrincipal() caller: ManagementPrincipal, @Query() input: PageQuery) {
    return this.issuers.list(caller, input);
  }

  @Get(':id')
  @Operation({
    type: GetFederationIssuerResponse,
    hasEntityTag: true,
    summary: 'Get an issuer',
    description: 'Returns an issuer.',
    errors: [FederationIssuerNotFound],
  })
  getFederationIssuer(@CurrentPrincipal() caller: ManagementPrincipal, @Param() input: FederationIssuerPath) {
    return this.issuers.get(caller, input);
  }

  @Patch(':id')
  @Operation({
    type: UpdateFederationIssuerResponse,
    hasEntityTag: true,
    summary: 'Update an issuer',
    description: 'Changes the fields in the request; absent ones stay. `jwks` is replaced as a whole.',
    errors: [FederationIssuerNotFound],
    decidesIdentity: true,
  })
  updateFederationIssuer(
    @CurrentPrincipal() caller: ManagementPrincipal,
    @Param() path: FederationIssuerPath,
    @Body() body: UpdateFederationIssuerRequest,
    @IfMatch() precondition: Precondition,
  ) {
    return this.issuers.update(caller, { ...body, ...path }, precondition);
  }

  @Delete(':id')
  @Operation({
    type: DeleteFederationIssuerResponse,
    hasEntityTag: true,
    summary: 'Delete an issuer',
    description: 'Deletes an issuer that no policy names.',
    errors: [FederationIssuerNotFound, FederationIssuerInUse],
    decidesIdentity: true,
  })
  deleteFederationIssuer(
    @CurrentPrincipal() caller: ManagementPrincipal,
    @Param() input: FederationIssuerPath,
    @IfMatch() precondition: Precondition,
  ) {
    return this.issuers.delete(caller, input, precondition);
  }
}
