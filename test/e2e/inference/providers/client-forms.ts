import Anthropic from '@anthropic-ai/sdk';
import OpenAI from 'openai';
import type { IssuedCredential } from '../../../../src/modules/keys/keys.service.js';
import type { TestApplication } from '../../../support/application/test-application.js';

type Fields = Readonly<Record<string, unknown>>;

/** What a client wants to know, whatever the form in which it asks. */
export interface Question {
  readonly text: string;
  readonly instructions?: string;
  /** Data URLs. */
  readonly image?: string;
  readonly pdf?: string;
  readonly tools?: readonly CallableTool[];
  /** How hard the model is to think. */
  readonly effort?: 'low' | 'medium' | 'high';
  /** What the answer has to obey. */
  readonly schema?: Fields;
}

/** A function that a client runs. */
export interface CallableTool {
  readonly name: string;
  readonly parameters: Fields;
}

/** An answer, whatever its form. */
export interface ReadAnswer {
  readonly text: string;
  readonly thoughts: string;
  readonly calls: readonly { readonly id: string; readonly name: string; readonly input: unknown }[];
  readonly end: 'stop' | 'length' | 'calls' | 'refused';
  readonly tokens: {
    readonly prompt: number;
    readonly cached: number;
    readonly completion: number;
    readonly thoughts: number;
  };
  /** What the client keeps of it, in its form. */
  readonly kept: readonly Fields[];
}

/** A form in which clients ask, through an official client of it. */
export interface ClientForm {
  readonly name: string;
  readonly path: string;
  /** The conversation that begins with a question. */
  begin(question: Question): readonly Fields[];
  /** The results of the calls of an answer. */
  results(answer: ReadAnswer, results: readonly string[]): readonly Fields[];
  /** Asks for the next answer, whole or as a stream. @throws what the client throws for a refusal */
  ask(
    client: FormClients,
    model: string,
    question: Question,
    conversation: readonly Fields[],
    isStreamed: boolean,
  ): Promise<ReadAnswer>;
}

/** The official clients of the forms, for one key. */
export interface FormClients {
  readonly openai: OpenAI;
  readonly anthropic: Anthropic;
}

/** Clients that ask once, and not again. */
export function formClients({ origin }: Pick<TestApplication, 'origin'>, { plaintext }: IssuedCredential): FormClients {
  const baseURL = `${origin}/api/v1`;
  return {
    openai: new OpenAI({ apiKey: plaintext, baseURL, maxRetries: 0 }),
    anthropic: new Anthropic({ authToken: plaintext, apiKey: null, baseURL: `${origin}/api`, maxRetries: 0 }),
  };
}

const LONGEST = 8_000;

const base64Of = (dataUrl: string): string => dataUrl.slice(dataUrl.indexOf(',') + 1);

const typeOf = (dataUrl: string): string => /^data:([^;]*)/.exec(dataUrl)![1]!;

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

const given = <Value>(value: Value | undefined, fields: (value: Value) => Fields): Fields =>
  value === undefined ? {} : fields(value);

const END_OF_CHAT: Readonly<Record<string, ReadAnswer['end']>> = {
  stop: 'stop',
  length: 'length',
  tool_calls: 'calls',
  content_filter: 'refused',
};

/** Chats, of the OpenAI SDK. */
export const CHAT_FORM: ClientForm = {
  name: 'chats',
  path: '/chat/completions',

  begin: ({ text, instructions, image, pdf }) => [
    ...(instructions === undefined ? [] : [{ role: 'system', content: instructions }]),
    {
      role: 'user',
      content: [
        { type: 'text', text },
        ...(image === undefined ? [] : [{ type: 'image_url', image_url: { url: image } }]),
        ...(pdf === undefined ? [] : [{ type: 'file', file: { filename: 'report.pdf', file_data: pdf } }]),
      ],
    },
  ],

  results: ({ calls }, results) =>
    calls.map(({ id }, index) => ({ role: 'tool', tool_call_id: id, content: results[index] })),

  async ask({ openai }, model, { tools, effort, schema }, messages, isStreamed) {
    const request = {
      model,
      messages,
      max_tokens: LONGEST,
      ...given(tools, (all) => ({ tools: all.map((tool) => ({ type: 'function', function: tool })) })),
      ...given(effort, (word) => ({ reasoning_effort: word })),
      ...given(schema, (one) => ({
        response_format: { type: 'json_schema', json_schema: { name: 'answer', strict: true, schema: one } },
      })),
    };
    const { message, finish, usage } = isStreamed
      ? await streamedChat(openai, request)
      : await wholeChat(openai, request);
    const calls = (message['tool_calls'] ?? []) as readonly {
      id: string;
      function: { name: string; arguments: string };
    }[];
    return {
      text: textOf(message['content']),
      thoughts: textOf(message['reasoning']),
      calls: calls.map(({ id, function: called }) => ({
        id,
        name: called.name,
        input: JSON.parse(called.arguments) as unknown,
      })),
      end: END_OF_CHAT[finish]!,
      tokens: {
        prompt: usage.prompt_tokens,
        cached: usage.prompt_tokens_details?.cached_tokens ?? 0,
        completion: usage.completion_tokens,
        thoughts: usage.completion_tokens_details?.reasoning_tokens ?? 0,
      },
      kept: [message],
    };
  },
};

interface ReadChat {
  readonly message: Fields;
  readonly finish: string;
  readonly usage: OpenAI.CompletionUsage;
}

async function wholeChat(openai: OpenAI, request: object): Promise<ReadChat> {
  const { choices, usage } = await openai.chat.completions.create(
    request as OpenAI.ChatCompletionCreateParamsNonStreaming,
  );
  const { message, finish_reason: finish } = choices[0]!;
  return { message: message as unknown as Fields, finish, usage: usage! };
}

/** Its own accumulation keeps no reasoning, so that its chunks are collected as clients of chats do. */
async function streamedChat(openai: OpenAI, request: object): Promise<ReadChat> {
  const stream = await openai.chat.completions.create({
    ...(request as OpenAI.ChatCompletionCreateParamsNonStreaming),
    stream: true,
    stream_options: { include_usage: true },
  });
  const [texts, thoughts, details]: [string[], string[], unknown[]] = [[], [], []];
  const calls: { id: string; type: 'function'; function: { name: string; arguments: string } }[] = [];
  let [finish, usage]: [string, OpenAI.CompletionUsage | undefined] = ['', undefined];
  for await (const chunk of stream) {
    usage = chunk.usage ?? usage;
    for (const { delta, finish_reason: reason } of chunk.choices) {
      finish = reason ?? finish;
      const { content, reasoning, reasoning_details: more, tool_calls: parts } = delta as typeof delta & Fields;
      texts.push(content ?? '');
      thoughts.push(typeof reasoning === 'string' ? reasoning : '');
      if (Array.isArray(more)) details.push(...(more as unknown[]));
      for (const { index, id, function: called } of parts ?? []) {
        const call = (calls[index] ??= { id: id!, type: 'function', function: { name: called!.name!, arguments: '' } });
        call.function.arguments += called?.arguments ?? '';
      }
    }
  }
  const message = {
    role: 'assistant',
    content: texts.join('') || null,
    reasoning: thoughts.join(''),
    ...(details.length > 0 && { reasoning_details: details }),
    ...(calls.length > 0 && { tool_calls: calls }),
  };
  return { message, finish, usage: usage! };
}

const END_OF_MESSAGE: Readonly<Record<string, ReadAnswer['end']>> = {
  end_turn: 'stop',
  max_tokens: 'length',
  tool_use: 'calls',
  refusal: 'refused',
};

const BUDGETS = { low: 1_600, medium: 4_000, high: 6_400 } as const;

/** The Messages form, of the Anthropic SDK. */
export const MESSAGES_FORM: ClientForm = {
  name: 'the Messages form',
  path: '/messages',

  begin: ({ text, image, pdf }) => [
    {
      role: 'user',
      content: [
        { type: 'text', text },
        ...(image === undefined ? [] : [mediaBlock('image', image)]),
        ...(pdf === undefined ? [] : [mediaBlock('document', pdf)]),
      ],
    },
  ],

  results: ({ calls }, results) => [
    {
      role: 'user',
      content: calls.map(({ id }, index) => ({ type: 'tool_result', tool_use_id: id, content: results[index] })),
    },
  ],

  async ask({ anthropic }, model, { instructions, tools, effort, schema }, messages, isStreamed) {
    const request = {
      model,
      messages,
      max_tokens: LONGEST,
      ...given(instructions, (system) => ({ system })),
      ...given(tools, (all) => ({ tools: all.map(({ name, parameters }) => ({ name, input_schema: parameters })) })),
      ...given(effort, (word) => ({ thinking: { type: 'enabled', budget_tokens: BUDGETS[word] } })),
      ...given(schema, (one) => ({ output_config: { format: { type: 'json_schema', schema: one } } })),
    } as unknown as Anthropic.MessageCreateParamsNonStreaming;
    const {
      content,
      stop_reason: reason,
      usage,
    } = isStreamed ? await anthropic.messages.stream(request).finalMessage() : await anthropic.messages.create(request);
    const cached = usage.cache_read_input_tokens ?? 0;
    return {
      text: content.map((block) => (block.type === 'text' ? block.text : '')).join(''),
      thoughts: content.map((block) => (block.type === 'thinking' ? block.thinking : '')).join(''),
      calls: content.flatMap((block) =>
        block.type === 'tool_use' ? [{ id: block.id, name: block.name, input: block.input }] : [],
      ),
      end: END_OF_MESSAGE[reason!]!,
      tokens: {
        prompt: usage.input_tokens + cached,
        cached,
        completion: usage.output_tokens,
        thoughts:
          (usage as unknown as { output_tokens_details?: { thinking_tokens: number } }).output_tokens_details
            ?.thinking_tokens ?? 0,
      },
      kept: [{ role: 'assistant', content }],
    };
  },
};

function mediaBlock(type: string, dataUrl: string): Fields {
  return { type, source: { type: 'base64', media_type: typeOf(dataUrl), data: base64Of(dataUrl) } };
}

/** The Responses form, of the OpenAI SDK. */
export const RESPONSES_FORM: ClientForm = {
  name: 'the Responses form',
  path: '/responses',

  begin: ({ text, image, pdf }) => [
    {
      type: 'message',
      role: 'user',
      content: [
        { type: 'input_text', text },
        ...(image === undefined ? [] : [{ type: 'input_image', image_url: image, detail: 'auto' }]),
        ...(pdf === undefined ? [] : [{ type: 'input_file', filename: 'report.pdf', file_data: pdf }]),
      ],
    },
  ],

  results: ({ calls }, results) =>
    calls.map(({ id }, index) => ({ type: 'function_call_output', call_id: id, output: results[index] })),

  async ask({ openai }, model, { instructions, tools, effort, schema }, input, isStreamed) {
    const request = {
      model,
      input,
      store: false,
      include: ['reasoning.encrypted_content'],
      max_output_tokens: LONGEST,
      ...given(instructions, (text) => ({ instructions: text })),
      ...given(tools, (all) => ({ tools: all.map((tool) => ({ type: 'function', strict: false, ...tool })) })),
      ...given(effort, (word) => ({ reasoning: { effort: word } })),
      ...given(schema, (one) => ({
        text: { format: { type: 'json_schema', name: 'answer', strict: true, schema: one } },
      })),
    } as unknown as OpenAI.Responses.ResponseCreateParamsNonStreaming;
    const response = isStreamed
      ? await openai.responses.stream({ ...request, stream: true } as never).finalResponse()
      : await openai.responses.create(request);
    const { output, usage, status, incomplete_details: incomplete } = response;
    const texts = output.flatMap((item) => (item.type === 'message' ? item.content : []));
    const calls = output.flatMap((item) => (item.type === 'function_call' ? [item] : []));
    const ended = calls.length > 0 ? 'calls' : 'stop';
    return {
      text: texts.map((part) => (part.type === 'output_text' ? part.text : '')).join(''),
      thoughts: output
        .flatMap((item) => (item.type === 'reasoning' ? [...(item.content ?? []), ...item.summary] : []))
        .map(({ text }) => text)
        .join(''),
      calls: calls.map(({ call_id: id, name, arguments: text }) => ({ id, name, input: JSON.parse(text) as unknown })),
      end: status !== 'incomplete' ? ended : incomplete?.reason === 'content_filter' ? 'refused' : 'length',
      tokens: {
        prompt: usage!.input_tokens,
        cached: usage!.input_tokens_details.cached_tokens,
        completion: usage!.output_tokens,
        thoughts: usage!.output_tokens_details.reasoning_tokens,
      },
      kept: output as unknown as readonly Fields[],
    };
  },
};

/** All forms in which clients ask for chats. */
export const CLIENT_FORMS: readonly ClientForm[] = [CHAT_FORM, MESSAGES_FORM, RESPONSES_FORM];
