import { readEnvironment } from '../../../../config/environment.js';
import type { ChatMessage } from '../../../codecs/chat/chat-completion.js';
import { ConversationNames } from './conversation.js';

const namesUnder = (byte: string): ConversationNames =>
  new ConversationNames(readEnvironment({ ENCRYPTION_KEY: byte.repeat(32) }));

const names = namesUnder('11');

const nameOf = (hints: object, organizationId = 'one', by = names): string =>
  by.conversationOf(organizationId, { messages: [], ...hints }).name;

const messages = (...all: readonly (readonly [ChatMessage['role'], ChatMessage['content']])[]): object => ({
  messages: all.map(([role, content]) => ({ role, content })),
});

describe('ConversationNames', () => {
  const beginning = messages(['system', 'Be kind.'], ['user', 'Hello']);

  it('gives requests with the same beginning one name, whatever follows', () => {
    const later = messages(['system', 'Be kind.'], ['user', 'Hello'], ['assistant', 'Yes?'], ['user', 'More']);

    expect(nameOf(later)).toBe(nameOf(beginning));
    expect(nameOf(messages(['user', 'Hello'], ['developer', 'Be kind.']))).toBe(nameOf(beginning));
  });

  it.each([
    ['another system message', messages(['system', 'Be rude.'], ['user', 'Hello'])],
    ['another first message', messages(['system', 'Be kind.'], ['user', 'Bye'])],
    ['no system message', messages(['user', 'Hello'])],
    ['another division of the same text', messages(['system', 'Be kind.Hello'], ['user', ''])],
    ['parts instead of a text', messages(['system', 'Be kind.'], ['user', [{ type: 'text', text: 'Hello' }]])],
    ['a session', { ...beginning, session_id: 'a' }],
    ['a key of the cache', { ...beginning, prompt_cache_key: 'a' }],
  ])('gives a request with %s another name', (_, hints) => {
    expect(nameOf(hints)).not.toBe(nameOf(beginning));
  });

  it('goes by the session before the key of the cache, and by both before the messages', () => {
    const session = nameOf({ session_id: 'a' });

    expect(nameOf({ ...beginning, session_id: 'a', prompt_cache_key: 'b' })).toBe(session);
    expect(nameOf({ ...beginning, session_id: null, prompt_cache_key: 'a' })).toBe(nameOf({ prompt_cache_key: 'a' }));
    expect(nameOf({ prompt_cache_key: 'a' })).not.toBe(session);
    expect(nameOf({ ...beginning, session_id: '' })).toBe(nameOf(beginning));
  });

  it('gives every organization and every deployment names of its own', () => {
    expect(nameOf(beginning, 'two')).not.toBe(nameOf(beginning));
    expect(nameOf(beginning, 'one', namesUnder('22'))).not.toBe(nameOf(beginning));
    expect(nameOf(beginning, 'one', namesUnder('11'))).toBe(nameOf(beginning));
    const keyless = (): ConversationNames => new ConversationNames(readEnvironment({}));
    expect(nameOf(beginning, 'one', keyless())).not.toBe(nameOf(beginning, 'one', keyless()));
  });

  it('looks at the beginnings of long messages alone, so that a name takes no time in proportion to them', () => {
    const long = 'word '.repeat(100_000);

    expect(nameOf(messages(['user', `${long}one`]))).toBe(nameOf(messages(['user', `${long}two`])));
    const parts = (last: string): object =>
      messages([
        'user',
        [
          { type: 'text', text: long },
          { type: 'text', text: last },
        ],
      ]);
    expect(nameOf(parts('one'))).toBe(nameOf(parts('two')));
    expect(nameOf(messages(['user', long]))).toMatch(/^[A-Za-z0-9_-]{22}$/);
  });
});
