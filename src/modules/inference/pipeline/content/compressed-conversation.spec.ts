import { compressedConversation } from './compressed-conversation.js';

interface Said {
  readonly role: string;
  readonly content: string;
}

const say = (role: string, content: string): Said => ({ role, content });

const contentsOf = (messages: readonly Said[], largest: number): string[] =>
  (compressedConversation(messages as never, largest) as unknown as Said[]).map(({ content }) => content);

const CONVERSATION = [
  say('system', 'ssss'),
  say('user', 'aaaa'),
  say('assistant', 'bbbb'),
  say('user', 'cccc'),
  say('assistant', 'dddd'),
  say('user', 'eeee'),
];

describe('compressedConversation', () => {
  it.each([
    [24, ['ssss', 'aaaa', 'bbbb', 'cccc', 'dddd', 'eeee']],
    [23, ['ssss', 'aaaa', 'cccc', 'dddd', 'eeee']],
    [16, ['ssss', 'aaaa', 'dddd', 'eeee']],
    [12, ['ssss', 'dddd', 'eeee']],
    [8, ['ssss', 'eeee']],
    [1, ['ssss', 'eeee']],
  ])('leaves out the middle until %i bytes are left, but never the system and the last turn', (largest, contents) => {
    expect(contentsOf(CONVERSATION, largest)).toEqual(contents);
  });

  it('leaves calls of tools out with their results, and keeps those of the last turn with theirs', () => {
    const calls = [
      say('user', 'aaaa'),
      say('assistant', 'call'),
      say('tool', 'r1'),
      say('tool', 'r2'),
      say('assistant', 'last'),
      say('tool', 'r3'),
    ];
    expect(contentsOf(calls, 11)).toEqual(['aaaa', 'last', 'r3']);
    expect(contentsOf(calls, 6)).toEqual(['last', 'r3']);
  });

  it('counts bytes of UTF-8, and those of texts in parts', () => {
    const inParts = { role: 'user', content: [{ type: 'text', text: 'ééé' }] } as unknown as Said;
    expect(compressedConversation([inParts, say('user', 'x')] as never, 7)).toHaveLength(2);
    expect(compressedConversation([inParts, say('user', 'x')] as never, 6)).toHaveLength(1);
  });
});
