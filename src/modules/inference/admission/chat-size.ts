import { isObject } from '../../../api/validation/constraints.js';
import type { ChatCompletionRequest } from '../dto/chat-completion-request.dto.js';
import { textsOf } from '../request/scanned-texts.js';
import { mediaTokensOf } from './media-tokens.js';
import type { RequestSize } from './request-size.js';

interface Part {
  readonly type: string;
}

/** What the cost of a chat depends on. */
export function chatSizeOf(body: ChatCompletionRequest): RequestSize {
  const media = body.messages
    .flatMap(({ content }) => (Array.isArray(content) ? (content as readonly Part[]) : []))
    .filter(({ type }) => type !== 'text');
  const isImage = ({ type }: Part): boolean => type === 'image_url';
  return {
    bytes: textsOf(body).reduce((sum, { text }) => sum + Buffer.byteLength(text), 0),
    tokens: 0,
    messages: body.messages.length + (body.tools?.length ?? 0),
    images: media.filter(isImage).length,
    recordings: media.filter((part) => !isImage(part)).length,
    mediaTokens: media.reduce((sum, part) => sum + mediaTokensOf(part, isImage(part)), 0),
    namedTokens: namedTokensOf(body),
    choices: choicesOf(body),
    hasAnswer: true,
    answersAloud: body.modalities?.includes('audio') === true || isObject(body['audio']),
    answersImages: body.modalities?.includes('image') === true,
  };
}

/** The longer one where both fields are given, because providers differ in which of them counts. */
function namedTokensOf({ max_tokens: one, max_completion_tokens: other }: ChatCompletionRequest): number | null {
  const named = [one, other].filter((tokens) => typeof tokens === 'number');
  return named.length === 0 ? null : Math.max(...named);
}

/** Fields that the gateway hands on, and that providers of the protocol answer with several texts for. */
function choicesOf({ n, best_of: bestOf }: Readonly<Record<string, unknown>>): number {
  return Math.max(1, ...[n, bestOf].filter((count) => Number.isSafeInteger(count)).map(Number));
}
