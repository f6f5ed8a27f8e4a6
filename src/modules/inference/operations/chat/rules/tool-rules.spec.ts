import { withMessagesFields } from '../../../../codecs/chat/messages-fields.js';
import { toolRules } from './tool-rules.js';

describe('toolRules', () => {
  it.each([
    [{ tools: [{ type: 'custom', custom: { name: 'x' } }] }, 'tools[0].type'],
    [{ tools: [{ type: 'openrouter:web_search' }] }, 'tools[0].type'],
    [{ tools: [{}] }, 'tools[0].type'],
    [{ tool_choice: { type: 'custom', custom: { name: 'x' } } }, 'tool_choice.type'],
    [{ tool_choice: { type: 'function', function: {} } }, 'tool_choice.function.name'],
    [{ functions: [{ name: 'x' }] }, 'functions'],
    [{ function_call: 'auto' }, 'function_call'],
    [{ enable_search: false }, 'enable_search'],
    [{ web_search: true }, 'web_search'],
    [{ venice_parameters: { enable_web_search: 'auto' } }, 'venice_parameters.enable_web_search'],
    [{ venice_parameters: { enable_web_search: true } }, 'venice_parameters.enable_web_search'],
    [{ venice_parameters: { enable_web_scraping: true } }, 'venice_parameters.enable_web_scraping'],
    [{ venice_parameters: { enable_x_search: true, enable_web_search: 'off' } }, 'venice_parameters.enable_x_search'],
  ])('refuses %j at %s', (body, path) => {
    expect(toolRules(body).map((issue) => issue.path)).toEqual([path]);
  });

  it.each([
    { tools: [{ type: 'function', function: { name: 'x' } }], functions: null, function_call: null },
    { tools: [withMessagesFields({ type: 'bash_20250124' }, { type: 'bash_20250124', name: 'bash' })] },
    { web_search: false, enable_search: null, venice_parameters: null },
    { venice_parameters: { enable_web_search: 'off', enable_web_scraping: false, enable_x_search: null } },
    { venice_parameters: { include_venice_system_prompt: false, enable_web_citations: true } },
    { tool_choice: { type: 'allowed_tools', allowed_tools: { mode: 'auto', tools: [] } } },
  ])('takes %j', (body) => {
    expect(toolRules(body)).toEqual([]);
  });
});
