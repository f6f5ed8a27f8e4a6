import { isObject } from '../../../../http/validation/constraints.js';
import type { RequestAdjustments } from '../../../codecs/index.js';
import type { Candidate } from './candidate.js';
import { fieldsFor } from './upstream-request.js';

/** A body that may have fields for single providers. */
export interface OptionedBody {
  readonly provider?: { readonly options?: Readonly<Record<string, unknown>> | null } | null;
}

/**
 * The fields of a request that is no chat, as a candidate gets them, with those that are for its provider alone.
 *
 * @param adjustments is told what is left out
 */
export function fieldsWithOptions(
  body: OptionedBody,
  candidate: Pick<Candidate, 'isByok' | 'endpoint'>,
  adjustments: RequestAdjustments,
): Readonly<Record<string, unknown>> {
  const options = body.provider?.options ?? {};
  const { slug } = candidate.endpoint.provider;
  const own = Object.hasOwn(options, slug) && isObject(options[slug]) ? options[slug] : {};
  return fieldsFor({ ...own, ...body }, candidate, adjustments);
}
