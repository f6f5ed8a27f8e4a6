import { messageRules } from './message-rules.js';

const CALL = { id: 'call_1', type: 'function', function: { name: 'look_up', arguments: '{}' } };

const said = (fields: object): object => ({ role: 'user', content: 'x', ...fields });

/** The issues of a request with one message. */
const issuesOf = (message: object): string[] =>
  messageRules({ messages: [message] }).map(({ path, message: text }) => `${path}: ${text}`);

describe('messageRules', () => {
  it.each<[string, object, string]>([
    ['calls that are no list', { tool_calls: {} }, 'messages[0].tool_calls: must be array'],
    ['a call that is null', { tool_calls: [null] }, 'messages[0].tool_calls[0]: must be object'],
    [
      'a call without a function',
      { tool_calls: [{ id: 'a', type: 'function' }] },
      'messages[0].tool_calls[0].function: must have a name and arguments, both texts',
    ],
    [
      'a call of another type',
      { tool_calls: [{ ...CALL, type: 'custom' }] },
      'messages[0].tool_calls[0].type: must be function',
    ],
    ['a call without an id', { tool_calls: [{ ...CALL, id: 1 }] }, 'messages[0].tool_calls[0].id: must be string'],
    [
      'a long id of a call',
      { tool_calls: [{ ...CALL, id: 'a'.repeat(513) }] },
      'messages[0].tool_calls[0].id: must NOT have more than 512 characters',
    ],
    [
      'a long name of a function',
      { tool_calls: [{ ...CALL, function: { name: 'a'.repeat(129), arguments: '' } }] },
      'messages[0].tool_calls[0].function.name: must NOT have more than 128 characters',
    ],
    [
      'a name of two lines',
      { tool_calls: [{ ...CALL, function: { name: 'a\nb', arguments: '' } }] },
      'messages[0].tool_calls[0].function.name: must have no control characters',
    ],
    ['details that are no list', { reasoning_details: 'x' }, 'messages[0].reasoning_details: must be array'],
    ['a detail that is null', { reasoning_details: [null] }, 'messages[0].reasoning_details[0]: must be object'],
    [
      'a detail with a number as its text',
      { reasoning_details: [{ type: 'reasoning.text', text: 1 }] },
      'messages[0].reasoning_details[0].text: must be string',
    ],
    ['reasoning that is no text', { reasoning: {} }, 'messages[0].reasoning: must be string'],
    ['a refusal that is no text', { refusal: [] }, 'messages[0].refusal: must be string'],
    [
      'a call in the earlier form',
      { function_call: {} },
      'messages[0].function_call: must be null: it is the earlier form of tool_calls',
    ],
  ])('refuses %s, whatever the role', (_, fields, issue) => {
    for (const role of ['system', 'developer', 'user', 'assistant']) {
      expect(issuesOf(said({ role, ...fields }))).toEqual([issue]);
    }
    expect(issuesOf(said({ role: 'tool', tool_call_id: 'a', ...fields }))).toEqual([issue]);
  });

  it('refuses a result of a tool with a long id, and one in the earlier form', () => {
    expect(issuesOf(said({ role: 'tool', tool_call_id: 'a'.repeat(513) }))).toEqual([
      'messages[0].tool_call_id: must NOT have more than 512 characters',
    ]);
    expect(issuesOf(said({ role: 'function', name: 'look_up' }))).toEqual([
      'messages[0].role: must be tool, with the tool_call_id of the call: the role function is its earlier form',
    ]);
  });

  it('refuses a video of the earlier name without an address', () => {
    expect(issuesOf(said({ content: [{ type: 'input_video' }] }))).toEqual([
      'messages[0].content[0].video_url: must be object',
    ]);
    expect(issuesOf(said({ content: [{ type: 'input_video', video_url: { url: 'x' } }] }))).toEqual([
      'messages[0].content[0].video_url.url: must be a URL (https:// or data:)',
    ]);
  });

  it('takes what libraries send back of an answer, with fields that are null', () => {
    const nothing = { refusal: null, reasoning: null, function_call: null, tool_call_id: null, audio: null };
    const answers = [
      { tool_calls: null, reasoning_details: null },
      { tool_calls: [{ ...CALL, id: '' }], reasoning_details: [{ type: 'reasoning.text', text: null, id: null }] },
    ];
    for (const answer of answers) expect(issuesOf(said({ role: 'assistant', ...nothing, ...answer }))).toEqual([]);
  });
});
