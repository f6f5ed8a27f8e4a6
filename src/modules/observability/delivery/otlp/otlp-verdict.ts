import { isObject } from '../../../../http/validation/constraints.js';
import { parsedIfJson } from '../../../../http/input/json-bounds.js';
import type { DeliveryVerdict, ReceiverAnswer } from '../destination-adapter.js';
import { messageOf, verdictOf } from '../verdicts.js';

/**
 * What an answer to a trace request means. Spans that a receiver says it did not keep are not sent again, as OTLP demands, but shown.
 *
 * @param secrets texts that nothing of it may contain
 */
export function otlpVerdictOf(answer: ReceiverAnswer, secrets: readonly string[]): DeliveryVerdict {
  const verdict = verdictOf(answer, secrets);
  if (verdict.outcome !== 'delivered') return verdict;
  const told = rejectionIn(answer);
  return told === null ? verdict : { ...verdict, note: messageOf({ ...answer, body: told }, secrets) };
}

function rejectionIn({ headers, body }: ReceiverAnswer): string | null {
  // An answer in protobuf is no text.
  if (headers['content-type']?.includes('json') !== true) return null;
  const answer = parsedIfJson(body);
  const partial = isObject(answer) ? answer['partialSuccess'] : undefined;
  if (!isObject(partial)) return null;
  const message = typeof partial['errorMessage'] === 'string' ? partial['errorMessage'] : '';
  const rejected = Number(partial['rejectedSpans'] ?? 0);
  if (message === '' && !(rejected > 0)) return null;
  return `${Number.isFinite(rejected) ? rejected : 0} spans were not kept. ${message}`;
}
