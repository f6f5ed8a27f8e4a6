import { Injectable } from '@nestjs/common';
import type { Fields, ShownObject } from '../../configuration/kinds/configured-kind.js';
import { ConfiguredKinds } from '../../configuration/kinds/configured-kinds.js';
import { LocalKind } from '../../configuration/kinds/served-kind.js';

import { KEEP } from '../../configuration/document/secret-references.js';
import { CreateBYOKKeyRequest, UpdateBYOKKeyRequest } from './dto/byok-key.dto.js';
import { OwnKeysService } from './own-keys.service.js';

/** The organization's own keys for providers as files configure them (docs/configuration.md). */
@Injectable()
export class OwnKeysConfiguration extends LocalKind {
  readonly section = 'provider_keys';
  readonly one = 'provider key';
  readonly permission = 'byok_write';
  override readonly workspace = 'default';
  readonly creation = CreateBYOKKeyRequest;
  readonly change = UpdateBYOKKeyRequest;
  override readonly secrets = ['key'];
  protected override readonly isListedByWorkspace = true;
  override readonly references = {
    allowed_keys: { to: 'keys', wire: 'allowed_api_key_hashes', isList: true },
    allowed_members: { to: 'members', wire: 'allowed_user_ids', isList: true },
  };

  constructor(
    kinds: ConfiguredKinds,
    protected readonly service: OwnKeysService,
  ) {
    super();
    kinds.add(this);
  }

  override requestFieldsOf(shown: ShownObject): Fields {
    return { ...shown, key: KEEP };
  }
}
