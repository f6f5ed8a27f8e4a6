import type { IssuedCredential } from '../../../../src/modules/keys/keys.service.js';
import type { Answer } from '../../../support/network/api-client.js';
import type { TestGateway } from '../test-gateway.js';
import { STREAM_END } from '../provider-answers.js';

/** A path of the interface. */
export const COMPLETIONS = '/completions';

/** An answer in the legacy form, or a chunk of one, as far as tests look into it. */
export interface ShownText {
  readonly id: string;
  readonly object: string;
  readonly choices: readonly {
    readonly text: string;
    readonly index: number;
    readonly logprobs: object | null;
    readonly finish_reason: string | null;
  }[];
  readonly usage?: { readonly cost: number } & Record<string, unknown>;
  readonly error?: { readonly code: number; readonly message: string; readonly metadata: object };
  readonly [field: string]: unknown;
}

/** A stream that was read to its end, with the data of its events: parsed, but for `[DONE]`. */
export interface StreamedText extends Answer<string> {
  readonly events: readonly (ShownText | '[DONE]')[];
  readonly chunks: readonly ShownText[];
}

/** Asks `acme/writer` to complete a text, Alpha first. @param fields of the request, over and above these */
export function complete<Body = ShownText>(
  gateway: TestGateway,
  key: IssuedCredential,
  fields: object = {},
  headers = {},
): Promise<Answer<Body>> {
  const question = { model: 'acme/writer', prompt: 'What is new?', provider: { order: ['alpha', 'beta'] } };
  return gateway.app.api.post<Body>(COMPLETIONS, { key: key.plaintext, json: { ...question, ...fields }, headers });
}

/** Asks for a stream, and reads it to its end. */
export async function streamText(
  gateway: TestGateway,
  key: IssuedCredential,
  fields: object = {},
  headers = {},
): Promise<StreamedText> {
  const answer = await complete<string>(gateway, key, { ...fields, stream: true }, headers);
  const events = answer.text
    .split('\n\n')
    .filter((event) => event.startsWith('data: '))
    .map((event) => event.slice('data: '.length))
    .map((data) => (data === '[DONE]' ? data : (JSON.parse(data) as ShownText)));
  return { ...answer, events, chunks: events.filter((event) => event !== '[DONE]') };
}

/** The text that the chunks of a stream bring. @param index of the choice */
export function textOfChunks({ chunks }: StreamedText, index = 0): string {
  return chunks
    .flatMap(({ choices }) => choices)
    .filter((choice) => choice.index === index)
    .map(({ text }) => text)
    .join('');
}

/** Probabilities of tokens as a provider gives them. @param alternatives to each token */
export function probabilitiesOf(tokens: readonly string[], alternatives: readonly string[] = []): object {
  const top = alternatives.map((token, index) => ({ token, logprob: -2 - index, bytes: null }));
  return { content: tokens.map((token) => ({ token, logprob: -0.5, bytes: null, top_logprobs: top })), refusal: null };
}

/** The end of a stream that was cut. */
export const CUT_END = STREAM_END.replace('"stop"', '"length"');
