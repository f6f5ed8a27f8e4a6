import { Injectable } from '@nestjs/common';
import { ConfiguredKinds } from '../../configuration/kinds/configured-kinds.js';
import { AddressedKind } from '../../configuration/kinds/served-kind.js';
import { CreatePrivateProviderRequest, UpdatePrivateProviderRequest } from '../dto/private-provider.dto.js';
import { PrivateProvidersService } from './private-providers.service.js';

/** The organization's own providers as files configure them (docs/configuration.md). */
@Injectable()
export class PrivateProvidersConfiguration extends AddressedKind {
  readonly section = 'private_providers';
  readonly one = 'private provider';
  readonly permission = 'catalog_write';
  override readonly identity = 'slug';
  protected override readonly pathField = 'slug';
  readonly creation = CreatePrivateProviderRequest;
  readonly change = UpdatePrivateProviderRequest;

  constructor(
    kinds: ConfiguredKinds,
    protected readonly service: PrivateProvidersService,
  ) {
    super();
    kinds.add(this);
  }
}
