import type { Environment } from '../../config/environment.js';
import type { GatehouseRequest } from '../request.js';

/**
 * Where people reach the deployment: PUBLIC_URL, or without it the host that the request was sent to.
 *
 * @returns an origin, and the path of PUBLIC_URL if it has one; without a slash at the end
 */
export function publicUrlOf(request: GatehouseRequest, { publicUrl }: Environment): string {
  return publicUrl ?? `${request.protocol}://${request.headers.host ?? 'localhost'}`;
}

/**
 * Whether a request was made by a page of this deployment, or by a person who typed its address. Browsers say so in Sec-Fetch-Site
 * (Fetch Metadata); older ones in Origin where something is changed. With the cookie alone, pages of other sites could have a browser act
 * for the person who is signed in.
 */
export function isFromOwnPage(request: GatehouseRequest, environment: Environment): boolean {
  const { origin, 'sec-fetch-site': site } = request.headers;
  if (site !== undefined) return site === 'same-origin' || (site === 'none' && isReading(request));
  if (origin !== undefined) return origin === new URL(publicUrlOf(request, environment)).origin;
  return isReading(request);
}

function isReading({ method }: GatehouseRequest): boolean {
  return method === 'GET' || method === 'HEAD';
}
