import { ApiKeyEntity } from './api-key.entity.js';
import { AuthorizationCodeEntity } from './authorization-code.entity.js';
import { ConnectClientEntity } from './connect-client.entity.js';
import { KeySpendEntity } from './key-spend.entity.js';
import { KeySpendTotalsEntity } from './key-spend-totals.entity.js';
import { OauthApplicationEntity } from './oauth-application.entity.js';

/** Every entity of this module. */
export const KEYS_ENTITIES = [
  ApiKeyEntity,
  AuthorizationCodeEntity,
  ConnectClientEntity,
  KeySpendEntity,
  KeySpendTotalsEntity,
  OauthApplicationEntity,
];
