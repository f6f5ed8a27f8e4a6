import { shownTimes } from '../../../persistence/rows/wire-fields.js';
import type { SignInConnection } from '../dto/sign-in-connection.dto.js';
import type { SignInConnectionEntity } from '../entities/sign-in-connection.entity.js';
import { SIGN_IN_CONNECTIONS } from './sign-in-connections.repository.js';

/** An identity provider as the interface shows it: without its secret. */
export function toSignInConnectionResponse(connection: SignInConnectionEntity): SignInConnection {
  const { id, name, issuer, client_id, ...settings } = SIGN_IN_CONNECTIONS.shown(connection);
  const has_client_secret = connection.encryptedClientSecret !== null;
  return { id, name, issuer, client_id, has_client_secret, ...settings, ...shownTimes(connection) };
}
