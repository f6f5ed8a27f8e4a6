import { Injectable } from '@nestjs/common';
import type { Precondition } from '../../../http/precondition.js';
import {
  everyPage,
  type Fields,
  type KindContext,
  type ObjectAnswer,
  type ShownObject,
} from '../../configuration/kinds/configured-kind.js';
import { ConfiguredKinds } from '../../configuration/kinds/configured-kinds.js';
import { ServedKind } from '../../configuration/kinds/served-kind.js';
import {
  CreatePrivateEndpointRequest,
  type PrivateEndpoint,
  UpdatePrivateEndpointRequest,
} from '../dto/private-endpoint.dto.js';
import { PrivateEndpointsService } from './private-endpoints.service.js';

/** Endpoints of the organization's own providers as files configure them. Checks and activation are operations (docs/configuration.md). */
@Injectable()
export class PrivateEndpointsConfiguration extends ServedKind {
  readonly section = 'private_endpoints';
  readonly one = 'private endpoint';
  readonly permission = 'catalog_write';
  override readonly identity = 'model_permaslug';
  readonly creation = CreatePrivateEndpointRequest;
  readonly change = UpdatePrivateEndpointRequest;
  override readonly omitted = ['activate'];

  constructor(
    kinds: ConfiguredKinds,
    protected readonly service: PrivateEndpointsService,
  ) {
    super();
    kinds.add(this);
  }

  override async list({ caller }: KindContext): Promise<readonly ShownObject[]> {
    const summaries = await everyPage((page) => this.service.list(caller, page));
    const endpoints: PrivateEndpoint[] = [];
    for (const { id } of summaries) endpoints.push((await this.service.get(caller, { id })).data);
    return endpoints;
  }

  protected override async make({ caller, signal }: KindContext, input: Fields): Promise<ObjectAnswer> {
    const plan = await this.service.plan(caller, input as unknown as CreatePrivateEndpointRequest, signal);
    const { shown } = await this.service.create(caller, plan);
    return this.service.get(caller, { id: shown.data.id });
  }

  override update(
    { caller, signal }: KindContext,
    id: string,
    input: Fields,
    precondition: Precondition,
  ): Promise<unknown> {
    return this.service.update(caller, { ...input, id }, signal, precondition);
  }

  /** No field alone names one. */
  override nameInFile({
    provider_slug: provider,
    model_permaslug: model,
    upstream_model_id: upstream,
  }: Fields): string {
    return `${String(provider)} ${String(model)} ${String(upstream)}`;
  }

  override nameOf(shown: ShownObject): string {
    return this.nameInFile(shown as Fields);
  }
}
