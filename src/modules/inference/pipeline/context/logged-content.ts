import { isInShare } from '../../../observability/delivery/selection/share.js';
import type { RequestContext } from './request-context.repository.js';

/**
 * Whether the content of a request is kept (docs/interface/generations.md#content): always the same for a request.
 *
 * @param id of the generation
 */
export function keepsContent({ contentLoggingRate }: RequestContext, id: string): boolean {
  return isInShare(id, contentLoggingRate);
}
