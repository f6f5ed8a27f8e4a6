import { Injectable } from '@nestjs/common';
import { ConfiguredKinds } from '../../configuration/kinds/configured-kinds.js';
import { LocalKind } from '../../configuration/kinds/served-kind.js';

import { CreateFederationPolicyRequest, UpdateFederationPolicyRequest } from '../dto/policy.dto.js';
import { PoliciesService } from './policies.service.js';

/** Policies of the exchange of tokens as files configure them (docs/configuration.md). */
@Injectable()
export class FederationPoliciesConfiguration extends LocalKind {
  readonly section = 'federation_policies';
  readonly one = 'federation policy';
  readonly permission = 'federation_write';
  override readonly decidesIdentity = true;
  readonly creation = CreateFederationPolicyRequest;
  readonly change = UpdateFederationPolicyRequest;
  override readonly references = {
    issuer: { to: 'federation_issuers', wire: 'issuer_id' },
    key: { to: 'keys', wire: 'key_hash' },
  };

  constructor(
    kinds: ConfiguredKinds,
    protected readonly service: PoliciesService,
  ) {
    super();
    kinds.add(this);
  }
}
