import { completionOf } from '../anthropic-messages/answer-decoder.js';
import { answerUsage } from '../../inference/pipeline/cost/charged-usage.js';
import { NO_COST } from '../../inference/pipeline/cost/cost.js';
import { responsesEncoder } from './stream-encoder.js';
import { saidParts } from './answer-encoder.js';
import { originOf } from './streamed-response.fixture.js';

const thought = (thinking: string): object => ({ type: 'thinking', thinking, signature: 'c2ln' });
const text = (said: string): object => ({ type: 'text', text: said });
const CALL = { type: 'tool_use', id: 'toolu_1', name: 'read', input: {} };

describe('The parts of a whole answer', () => {
  it('are in the order of a provider that thinks between texts', () => {
    const content = [thought('a'), text('One'), thought('b'), text('Two'), CALL];
    const [choice] = completionOf({ content, stop_reason: 'tool_use' }).choices;

    expect(saidParts(choice!)).toMatchObject([
      { reasoning_details: [{ text: 'a' }] },
      { content: 'One' },
      { reasoning_details: [{ text: 'b' }] },
      { content: 'Two' },
      { tool_calls: [{ index: 0, id: 'toolu_1' }] },
    ]);

    const answer = completionOf({ content, stop_reason: 'tool_use', usage: { input_tokens: 1, output_tokens: 1 } });
    const usage = answerUsage(answer.usage!, NO_COST, false);
    const request = { input: 'Hello' };
    const { output } = responsesEncoder(request).whole(originOf(request), answer, usage) as {
      output: { type: string }[];
    };
    expect(output.map(({ type }) => type)).toEqual(['reasoning', 'message', 'reasoning', 'message', 'function_call']);
  });

  it('are one where it thinks first, or where its text was changed', () => {
    const [usual] = completionOf({ content: [thought('a'), text('One')], stop_reason: 'end_turn' }).choices;
    const [mixed] = completionOf({
      content: [text('One'), thought('a'), text('Two')],
      stop_reason: 'end_turn',
    }).choices;
    const changed = { ...mixed!, message: { ...mixed!.message, content: 'One, two' } };

    expect(saidParts(usual!)).toEqual([usual!.message]);
    expect(saidParts(changed)).toEqual([changed.message]);
  });
});
