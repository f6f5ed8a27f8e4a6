import { isObject } from '../../../../http/validation/constraints.js';
import type { RequestAdjustments } from '../../../codecs/chat/request-adjustments.js';
import type { Candidate } from './candidate.js';
import { fieldsFor } from './upstream-request.js';

/** A body that may have fields for single providers. */
export interface OptionedBody {
  readonly provider?: { readonly options?: Readonly<Record<string, unknown>> | null } | null;
}

/** The fields that a body has for the provider of a candidate alone (docs/interface/audio.md#options-of-a-provider). */
export function optionsFor(
  { provider }: OptionedBody,
  { endpoint }: Pick<Candidate, 'endpoint'>,
): Readonly<Record<string, unknown>> {
  const options = provider?.options ?? {};
  const { slug } = endpoint.provider;
  return Object.hasOwn(options, slug) && isObject(options[slug]) ? options[slug] : {};
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
  return fieldsFor({ ...optionsFor(body, candidate), ...body }, candidate, adjustments);
}
