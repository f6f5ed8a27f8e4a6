import type { ServerResponse } from 'node:http';
import type {
  Response,
  ResponseCreateParams,
  ResponseFunctionToolCall,
  ResponseOutputMessage,
  ResponseReasoningItem,
  ResponseStreamEvent,
  ResponseUsage,
} from 'openai/resources/responses/responses';
import type { ReceivedRequest } from '../../../support/network/provider-server.js';
import { completion, STREAM_HEAD } from '../provider-answers.js';
import type { Fields } from './strict-providers.js';

/** What the model thinks before it calls the tool. */
export const THOUGHT: ResponseReasoningItem = {
  type: 'reasoning',
  id: 'rs_1',
  summary: [{ type: 'summary_text', text: 'I look it up.' }],
  encrypted_content: 'opaque',
};

/** The call of the tool. */
export const CALL: ResponseFunctionToolCall = {
  type: 'function_call',
  id: 'fc_1',
  call_id: 'call_1',
  name: 'look_up',
  arguments: '{"turn":1}',
};

const TEXT: ResponseOutputMessage = {
  type: 'message',
  id: 'msg_1',
  role: 'assistant',
  status: 'completed',
  content: [{ type: 'output_text', text: 'All done.', annotations: [] }],
};

type Output = ResponseReasoningItem | ResponseFunctionToolCall | ResponseOutputMessage;

const COUNTED = { input: 100, output: 50 };

const USAGE: ResponseUsage = {
  total_tokens: COUNTED.input + COUNTED.output,
  input_tokens: COUNTED.input,
  output_tokens: COUNTED.output,
  input_tokens_details: { cached_tokens: 0, cache_write_tokens: 0 },
  output_tokens_details: { reasoning_tokens: 40 },
};

/** An answer as OpenAI's own client types it. */
const responseOf = (output: Output[]): Response => ({
  id: 'resp_1',
  object: 'response',
  created_at: 1,
  model: 'gpt-5.5',
  status: 'completed',
  error: null,
  incomplete_details: null,
  instructions: null,
  metadata: null,
  output,
  output_text: '',
  parallel_tool_calls: true,
  temperature: 1,
  tool_choice: 'auto',
  tools: [],
  top_p: 1,
  usage: USAGE,
});

function eventsOf(output: Output[]): readonly ResponseStreamEvent[] {
  const response = responseOf(output);
  const events: readonly ResponseStreamEvent[] = [
    { type: 'response.created', response: { ...response, status: 'in_progress', output: [] }, sequence_number: 0 },
    ...output.flatMap(eventsOfItem),
    { type: 'response.completed', response, sequence_number: 0 },
  ];
  return events.map((event, index) => ({ ...event, sequence_number: index }));
}

function eventsOfItem(item: Output, index: number): readonly ResponseStreamEvent[] {
  const at = { output_index: index, sequence_number: 0 };
  const ofItem = { ...at, item_id: item.id! };
  const around = (begun: Output, ...deltas: ResponseStreamEvent[]): readonly ResponseStreamEvent[] => [
    { type: 'response.output_item.added', ...at, item: begun },
    ...deltas,
    { type: 'response.output_item.done', ...at, item },
  ];
  switch (item.type) {
    case 'reasoning': {
      const { text } = item.summary[0]!;
      const place = { ...ofItem, summary_index: 0 };
      return around(
        { ...item, summary: [], encrypted_content: '' },
        { type: 'response.reasoning_summary_part.added', ...place, part: { type: 'summary_text', text: '' } },
        { type: 'response.reasoning_summary_text.delta', ...place, delta: text },
      );
    }
    case 'function_call':
      return around(
        { ...item, arguments: '' },
        { type: 'response.function_call_arguments.delta', ...ofItem, delta: item.arguments },
      );
    case 'message': {
      const place = { ...ofItem, content_index: 0 };
      const delta = item.content.map((part) => (part.type === 'output_text' ? part.text : '')).join('');
      return around(
        { ...item, content: [] },
        { type: 'response.content_part.added', ...place, part: { type: 'output_text', text: '', annotations: [] } },
        { type: 'response.output_text.delta', ...place, delta, logprobs: [] },
      );
    }
  }
}

/** What OpenAI refuses of a chat with this model. */
function chatRefusal({ tools, reasoning_effort: effort = 'medium' }: Fields): string | undefined {
  return tools === undefined || effort === 'none'
    ? undefined
    : 'Function tools with reasoning_effort are not supported in /v1/chat/completions. Use /v1/responses instead.';
}

/** Calls the tool, and ends when its result comes behind the thought and the call that it was of. */
function nextOutput({ input }: ResponseCreateParams): Output[] {
  const types = (input as { type: string }[]).map(({ type }) => type);
  return types.includes('function_call_output') ? [TEXT] : [THOUGHT, CALL];
}

/** Answers as OpenAI does for a model that thinks beside tools in the Responses interface alone; each answer is typed as its own client has it. */
export function answerAsOpenAI(response: ServerResponse, { path, body }: ReceivedRequest): void {
  const request = body as Fields;
  const json = (status: number, document: object): void =>
    void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(document));
  if (path === '/v1/chat/completions') {
    const message = chatRefusal(request);
    if (message === undefined) {
      json(200, completion('Hello'));
      return;
    }
    json(400, { error: { type: 'invalid_request_error', message } });
    return;
  }
  const output = nextOutput(body as ResponseCreateParams);
  if (request['stream'] !== true) {
    json(200, responseOf(output));
    return;
  }
  const text = eventsOf(output).map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
  response.writeHead(200, STREAM_HEAD).end(text.join(''));
}
