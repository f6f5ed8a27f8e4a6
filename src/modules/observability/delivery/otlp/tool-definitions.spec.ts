import { toolDefinitionsOf } from './tool-definitions.js';

const parameters = { type: 'object', properties: { city: { type: 'string' } } };

describe('the definitions of tools', () => {
  it.each([
    [
      'in the form of chats',
      { type: 'function', function: { name: 'weather', description: 'Tells it.', parameters, strict: true } },
      { type: 'function', name: 'weather', description: 'Tells it.', parameters, strict: true },
    ],
    [
      'in the form of responses',
      { type: 'function', name: 'weather', parameters },
      { type: 'function', name: 'weather', parameters },
    ],
    [
      'in the form of messages',
      { name: 'weather', description: 'Tells it.', input_schema: parameters },
      { type: 'function', name: 'weather', description: 'Tells it.', parameters },
    ],
    [
      'in the form of messages, with its type',
      { type: 'custom', name: 'weather', input_schema: parameters },
      { type: 'function', name: 'weather', parameters },
    ],
    [
      'without a schema',
      { type: 'custom', custom: { name: 'shell', format: { type: 'text' } } },
      { type: 'custom', name: 'shell', format: { type: 'text' } },
    ],
    [
      'of the provider',
      { type: 'web_search_20250305', name: 'web_search', max_uses: 5 },
      { type: 'web_search_20250305', name: 'web_search', max_uses: 5 },
    ],
    ['of the provider, without a name', { type: 'web_search' }, { type: 'web_search', name: 'web_search' }],
    ['that are none', 5, 5],
  ])('%s have their name beside their type', (_, tool, expected) => {
    expect(toolDefinitionsOf([tool])).toEqual([expected]);
  });

  it('are none without tools', () => {
    expect(toolDefinitionsOf(undefined)).toBeUndefined();
  });
});
