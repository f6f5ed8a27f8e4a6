import type { GatehouseRequest } from '../../../../http/request.js';

/** The session that a request names in its header, which that of its body wins over. */
export function sessionHeaderOf({ headers }: GatehouseRequest): string | undefined {
  const value = headers['x-session-id'];
  return typeof value === 'string' && value.length <= 256 ? value : undefined;
}
