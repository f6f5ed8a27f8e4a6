import { All, Controller, Get, Param, Query, Req } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { Authenticated } from '../../../auth/authenticated.decorator.js';
import type { GatehouseRequest } from '../../../http/request.js';
import { resourceTypes, schemas, serviceProviderConfig } from './discovery.js';
import { DiscoveryNotFiltered, EndpointNotFound, NotImplemented, ResourceNotFound } from './provisioning.errors.js';
import { listResponse, scimAnswer, ScimOperation } from './scim-answer.js';
import { ScimBase } from './scim-base.js';
import { ScimQuery, ScimResourcePath } from './scim-document.dto.js';

/** What the interface for directories says of itself, and its answer to everything that it has not (RFC 7644, section 4). */
@Controller('scim/v2')
@ApiExcludeController()
@Authenticated(['provisioning_token'])
export class ScimDiscoveryController {
  constructor(private readonly base: ScimBase) {}

  @Get('ServiceProviderConfig')
  @ScimOperation()
  getServiceProviderConfig(@Req() request: GatehouseRequest, @Query() query: ScimQuery) {
    requireNoFilter(query);
    return scimAnswer(200, serviceProviderConfig(this.base.of(request)));
  }

  @Get('ResourceTypes')
  @ScimOperation()
  listResourceTypes(@Req() request: GatehouseRequest, @Query() query: ScimQuery) {
    requireNoFilter(query);
    return scimAnswer(200, listResponse(resourceTypes(this.base.of(request))));
  }

  @Get('ResourceTypes/:id')
  @ScimOperation()
  getResourceType(@Req() request: GatehouseRequest, @Param() { id }: ScimResourcePath, @Query() query: ScimQuery) {
    requireNoFilter(query);
    return scimAnswer(200, foundIn(resourceTypes(this.base.of(request)), id));
  }

  @Get('Schemas')
  @ScimOperation()
  listSchemas(@Req() request: GatehouseRequest, @Query() query: ScimQuery) {
    requireNoFilter(query);
    return scimAnswer(200, listResponse(schemas(this.base.of(request))));
  }

  @Get('Schemas/:id')
  @ScimOperation()
  getSchema(@Req() request: GatehouseRequest, @Param() { id }: ScimResourcePath, @Query() query: ScimQuery) {
    requireNoFilter(query);
    return scimAnswer(200, foundIn(schemas(this.base.of(request)), id));
  }

  @All(['Bulk', 'Me'])
  @ScimOperation()
  refuseUnsupported(@Query() _query: ScimQuery): never {
    throw new NotImplemented();
  }

  /** Is declared last, so that it takes what no other route takes. */
  @All(['', '{*path}'])
  @ScimOperation()
  refuseUnknown(@Query() _query: ScimQuery): never {
    throw new EndpointNotFound();
  }
}

/** Other parameters of a query are ignored (RFC 7644, section 4). @throws DiscoveryNotFiltered */
function requireNoFilter(query: ScimQuery): void {
  if (Object.hasOwn(query, 'filter')) throw new DiscoveryNotFiltered();
}

/** @throws ResourceNotFound */
function foundIn<Item extends { readonly id: string }>(items: readonly Item[], id: string): Item {
  const item = items.find((one) => one.id.toLowerCase() === id.toLowerCase());
  if (item === undefined) throw new ResourceNotFound();
  return item;
}
