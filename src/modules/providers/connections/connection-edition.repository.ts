import { statement } from '../../../persistence/statement.js';

/** Which edition of the connections is in force. The gateway reads it within a statement of its own. */
export const CONNECTION_EDITION = statement<{ edition: string }>(
  'provider_connection_edition',
  'SELECT edition FROM provider_connection_edition',
);
