import { Injectable } from '@nestjs/common';
import { InvalidCredential } from '../../../../http/errors/request.errors.js';
import { CatalogLookup } from '../../../catalog/catalog-lookup.service.js';
import { PrivateCatalog } from '../../../catalog/private/private-catalog.js';
import { LimitsInForce } from '../../../limits/limits-in-force.service.js';
import { ProviderConnections } from '../../../providers/connections/provider-connections.js';
import type { ArrivedRequest } from '../request/inference-request.js';
import { CallerContexts } from './caller-contexts.service.js';
import type { RequestContext } from './request-context.repository.js';
import type { CandidateInputs, RequestInputs } from './request-inputs.js';

/** Reads what the decisions about the requests of a key are based on. */
@Injectable()
export class RequestInputsService {
  constructor(
    private readonly contexts: CallerContexts,
    private readonly catalog: CatalogLookup,
    private readonly privateCatalog: PrivateCatalog,
    private readonly connections: ProviderConnections,
    private readonly limits: LimitsInForce,
  ) {}

  /** @throws InvalidCredential where the key was deleted after the guard had read it */
  async of({ caller, hypothetical }: Pick<ArrivedRequest, 'caller' | 'hypothetical'>): Promise<RequestInputs> {
    const context = await this.contexts.of(caller, hypothetical);
    if (context === undefined) throw new InvalidCredential();
    const { catalog, privateModels, connections } = await this.under(caller.organizationId, context);
    const { workspaceId, limitsVersion } = context;
    const limits = await this.limits.of(caller.organizationId, workspaceId, limitsVersion);
    return { context, catalog, privateModels, connections, limits };
  }

  /** What endpoints are found by for a request whose context is known. */
  async under(organizationId: string, context: RequestContext): Promise<CandidateInputs> {
    const catalog = await this.catalog.since(context.catalogEdition);
    const shared = await this.connections.since(context.connectionEdition);
    const privateModels = await this.privateCatalog.of(organizationId, context.privateCatalogVersion);
    const connections = this.connections.withPrivate(shared, privateModels.providers);
    return { context, catalog, privateModels, connections };
  }
}
