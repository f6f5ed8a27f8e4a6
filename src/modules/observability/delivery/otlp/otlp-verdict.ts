import { isObject } from '../../../../http/validation/constraints.js';
import { parsedIfJson } from '../../../../http/input/json-bounds.js';
import type { DeliveryVerdict, ReceiverAnswer } from '../destination-adapter.js';
import { messageOf, verdictOf } from '../verdicts.js';
import type { PartialSuccess } from './protobuf-answer.js';

/**
 * What an answer to a trace request means. Spans that a receiver says it did not keep are not sent again, as OTLP demands, but shown.
 *
 * @param secrets texts that nothing of it may contain
 */
export async function otlpVerdictOf(answer: ReceiverAnswer, secrets: readonly string[]): Promise<DeliveryVerdict> {
  const verdict = verdictOf(answer, secrets);
  if (verdict.outcome !== 'delivered') return verdict;
  const { rejectedSpans, errorMessage } = (await partialSuccessIn(answer)) ?? NOTHING;
  const rejected = rejectedSpans > 0 && Number.isFinite(rejectedSpans) ? Math.floor(rejectedSpans) : 0;
  if (errorMessage === '' && rejected === 0) return verdict;
  const told = `${rejected} spans were not kept. ${errorMessage}`;
  return { ...verdict, note: messageOf({ ...answer, body: told }, secrets), rejectedSpans: rejected };
}

const NOTHING: PartialSuccess = { rejectedSpans: 0, errorMessage: '' };

async function partialSuccessIn({ headers, body, bytes }: ReceiverAnswer): Promise<PartialSuccess | undefined> {
  const type = headers['content-type'] ?? '';
  if (type.includes('protobuf') && bytes !== undefined && bytes.length > 0) {
    const { partialSuccessInProtobuf } = await import('./protobuf-answer.js');
    return partialSuccessInProtobuf(bytes);
  }
  const answer = type.includes('json') ? parsedIfJson(body) : undefined;
  const partial = isObject(answer) ? answer['partialSuccess'] : undefined;
  if (!isObject(partial)) return undefined;
  const { rejectedSpans, errorMessage } = partial;
  return {
    rejectedSpans: Number(rejectedSpans ?? 0),
    errorMessage: typeof errorMessage === 'string' ? errorMessage : '',
  };
}
