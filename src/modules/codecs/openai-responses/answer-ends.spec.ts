import { ProviderError } from '../errors/provider-error.js';
import { completionOf } from './answer-decoder.js';
import { ResponseEvents } from './stream-decoder.js';

const UPSTREAM = {
  provider: 'acme',
  baseUrl: 'https://acme.test',
  apiKey: null,
  timeouts: { connect: 1, headers: 1, firstEvent: 1, gap: 1 },
};

const OUTPUT = [{ type: 'message', content: [{ type: 'output_text', text: 'Hello' }] }];

/** How an answer ends, whole and as a stream. */
function endsOf(fields: object): readonly unknown[] {
  const response = { output: OUTPUT, ...fields };
  const data = JSON.stringify({ type: 'response.incomplete', response });
  const [streamed] = new ResponseEvents(UPSTREAM).read({ event: 'response.incomplete', data })!.choices;
  const [whole] = completionOf(response, UPSTREAM).choices;
  return [whole, streamed].map((choice) => [choice!.finish_reason, choice!.native_finish_reason]);
}

describe('Answers of the Responses interface', () => {
  it.each([
    ['max_output_tokens', 'length'],
    ['content_filter', 'content_filter'],
    ['out_of_luck', 'error'],
  ])('that are incomplete for the reason %s end with %s', (reason, expected) => {
    const end = [expected, reason];
    expect(endsOf({ status: 'incomplete', incomplete_details: { reason } })).toEqual([end, end]);
  });

  it('that are incomplete without a reason end with an error', () => {
    const end = ['error', 'incomplete'];
    expect(endsOf({ status: 'incomplete' })).toEqual([end, end]);
  });

  it.each(['failed', 'cancelled'])('that are %s are none', (status) => {
    expect(() => endsOf({ status })).toThrow(ProviderError);
    expect(() => completionOf({ output: OUTPUT, status }, UPSTREAM)).toThrow(ProviderError);
  });
});
