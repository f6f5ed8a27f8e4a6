import { type PlacedBlock, blockOrderOf, inBlockOrder } from './blocks.js';

const THINKING = { type: 'thinking', thinking: 'Hm' };
const CALL = { type: 'tool_use', id: 'c' };

function text(said: string): { readonly type: string; readonly text: string } {
  return { type: 'text', text: said };
}

describe('The order of the blocks of an answer', () => {
  it('is not said where a message of a chat has the same', () => {
    for (const blocks of [
      [],
      [text('One')],
      [THINKING, { type: 'redacted_thinking', data: 'x' }, text('One'), text('Two'), CALL, CALL],
      [text(''), THINKING, CALL],
      [CALL, { type: 'citation' }],
    ]) {
      expect(blockOrderOf(blocks)).toBeUndefined();
    }
  });

  it('is that of the provider where it thinks or writes again', () => {
    expect(blockOrderOf([THINKING, text('One'), text('Two'), THINKING, CALL, text('End')])).toEqual([
      { kind: 'thought', length: 0 },
      { kind: 'text', length: 6 },
      { kind: 'thought', length: 0 },
      { kind: 'call', length: 0 },
      { kind: 'text', length: 3 },
    ]);
  });

  const ORDER: readonly PlacedBlock[] = [
    { kind: 'thought', length: 0 },
    { kind: 'text', length: 3 },
    { kind: 'thought', length: 0 },
    { kind: 'text', length: 3 },
    { kind: 'call', length: 0 },
  ];
  const [FIRST, SECOND] = [{ thinking: 'first' }, { thinking: 'second' }];
  const WHOLE = { thoughts: [FIRST, SECOND], text: 'OneTwo', calls: [CALL] };

  it('puts the blocks into their places', () => {
    expect(inBlockOrder(ORDER, WHOLE, text)).toEqual([FIRST, text('One'), SECOND, text('Two'), CALL]);
  });

  it('leaves out the places of thoughts that are not shown', () => {
    expect(inBlockOrder(ORDER, { ...WHOLE, thoughts: [] }, text)).toEqual([text('One'), text('Two'), CALL]);
  });

  it.each([
    ['a thought less', { thoughts: [FIRST] }],
    ['a thought more', { thoughts: [FIRST, SECOND, FIRST] }],
    ['no call', { calls: [] }],
    ['a call more', { calls: [CALL, CALL] }],
    ['a shorter text', { text: 'One' }],
    ['a longer text', { text: 'OneTwoThree' }],
  ])('is not that of an answer with %s', (_, changed) => {
    expect(inBlockOrder(ORDER, { ...WHOLE, ...changed }, text)).toBeUndefined();
  });
});
