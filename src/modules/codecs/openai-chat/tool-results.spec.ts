import type { ChatMessage } from '../chat/chat-completion.js';
import { withTextResults } from './request-encoder.js';

const IMAGE = { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } };
const FILE = { type: 'file', file: { file_data: 'data:application/pdf;base64,AAAA' } };

const text = (said: string): { type: string; text: string } => ({ type: 'text', text: said });

const result = (id: string, content: ChatMessage['content']): ChatMessage => ({
  role: 'tool',
  tool_call_id: id,
  content: content!,
});

const CALLS: ChatMessage = {
  role: 'assistant',
  content: null,
  tool_calls: ['a', 'b'].map((id) => ({ id, type: 'function', function: { name: 'look', arguments: '{}' } })),
};

describe('withTextResults', () => {
  it('leaves results of texts as they are', () => {
    const messages = [
      CALLS,
      result('a', 'Here.'),
      result('b', [text('There.')]),
      { role: 'user' as const, content: 'So?' },
    ];
    expect(withTextResults(messages)).toBe(messages);
  });

  it('puts what is no text into a message of the user, behind all results of the calls', () => {
    const messages = [CALLS, result('a', [text('A map:'), IMAGE]), result('b', [FILE])];
    expect(withTextResults(messages)).toEqual([
      CALLS,
      result('a', [text('A map:')]),
      result('b', 'The result is in the next message.'),
      {
        role: 'user',
        content: [text('Result of the tool call a:'), IMAGE, text('Result of the tool call b:'), FILE],
      },
    ]);
  });

  it('puts it before what the user says next, and before what anyone else says', () => {
    const named = [text('Result of the tool call a:'), IMAGE];
    const said = withTextResults([CALLS, result('a', [IMAGE]), { role: 'user', content: 'And?' }]);
    expect(said.slice(2)).toEqual([{ role: 'user', content: [...named, text('And?')] }]);
    const ended: ChatMessage = { role: 'assistant', content: 'I see.' };
    expect(withTextResults([CALLS, result('a', [IMAGE]), ended]).slice(2)).toEqual([
      { role: 'user', content: named },
      ended,
    ]);
  });
});
