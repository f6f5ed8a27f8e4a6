import type { ModelAnswer } from '../../../support/network/model-answers.js';

type Fields = Readonly<Record<string, unknown>>;

/** An image of one pixel, and the beginning of a PDF, in base64. */
export const IMAGE = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
export const PDF = 'JVBERi0xLjcKJeLjz9MK';

/** The tool that requests offer. */
export const TOOL = {
  name: 'weather',
  description: 'Weather of a city',
  parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
} as const;

/** The schema that answers are asked to obey. */
export const SCHEMA = {
  type: 'object',
  properties: { city: { type: 'string' } },
  required: ['city'],
  additionalProperties: false,
} as const;

/** What a client asks for, whatever its form. */
export interface Question {
  readonly text: string;
  readonly instructions?: string;
  readonly image?: boolean;
  readonly pdf?: boolean;
  readonly tool?: boolean;
  /** Whether the model is to think before it answers. */
  readonly thinks?: boolean;
  readonly schema?: boolean;
  /** Whether the question is marked for the cache of the provider. */
  readonly isCached?: boolean;
}

/** What a client reads of an answer, whatever its form. */
export interface ReadAnswer {
  readonly text: string;
  readonly thought: string;
  readonly calls: readonly { readonly id: string; readonly name: string; readonly input: unknown }[];
  readonly end: 'stop' | 'length' | 'calls' | 'refused' | 'failed';
  /** Undefined where the answer says nothing of it. */
  readonly tokens: { readonly prompt: number; readonly cached: number; readonly completion: number } | undefined;
}

/** How clients of one form ask and read. */
export interface ClientForm {
  readonly path: string;
  /** The first request of a conversation. */
  asking(question: Question): Fields;
  /** A request with an answer as it came, and the results of its calls in their order. @param answer whole, as JSON */
  continuing(request: Fields, answer: Fields, results: readonly string[]): Fields;
  read(answer: Fields): ReadAnswer;
  /** The whole answer that the events of a stream are put together to. */
  assembled(events: readonly Fields[]): Fields;
}

function listOf(value: unknown): readonly Fields[] {
  return Array.isArray(value) ? (value as Fields[]) : [];
}

function fieldsOf(value: unknown): Fields {
  return (value ?? {}) as Fields;
}

function textIn(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** The data of the events of a stream, but for `[DONE]`. */
export function streamedEvents(text: string): readonly Fields[] {
  return text
    .split('\n')
    .filter((line) => line.startsWith('data: ') && line !== 'data: [DONE]')
    .map((line) => JSON.parse(line.slice('data: '.length)) as Fields);
}

const CHAT_ENDS = { stop: 'stop', length: 'length', tool_calls: 'calls', content_filter: 'refused' } as const;

const MARK = { cache_control: { type: 'ephemeral' } };

const CHAT: ClientForm = {
  path: '/chat/completions',

  asking: ({ text, instructions, image, pdf, tool, thinks, schema, isCached }) => ({
    max_tokens: 4_000,
    messages: [
      ...(instructions === undefined ? [] : [{ role: 'system', content: instructions }]),
      {
        role: 'user',
        content: [
          { type: 'text', text, ...(isCached === true && MARK) },
          ...(image === true ? [{ type: 'image_url', image_url: { url: `data:image/png;base64,${IMAGE}` } }] : []),
          ...(pdf === true
            ? [{ type: 'file', file: { filename: 'report.pdf', file_data: `data:application/pdf;base64,${PDF}` } }]
            : []),
        ],
      },
    ],
    ...(tool === true && { tools: [{ type: 'function', function: TOOL }] }),
    ...(thinks === true && { reasoning: { effort: 'high' } }),
    ...(schema === true && {
      response_format: { type: 'json_schema', json_schema: { name: 'place', schema: SCHEMA, strict: true } },
    }),
  }),

  continuing(request, answer, results) {
    const { message } = fieldsOf(listOf(answer['choices'])[0]);
    const calls = listOf(fieldsOf(message)['tool_calls']);
    const tools = results.map((content, at) => ({ role: 'tool', tool_call_id: calls[at]!['id'], content }));
    return { ...request, messages: [...listOf(request['messages']), message, ...tools] };
  },

  read(answer) {
    const choice = fieldsOf(listOf(answer['choices'])[0]);
    const message = fieldsOf(choice['message']);
    const usage = answer['usage'] as Fields | undefined;
    return {
      text: textIn(message['content']),
      thought: textIn(message['reasoning']),
      calls: listOf(message['tool_calls']).map(({ id, function: called }) => {
        const { name, arguments: input } = called as { name: string; arguments: string };
        return { id: String(id), name, input: JSON.parse(input) as unknown };
      }),
      end: CHAT_ENDS[choice['finish_reason'] as keyof typeof CHAT_ENDS] ?? 'failed',
      tokens: usage && {
        prompt: usage['prompt_tokens'] as number,
        cached: (fieldsOf(usage['prompt_tokens_details'])['cached_tokens'] as number | undefined) ?? 0,
        completion: usage['completion_tokens'] as number,
      },
    };
  },

  assembled(events) {
    const message: Record<string, unknown> = { role: 'assistant', content: '' };
    const calls: { id?: unknown; type?: unknown; function: { name: string; arguments: string } }[] = [];
    let [end, usage]: unknown[] = [null, undefined];
    for (const event of events) {
      if (event['error'] !== undefined) end = 'error';
      usage = event['usage'] ?? usage;
      for (const choice of listOf(event['choices'])) {
        const delta = fieldsOf(choice['delta']);
        for (const field of ['content', 'reasoning']) {
          if (typeof delta[field] === 'string') message[field] = `${textIn(message[field])}${delta[field]}`;
        }
        const details = listOf(delta['reasoning_details']);
        if (details.length > 0) message['reasoning_details'] = [...listOf(message['reasoning_details']), ...details];
        for (const part of listOf(delta['tool_calls'])) {
          const { name = '', arguments: input = '' } = fieldsOf(part['function']) as Record<string, string>;
          const call = (calls[part['index'] as number] ??= { function: { name: '', arguments: '' } });
          if (part['id'] !== undefined) [call.id, call.type] = [part['id'], part['type']];
          call.function.name += name;
          call.function.arguments += input;
        }
        if (end !== 'error') end = choice['finish_reason'] ?? end;
      }
    }
    return {
      choices: [
        { index: 0, message: { ...message, ...(calls.length > 0 && { tool_calls: calls }) }, finish_reason: end },
      ],
      usage,
    };
  },
};

const MESSAGES_ENDS = {
  end_turn: 'stop',
  stop_sequence: 'stop',
  max_tokens: 'length',
  tool_use: 'calls',
  refusal: 'refused',
} as const;

const base64 = (type: string, data: string): object => ({ type: 'base64', media_type: type, data });

const MESSAGES: ClientForm = {
  path: '/messages',

  asking: ({ text, instructions, image, pdf, tool, thinks, schema, isCached }) => ({
    max_tokens: 4_000,
    ...(instructions !== undefined && { system: instructions }),
    messages: [
      {
        role: 'user',
        content: [
          { type: 'text', text, ...(isCached === true && MARK) },
          ...(image === true ? [{ type: 'image', source: base64('image/png', IMAGE) }] : []),
          ...(pdf === true ? [{ type: 'document', source: base64('application/pdf', PDF), title: 'report.pdf' }] : []),
        ],
      },
    ],
    ...(tool === true && {
      tools: [{ name: TOOL.name, description: TOOL.description, input_schema: TOOL.parameters }],
    }),
    ...(thinks === true && { thinking: { type: 'enabled', budget_tokens: 3_200 } }),
    ...(schema === true && { output_config: { format: { type: 'json_schema', schema: SCHEMA } } }),
  }),

  continuing(request, answer, results) {
    const content = listOf(answer['content']);
    const calls = content.filter(({ type }) => type === 'tool_use');
    const answered = results.map((result, at) => ({
      type: 'tool_result',
      tool_use_id: calls[at]!['id'],
      content: result,
    }));
    const turns = [
      { role: 'assistant', content },
      { role: 'user', content: answered },
    ];
    return { ...request, messages: [...listOf(request['messages']), ...turns] };
  },

  read(answer) {
    const content = listOf(answer['content']);
    const usage = answer['usage'] as Readonly<Record<string, number>> | undefined;
    const said = (type: string, field: string): string =>
      content.map((block) => (block['type'] === type ? textIn(block[field]) : '')).join('');
    const cached = usage?.['cache_read_input_tokens'] ?? 0;
    return {
      text: said('text', 'text'),
      thought: said('thinking', 'thinking'),
      calls: content.flatMap(({ type, id, name, input }) =>
        type === 'tool_use' ? [{ id: String(id), name: String(name), input }] : [],
      ),
      end: MESSAGES_ENDS[answer['stop_reason'] as keyof typeof MESSAGES_ENDS] ?? 'failed',
      tokens: usage && {
        prompt: usage['input_tokens']! + cached + (usage['cache_creation_input_tokens'] ?? 0),
        cached,
        completion: usage['output_tokens']!,
      },
    };
  },

  assembled(events) {
    const content: Record<string, unknown>[] = [];
    const inputs = new Map<Record<string, unknown>, string>();
    let answer: Fields = {};
    for (const event of events) {
      const block = content[event['index'] as number] ?? {};
      const delta = fieldsOf(event['delta']);
      if (event['type'] === 'message_start') answer = fieldsOf(event['message']);
      if (event['type'] === 'content_block_start') {
        content[event['index'] as number] = { ...fieldsOf(event['content_block']) };
      }
      if (event['type'] === 'content_block_delta') {
        for (const field of ['text', 'thinking', 'signature']) {
          if (delta[field] !== undefined) block[field] = `${textIn(block[field])}${textIn(delta[field])}`;
        }
        const input = `${inputs.get(block) ?? ''}${textIn(delta['partial_json'])}`;
        if (input !== '') inputs.set(block, input);
        if (input !== '' && event !== undefined) block['input'] = parsedIfWhole(input);
      }
      if (event['type'] === 'message_delta') answer = { ...answer, ...delta, usage: event['usage'] };
      if (event['type'] === 'error') answer = { ...answer, stop_reason: 'error' };
    }
    return { ...answer, content };
  },
};

/** The input of a call, of which more may come. */
function parsedIfWhole(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

const RESPONSES: ClientForm = {
  path: '/responses',

  asking: ({ text, instructions, image, pdf, tool, thinks, schema, isCached }) => ({
    max_output_tokens: 4_000,
    ...(instructions !== undefined && { instructions }),
    input: [
      {
        role: 'user',
        content: [
          { type: 'input_text', text, ...(isCached === true && MARK) },
          ...(image === true ? [{ type: 'input_image', image_url: `data:image/png;base64,${IMAGE}` }] : []),
          ...(pdf === true
            ? [{ type: 'input_file', filename: 'report.pdf', file_data: `data:application/pdf;base64,${PDF}` }]
            : []),
        ],
      },
    ],
    ...(tool === true && { tools: [{ type: 'function', ...TOOL }] }),
    ...(thinks === true && { reasoning: { effort: 'high', summary: 'auto' } }),
    ...(schema === true && {
      text: { format: { type: 'json_schema', name: 'place', schema: SCHEMA, strict: true } },
    }),
  }),

  continuing(request, answer, results) {
    const output = listOf(answer['output']);
    const calls = output.filter(({ type }) => type === 'function_call');
    const answered = results.map((result, at) => ({
      type: 'function_call_output',
      call_id: calls[at]!['call_id'],
      output: result,
    }));
    return { ...request, input: [...listOf(request['input']), ...output, ...answered] };
  },

  read(answer) {
    const output = listOf(answer['output']);
    const usage = answer['usage'] as Fields | undefined;
    const parts = output.flatMap((item) => (item['type'] === 'message' ? listOf(item['content']) : []));
    const thoughts = output.flatMap((item) =>
      item['type'] === 'reasoning' ? [...listOf(item['summary']), ...listOf(item['content'])] : [],
    );
    return {
      text: parts.map((part) => textIn(part['text'])).join(''),
      thought: thoughts.map((part) => textIn(part['text'])).join(''),
      calls: output.flatMap(({ type, call_id: id, name, arguments: input }) =>
        type === 'function_call'
          ? [{ id: String(id), name: String(name), input: JSON.parse(String(input)) as unknown }]
          : [],
      ),
      end: endOfResponse(answer),
      tokens: usage && {
        prompt: usage['input_tokens'] as number,
        cached: (fieldsOf(usage['input_tokens_details'])['cached_tokens'] as number | undefined) ?? 0,
        completion: usage['output_tokens'] as number,
      },
    };
  },

  assembled(events) {
    const last = events.at(-1) ?? {};
    const text = events.map((event) => (event['type'] === 'response.output_text.delta' ? textIn(event['delta']) : ''));
    const response = fieldsOf(last['response']);
    // Clients show the pieces, and keep the response at the end: both have to say the same.
    if (response['status'] === 'completed') expect(RESPONSES.read(response).text).toBe(text.join(''));
    return response;
  },
};

function endOfResponse({ status, incomplete_details: details, output }: Fields): ReadAnswer['end'] {
  if (status === 'incomplete') {
    return fieldsOf(details)['reason'] === 'content_filter' ? 'refused' : 'length';
  }
  if (status !== 'completed') return 'failed';
  return listOf(output).some(({ type }) => type === 'function_call') ? 'calls' : 'stop';
}

/** The forms of clients, by the names of their interfaces. */
export const CLIENT_FORMS: Readonly<Record<'chat' | 'messages' | 'responses', ClientForm>> = {
  chat: CHAT,
  messages: MESSAGES,
  responses: RESPONSES,
};

/** What a client has to read of what a model says. */
export function readOf({ text = '', thought, calls = [], end, tokens }: ModelAnswer): Omit<ReadAnswer, 'tokens'> & {
  readonly tokens: object | undefined;
} {
  return {
    text,
    thought: thought?.text ?? '',
    calls: calls.map(({ id, name, input }) => ({ id, name, input })),
    end: end ?? (calls.length > 0 ? 'calls' : 'stop'),
    tokens: tokens && { prompt: tokens.prompt, cached: tokens.cached, completion: tokens.completion },
  };
}
