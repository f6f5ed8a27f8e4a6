import type { ServerResponse } from 'node:http';
import { answerGemini, geminiChunks } from '../../../support/network/gemini-simulator.js';
import type { ModelAnswer } from '../../../support/network/model-answers.js';
import type { ProviderServer, ReceivedRequest } from '../../../support/network/provider-server.js';
import { answerConverse } from '../../../support/network/simulated-bedrock.js';
import { claudeEvents, claudeMessage } from '../../../support/network/simulated-claude.js';
import { STREAM_HEAD } from '../provider-answers.js';

type Fields = Readonly<Record<string, unknown>>;

/** Writes an answer in the form of a dialect, whole or as a stream, as a request asks. */
type Write = (answer: ModelAnswer, response: ServerResponse, request: ReceivedRequest) => void;

const isStreamed = ({ body }: ReceivedRequest): boolean => (body as { stream?: boolean }).stream === true;

function send(response: ServerResponse, document: object): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(document));
}

function sendEvents(response: ServerResponse, events: readonly object[], end = ''): void {
  const text = events.map(
    (event) => `event: ${'type' in event ? String(event.type) : 'message'}\ndata: ${JSON.stringify(event)}\n\n`,
  );
  response.writeHead(200, STREAM_HEAD).end(`${text.join('')}${end}`);
}

const answerMessages: Write = (answer, response, request) =>
  isStreamed(request) ? sendEvents(response, claudeEvents(answer)) : send(response, claudeMessage(answer));

const answerResponses: Write = ({ thought, text, calls = [] }, response, request) => {
  const output: readonly Fields[] = [
    ...(thought === undefined
      ? []
      : [
          {
            type: 'reasoning',
            id: `rs_${thought.signature.length}`,
            summary: [{ type: 'summary_text', text: thought.text }],
            encrypted_content: thought.signature,
          },
        ]),
    ...(text === undefined
      ? []
      : [
          {
            type: 'message',
            id: 'msg_1',
            role: 'assistant',
            content: [{ type: 'output_text', text, annotations: [] }],
          },
        ]),
    ...calls.map(({ id, name, input }) => ({
      type: 'function_call',
      id: `fc_${id}`,
      call_id: id,
      name,
      arguments: JSON.stringify(input),
    })),
  ];
  const usage = { input_tokens: 30, output_tokens: 20, total_tokens: 50 };
  const whole = { id: 'resp_1', object: 'response', status: 'completed', output, usage };
  if (!isStreamed(request)) {
    send(response, whole);
    return;
  }
  sendEvents(response, [
    { type: 'response.created', response: { ...whole, status: 'in_progress', output: [] } },
    ...output.flatMap((item, at) => [
      { type: 'response.output_item.added', output_index: at, item: { ...item, encrypted_content: '', arguments: '' } },
      ...(item['type'] === 'message' ? [{ type: 'response.output_text.delta', output_index: at, delta: text }] : []),
      { type: 'response.output_item.done', output_index: at, item },
    ]),
    { type: 'response.completed', response: whole },
  ]);
};

/** The form of chats as Google has it: a signature stands at the call or the text that it signs. */
const answerSignedChat: Write = ({ thought, text, calls = [] }, response, request) => {
  const signed = thought && { extra_content: { google: { thought_signature: thought.signature } } };
  const made = calls.map(({ id, name, input }, index) => ({
    index,
    id,
    type: 'function',
    function: { name, arguments: JSON.stringify(input) },
    ...(index === 0 && signed),
  }));
  const message = {
    role: 'assistant',
    content: text ?? null,
    ...(made.length > 0 ? { tool_calls: made } : signed),
  };
  answerChat(message, made.length > 0 ? 'tool_calls' : 'stop', response, request);
};

/** The form of chats as gateways have it. */
const answerDetailedChat: Write = ({ thought, text, calls = [] }, response, request) => {
  const details = thought && [
    { type: 'reasoning.summary', format: 'openai-responses-v1', index: 0, id: 'rs_1', summary: thought.text },
    { type: 'reasoning.encrypted', format: 'openai-responses-v1', index: 0, id: 'rs_1', data: thought.signature },
  ];
  const made = calls.map(({ id, name, input }, index) => ({
    index,
    id,
    type: 'function',
    function: { name, arguments: JSON.stringify(input) },
  }));
  const message = {
    role: 'assistant',
    content: text ?? null,
    ...(thought && { reasoning: thought.text, reasoning_details: details }),
    ...(made.length > 0 && { tool_calls: made }),
  };
  answerChat(message, made.length > 0 ? 'tool_calls' : 'stop', response, request);
};

function answerChat(message: object, reason: string, response: ServerResponse, request: ReceivedRequest): void {
  const head = { id: 'chatcmpl-1', model: 'upstream' };
  const usage = { prompt_tokens: 30, completion_tokens: 20, total_tokens: 50 };
  if (!isStreamed(request)) {
    send(response, { ...head, choices: [{ index: 0, message, finish_reason: reason }], usage });
    return;
  }
  const chunks = [
    { ...head, choices: [{ index: 0, delta: message, finish_reason: null }] },
    { ...head, choices: [{ index: 0, delta: {}, finish_reason: reason }], usage },
  ];
  sendEvents(response, chunks, 'data: [DONE]\n\n');
}

/** A dialect in which a provider gives thoughts that only it can read. */
export interface ThinkingDialect {
  readonly protocol: string;
  /** A model whose thoughts are handed back in the dialect. */
  readonly model: string;
  readonly write: Write;
}

/** All of them, by their names. */
export const THINKING_DIALECTS = {
  'the Responses interface': { protocol: 'openai-responses', model: 'acme/thinker', write: answerResponses },
  'the Messages form': { protocol: 'anthropic', model: 'anthropic/claude-sonnet-4.5', write: answerMessages },
  'the dialect of Gemini': {
    protocol: 'gemini',
    model: 'google/gemini-3-flash-preview',
    write: (answer, response, request) =>
      answerGemini(response, request, () => ({ chunks: geminiChunks(answer) }), { demandsSignatures: true }),
  },
  Converse: { protocol: 'converse', model: 'anthropic/claude-sonnet-4.5', write: answerConverse },
  'chats with signed calls': { protocol: 'openai', model: 'google/gemini-3-flash-preview', write: answerSignedChat },
  'chats with details': { protocol: 'openai', model: 'acme/thinker', write: answerDetailedChat },
} as const satisfies Readonly<Record<string, ThinkingDialect>>;

/** Refuses a request as a provider does that does not take a thought. */
export type Refusal = (response: ServerResponse) => void;

/**
 * Providers of one dialect whose thoughts say whose they are: of which provider, under which of its credentials. Each request is looked
 * through for thoughts of others.
 */
export class ThinkingProviders {
  /** Thoughts that have come to another provider or credential than their own; none of them may. */
  readonly strayed: string[] = [];
  private readonly makers = new Map<string, string>();
  /** The refusals of the next requests of a provider. */
  private readonly refusals = new Map<string, Refusal[]>();

  constructor(
    private readonly dialect: ThinkingDialect,
    /** Whether a model answers with a call or with a text. */
    private readonly calls = true,
  ) {}

  /** Lets a server be one of the providers. */
  play(name: string, server: ProviderServer): void {
    server.answerWith((response, request) => {
      const { headers, body } = request;
      const key = headers.authorization ?? headers['x-api-key'] ?? headers['x-goog-api-key'];
      const maker = `${name} ${String(key)}`;
      const said = JSON.stringify(body);
      this.strayed.push(
        ...[...this.makers].filter(([thought, of]) => of !== maker && said.includes(thought)).map(([, of]) => of),
        // No provider may see a seal.
        ...(said.match(/gatehse\d/g) ?? []),
      );
      const refuse = this.refusals.get(name)?.shift();
      if (refuse !== undefined) {
        refuse(response);
        return;
      }
      this.dialect.write(this.answer(maker), response, request);
    });
  }

  /** Lets the next request of a provider be refused. */
  refuseNext(name: string, refusal: Refusal): void {
    this.refusals.set(name, [...(this.refusals.get(name) ?? []), refusal]);
  }

  /** How many thoughts of a provider a request has. */
  thoughtsIn({ body }: ReceivedRequest): number {
    const said = JSON.stringify(body);
    return [...this.makers.keys()].filter((thought) => said.includes(thought)).length;
  }

  private answer(maker: string): ModelAnswer {
    const number = this.makers.size + 1;
    const signature = Buffer.from(`thought ${String(number).padStart(6, '0')} of ${maker}.`.padEnd(90)).toString(
      'base64',
    );
    this.makers.set(signature, maker);
    const thought = { text: `I think ${number}.`, signature };
    if (!this.calls) return { thought, text: `It is ${number}.` };
    return { thought, calls: [{ id: `call_${number}`, name: 'weather', input: { city: `Ulm ${number}` } }] };
  }
}

/** Answers that a provider is asked too often, which says nothing about its health. */
export const busy: Refusal = (response) =>
  void response
    .writeHead(429, { 'content-type': 'application/json' })
    .end(JSON.stringify({ error: { message: 'Too many requests.' } }));
