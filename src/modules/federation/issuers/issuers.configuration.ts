import { Injectable } from '@nestjs/common';
import { ConfiguredKinds } from '../../configuration/kinds/configured-kinds.js';
import { LocalKind } from '../../configuration/kinds/served-kind.js';

import { CreateFederationIssuerRequest, UpdateFederationIssuerRequest } from '../dto/issuer.dto.js';
import { IssuersService } from './issuers.service.js';

/** Issuers of the exchange of tokens as files configure them (docs/configuration.md). */
@Injectable()
export class FederationIssuersConfiguration extends LocalKind {
  readonly section = 'federation_issuers';
  readonly one = 'federation issuer';
  readonly permission = 'federation_write';
  override readonly decidesIdentity = true;
  readonly creation = CreateFederationIssuerRequest;
  readonly change = UpdateFederationIssuerRequest;

  constructor(
    kinds: ConfiguredKinds,
    protected readonly service: IssuersService,
  ) {
    super();
    kinds.add(this);
  }
}
