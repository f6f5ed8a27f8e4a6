import type { ApiKeyPrincipal } from '../../../../auth/principal.js';
import { type FilterPlace, REQUEST_PLACES } from '../../../content/content-filters.js';
import { demandsZeroRetention } from '../candidates/zero-retention.js';
import type { CandidateInputs } from '../context/request-inputs.js';
import type { CompiledPolicy } from '../policy/compiled-policies.js';
import type { Decision } from '../request/decision.js';
import type { ArrivedRequest } from '../request/inference-request.js';
import type { InferenceOperation, RoutedBody } from '../request/operation.js';
import type { DataWishes } from './judging.js';
import { placeOfText } from './request-inspection.js';

/** How much of what the user has said is read before an answer, in UTF-16 code units. */
const SAID_CHARACTERS = 1_024;

/** An answer of a model that is expected. */
export interface ExpectedAnswer {
  readonly choices: number;
  readonly isStreamed: boolean;
}

/** What judge models are to know of a request whose texts they judge: one to a model, or a call of a tool. */
export interface JudgedRequest {
  readonly caller: ApiKeyPrincipal;
  /** When it came. */
  readonly at: Date;
  readonly policy: CompiledPolicy;
  readonly inputs: CandidateInputs;
  readonly wishes: DataWishes;
  /** Its texts that are there before anything is reserved, by their places. */
  readonly texts: readonly { readonly place: FilterPlace; readonly texts: readonly string[] }[];
  /** The end of what the user last said, which is read before answers. */
  readonly said: string | undefined;
  /** What comes only when it was admitted: the answer of a model, or the result of a tool; undefined for nothing that is judged. */
  readonly expected: ExpectedAnswer | 'tool_result' | undefined;
}

/** What judge models are to know of a request to a model whose candidates are known. */
export function judgedRequestOf<Body extends RoutedBody>(
  operation: Pick<InferenceOperation<Body>, 'name' | 'texts' | 'sizeOf'>,
  { caller, createdAt }: Pick<ArrivedRequest, 'caller' | 'createdAt'>,
  decision: Decision<Body>,
): JudgedRequest {
  const body = decision.inspected!;
  const texts = operation.texts.scannedIn(body);
  const { answer } = operation.sizeOf(body);
  // A transcript is an answer, although its tokens are not asked for.
  const hasAnswer = answer !== undefined || operation.name === 'transcription';
  return {
    caller,
    at: createdAt ?? new Date(),
    policy: decision.policy!,
    inputs: decision.inputs!,
    wishes: wishesOf(decision),
    texts: REQUEST_PLACES.map((place) => ({
      place,
      texts: texts.flatMap((text) => (placeOfText(text) === place && text.text.trim() !== '' ? [text.text] : [])),
    })),
    said: texts
      .findLast(({ role, kind, text }) => role === 'user' && kind !== 'address' && text.trim() !== '')
      ?.text.slice(-SAID_CHARACTERS)
      .toWellFormed(),
    expected: hasAnswer
      ? { choices: answer?.choices ?? 1, isStreamed: (body as { readonly stream?: unknown }).stream === true }
      : undefined,
  };
}

/** Where the texts of a request to a model may go: where it demands zero data retention, so it does of its judges. */
function wishesOf(decision: Decision<RoutedBody>): DataWishes {
  const { provider, inference_geo: place } = decision.body;
  return {
    ...(place != null && { inference_geo: place as NonNullable<DataWishes['inference_geo']> }),
    provider: {
      ...(demandsZeroRetention(decision) && { zdr: true }),
      ...(provider?.data_collection !== undefined && { data_collection: provider.data_collection }),
    },
  };
}
