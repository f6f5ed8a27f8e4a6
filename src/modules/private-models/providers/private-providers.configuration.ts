import { Injectable } from '@nestjs/common';
import type { Precondition } from '../../../http/precondition.js';
import {
  ConfiguredKind,
  everyPage,
  type Fields,
  type KindContext,
  type ObjectAnswer,
  type ShownObject,
} from '../../configuration/kinds/configured-kind.js';
import { ConfiguredKinds } from '../../configuration/kinds/configured-kinds.js';
import {
  CreatePrivateProviderRequest,
  type PrivateProvider,
  UpdatePrivateProviderRequest,
} from '../dto/private-provider.dto.js';
import { PrivateProvidersService } from './private-providers.service.js';

/** The organization's own providers as files configure them (docs/configuration.md). */
@Injectable()
export class PrivateProvidersConfiguration extends ConfiguredKind {
  readonly section = 'private_providers';
  readonly one = 'private provider';
  readonly permission = 'catalog_write';
  override readonly identity = 'slug';
  readonly creation = CreatePrivateProviderRequest;
  readonly change = UpdatePrivateProviderRequest;

  constructor(
    kinds: ConfiguredKinds,
    private readonly service: PrivateProvidersService,
  ) {
    super();
    kinds.add(this);
  }

  override list({ caller }: KindContext): Promise<readonly ShownObject[]> {
    return everyPage((page) => this.service.list(caller, page));
  }

  protected override get({ caller }: KindContext, slug: string): Promise<ObjectAnswer> {
    return this.service.get(caller, { slug });
  }

  protected override make({ caller, signal }: KindContext, input: Fields): Promise<ObjectAnswer> {
    return this.service.create(caller, input as unknown as CreatePrivateProviderRequest, signal);
  }

  override update(
    { caller, signal }: KindContext,
    slug: string,
    input: Fields,
    precondition: Precondition,
  ): Promise<unknown> {
    return this.service.update(caller, { ...input, slug }, signal, precondition);
  }

  override delete({ caller }: KindContext, slug: string, precondition: Precondition): Promise<unknown> {
    return this.service.delete(caller, { slug }, precondition);
  }

  /** The interface finds one by its slug. */
  override idOf(shown: ShownObject): string {
    return (shown as PrivateProvider).slug;
  }
}
