import type { IssuedCredential } from '../../../../src/modules/keys/keys.service.js';
import type { Answer } from '../../../support/network/api-client.js';
import type { TestGateway } from '../test-gateway.js';

/** A path of the interface. */
export const RESPONSES = '/responses';

/** An answer in the form of the Responses interface, as far as tests look into it. */
export interface ShownResponse {
  readonly id: string;
  readonly status: string;
  readonly output: readonly Readonly<Record<string, unknown>>[];
  readonly usage: { readonly cost: number } & Record<string, unknown>;
  readonly [field: string]: unknown;
}

/** An event of a stream. */
export interface ShownEvent {
  readonly type: string;
  readonly sequence_number: number;
  readonly response?: ShownResponse;
  readonly [field: string]: unknown;
}

/** A stream that was read to its end. */
export interface StreamedResponse extends Answer<string> {
  readonly events: readonly ShownEvent[];
}

/** Asks for a whole answer of `acme/writer`, from Alpha first. @param fields of the request, over and above these */
export function respond<Body = ShownResponse>(
  gateway: TestGateway,
  key: IssuedCredential,
  fields: object = {},
  headers = {},
): Promise<Answer<Body>> {
  const question = { model: 'acme/writer', input: 'What is new?', provider: { order: ['alpha', 'beta'] } };
  return gateway.app.api.post<Body>(RESPONSES, { key: key.plaintext, json: { ...question, ...fields }, headers });
}

/** Asks for a stream, and reads it to its end. The name of each event must be its type. */
export async function streamResponse(
  gateway: TestGateway,
  key: IssuedCredential,
  fields: object = {},
  headers = {},
): Promise<StreamedResponse> {
  const answer = await respond<string>(gateway, key, { ...fields, stream: true }, headers);
  const events = answer.text
    .split('\n\n')
    .filter((event) => event.startsWith('event: '))
    .map((event) => {
      const [name, data] = event.split('\ndata: ');
      const parsed = JSON.parse(data!) as ShownEvent;
      expect(name).toBe(`event: ${parsed.type}`);
      return parsed;
    });
  return { ...answer, events };
}

/** The text that the events of a stream bring. */
export function textOfEvents({ events }: StreamedResponse): string {
  return events
    .filter(({ type }) => type === 'response.output_text.delta')
    .map(({ delta }) => delta)
    .join('');
}
