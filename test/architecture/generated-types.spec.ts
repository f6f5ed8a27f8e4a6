import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';

/** Requests as people write them, each with the type that a generator makes of its body. */
const REQUESTS = `
import type { components } from './schema.js';

type Schemas = components['schemas'];

export const chat: Schemas['ChatCompletionRequest'] = {
  model: 'gatehouse/echo',
  stream: true,
  messages: [
    { role: 'system', content: 'You are brief.' },
    {
      role: 'user',
      content: [
        { type: 'text', text: 'What is this?', cache_control: { type: 'ephemeral', ttl: '1h' } },
        { type: 'image_url', image_url: { url: 'https://example.com/bicycle.png', detail: 'low' } },
      ],
    },
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'get_weather', arguments: '{}' } }],
    },
    { role: 'tool', tool_call_id: 'call_1', content: '18 degrees' },
  ],
  tools: [{ type: 'function', function: { name: 'get_weather', parameters: { type: 'object' }, strict: true } }],
  tool_choice: { type: 'function', function: { name: 'get_weather' } },
  response_format: { type: 'json_schema', json_schema: { name: 'weather', schema: { type: 'object' } } },
  provider: { sort: 'price', max_price: { prompt: 1 }, preferred_max_latency: { p90: 2 } },
  reasoning: { effort: 'low' },
  plugins: [{ id: 'context-compression' }],
};

export const message: Schemas['MessagesRequest'] = {
  model: 'gatehouse/echo',
  max_tokens: 1024,
  system: [{ type: 'text', text: 'You are brief.' }],
  messages: [
    { role: 'user', content: 'Hello' },
    { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_1', name: 'get_weather', input: { city: 'Paris' } }] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: '18 degrees' }] },
  ],
  tools: [{ name: 'get_weather', input_schema: { type: 'object' } }],
  thinking: { type: 'enabled', budget_tokens: 1024 },
};

export const response: Schemas['ResponsesRequest'] = {
  model: 'gatehouse/echo',
  input: [
    { role: 'user', content: [{ type: 'input_text', text: 'Hello' }] },
    { type: 'function_call', call_id: 'call_1', name: 'get_weather', arguments: '{}' },
    { type: 'function_call_output', call_id: 'call_1', output: '18 degrees' },
  ],
  tools: [{ type: 'function', name: 'get_weather', parameters: { type: 'object' } }],
};

export const key: Schemas['CreateKeyRequest'] = { name: 'Production', limit: 50, limit_reset: 'monthly' };

export function textOf(event: Schemas['ChatStreamEvent']): string {
  return event.data.choices[0]?.delta.content ?? '';
}

export function answerOf({ choices }: Schemas['ChatCompletionResponse']): string | undefined {
  return choices[0]?.message.tool_calls?.[0]?.function.arguments;
}
`;

/** Programs with a mistake in each. */
const MISTAKES: Readonly<Record<string, readonly [text: string, wrong: string]>> = {
  'a role that there is not': ["{ role: 'system', content", "{ role: 'robot', content"],
  'a message without a content': ["{ role: 'user', content: 'Hello' }", "{ role: 'user' }"],
  'an interval that there is not': ["limit_reset: 'monthly'", "limit_reset: 'hourly'"],
  'a tool without a name': ["{ name: 'get_weather', input_schema", '{ input_schema'],
};

describe('types that openapi-typescript makes of the document', () => {
  let folder: string;

  beforeAll(() => {
    // Within the repository, so that the compiler finds its own libraries.
    folder = mkdtempSync(path.join(process.cwd(), 'node_modules', '.generated-types-'));
    const program = path.join('node_modules', 'openapi-typescript', 'bin', 'cli.js');
    const options = ['openapi.json', '--default-non-nullable=false', '--output', path.join(folder, 'schema.d.ts')];
    const { status, stderr } = spawnSync(process.execPath, [program, ...options], { encoding: 'utf8' });
    if (status !== 0) throw new Error(stderr);
  });

  afterAll(() => rmSync(folder, { recursive: true }));

  /** What the compiler says of some code beside the types. */
  const mistakesIn = (code: string): string[] => {
    const file = path.join(folder, 'requests.ts');
    writeFileSync(file, code);
    const options = { strict: true, noEmit: true, skipLibCheck: true, types: [], lib: ['lib.es2023.d.ts'] };
    const module = { module: ts.ModuleKind.NodeNext, moduleResolution: ts.ModuleResolutionKind.NodeNext };
    const program = ts.createProgram([file], { ...options, ...module });
    return ts
      .getPreEmitDiagnostics(program)
      .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
  };

  it('take chats, messages, responses and keys as they are written, and give what is in answers', () => {
    expect(mistakesIn(REQUESTS)).toEqual([]);
  });

  it.each(Object.keys(MISTAKES))('find %s', (name) => {
    const [text, wrong] = MISTAKES[name]!;
    expect(REQUESTS).toContain(text);
    expect(mistakesIn(REQUESTS.replace(text, wrong))).not.toEqual([]);
  });
});
