import type { ErrorEnvelope } from '../../api/errors/error-envelope.js';
import { ChatErrorResponse } from './dto/chat-error.dto.js';

/** The words of OpenAI's interface for kinds of errors, by status. */
const TYPES: Readonly<Record<number, string>> = {
  401: 'authentication_error',
  402: 'insufficient_quota',
  403: 'permission_error',
  408: 'timeout_error',
  429: 'rate_limit_error',
};

/** What is wrong with the model that a request names: an issue has no reason of its own. */
const OF_MODEL: ReadonlySet<unknown> = new Set(['model_missing', 'model_not_found', 'wrong_endpoint']);

/** What clients of OpenAI's interface read of an error, besides its status and message (docs/interface/inference.md#errors-of-openai). */
export interface ChatErrorFields {
  readonly type: string;
  /** The field that is wrong; null where it is none, or none is known. */
  readonly param: string | null;
}

/** The fields of an error of a status. @param metadata `error.metadata` */
export function chatErrorFieldsOf(
  status: number,
  { issues, reason }: Readonly<Record<string, unknown>> = {},
): ChatErrorFields {
  const type = TYPES[status] ?? (status < 500 ? 'invalid_request_error' : 'server_error');
  const [first] = Array.isArray(issues) ? (issues as readonly { readonly path: string }[]) : [];
  const ofModel = OF_MODEL.has(reason) ? 'model' : null;
  return { type, param: first === undefined || first.path === '' ? ofModel : first.path };
}

/** The body of a failure as clients of OpenAI's interface read it, which has all that the common one has. */
export function chatErrorEnvelope<Envelope extends ErrorEnvelope>(envelope: Envelope): Envelope {
  const { error } = envelope;
  return { ...envelope, error: { ...error, ...chatErrorFieldsOf(error.code, error.metadata) } };
}

/** How operations in the form of OpenAI's interface answer failures. */
export const CHAT_ERROR_FORM = { type: ChatErrorResponse, write: chatErrorEnvelope } as const;
