import { Injectable } from '@nestjs/common';
import type { Fields, ShownObject } from '../../configuration/kinds/configured-kind.js';
import { ConfiguredKinds } from '../../configuration/kinds/configured-kinds.js';
import { LocalKind } from '../../configuration/kinds/served-kind.js';

import { KEEP } from '../../configuration/document/secret-references.js';
import {
  CreateSignInConnectionRequest,
  type SignInConnection,
  UpdateSignInConnectionRequest,
} from '../dto/sign-in-connection.dto.js';
import { SignInConnectionsService } from './sign-in-connections.service.js';

/** Identity providers as files configure them (docs/configuration.md). */
@Injectable()
export class SignInConnectionsConfiguration extends LocalKind {
  readonly section = 'sign_in_connections';
  readonly one = 'sign-in connection';
  readonly permission = 'sign_in_write';
  override readonly decidesIdentity = true;
  readonly creation = CreateSignInConnectionRequest;
  readonly change = UpdateSignInConnectionRequest;
  override readonly secrets = ['client_secret'];

  constructor(
    kinds: ConfiguredKinds,
    protected readonly service: SignInConnectionsService,
  ) {
    super();
    kinds.add(this);
  }

  override requestFieldsOf(shown: ShownObject): Fields {
    const { has_client_secret: hasSecret, ...fields } = shown as SignInConnection;
    return { ...fields, client_secret: hasSecret ? KEEP : null };
  }
}
