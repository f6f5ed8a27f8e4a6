import { randomBytes } from 'node:crypto';
import {
  localhostHostValidation,
  localhostOriginValidation,
  NodeStreamableHTTPServerTransport,
  toNodeHandler,
} from '@modelcontextprotocol/node';
import {
  acceptedContent,
  type CallToolResult,
  CLIENT_CAPABILITIES_META_KEY,
  completable,
  createMcpHandler,
  createRequestStateCodec,
  fromJsonSchema,
  type InputRequests,
  inputRequired,
  type InputRequiredResult,
  McpServer,
  ResourceTemplate,
  type ServerContext,
  type ServerNotifier,
} from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { Era } from '../e2e/mcp/mcp-gateway.js';
import { inSessions, type RealServer, type RequestHandler, started } from '../e2e/mcp/real-servers.js';
import { wavFile } from '../support/resources/recordings.js';

/** What the tools of the server come to. */
type ToolAnswer = CallToolResult | InputRequiredResult;

type Run = (context: ServerContext, values: Readonly<Record<string, string>>) => ToolAnswer | Promise<ToolAnswer>;

/** A picture of one red point (PNG), in base64. */
const PICTURE = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC';

/** A recording (WAV), in base64. */
const RECORDING = wavFile(0.01).toString('base64');

/** Keeps what the server wants to be told again from being changed on its way. */
const STATES = createRequestStateCodec({ key: randomBytes(32) });

function said(text: string): CallToolResult {
  return { content: [{ type: 'text', text }] };
}

function picture(): { type: 'image'; data: string; mimeType: string } {
  return { type: 'image', data: PICTURE, mimeType: 'image/png' };
}

function embedded(uri: string, mimeType: string, text: string) {
  return { type: 'resource' as const, resource: { uri, mimeType, text } };
}

function form(message: string, name: string) {
  const requestedSchema = {
    type: 'object' as const,
    properties: { [name]: { type: 'string' as const } },
    required: [name],
  };
  return inputRequired.elicit({ message, requestedSchema });
}

/** A question that is answered by yes or no. */
const confirmation = (): InputRequests => {
  const requestedSchema = {
    type: 'object' as const,
    properties: { ok: { type: 'boolean' as const } },
    required: ['ok'],
  };
  return { confirm: inputRequired.elicit({ message: 'Please confirm', requestedSchema }) };
};

function sampling(text: string, maxTokens = 100) {
  return inputRequired.createMessage({ messages: [{ role: 'user', content: { type: 'text', text } }], maxTokens });
}

/** A tool that asks for what is not answered yet, and then says what was answered. @param state whether it wants to be told something again */
function asking(requests: () => InputRequests, state?: string): Run {
  return async ({ mcpReq: { inputResponses } }) => {
    const inputRequests = requests();
    const answers = Object.keys(inputRequests).map((name) => inputResponses?.[name]);
    if (answers.every((answer) => typeof answer === 'object' && answer !== null)) {
      return said(`${state === undefined ? '' : 'state-ok '}answered: ${JSON.stringify(answers)}`);
    }
    return inputRequired({ inputRequests, ...(state !== undefined && { requestState: await STATES.mint(state) }) });
  };
}

/** What a client of the newest revision says that it can be asked for. */
function declared({ mcpReq: { envelope } }: ServerContext): Readonly<Record<string, unknown>> {
  const fields: Readonly<Record<string, object>> = envelope ?? {};
  return fields[CLIENT_CAPABILITIES_META_KEY] as Readonly<Record<string, unknown>>;
}

const nameForm = (): InputRequests => ({ user_name: form('What is your name?', 'name') });

/** The tools that the scenarios of the suite call, by their names. */
const TOOLS: Readonly<Record<string, Run>> = {
  test_simple_text: () => said('This is a simple text response for testing.'),
  test_image_content: () => ({ content: [picture()] }),
  test_audio_content: () => ({ content: [{ type: 'audio', data: RECORDING, mimeType: 'audio/wav' }] }),
  test_embedded_resource: () => ({
    content: [embedded('test://embedded-resource', 'text/plain', 'This is an embedded resource content.')],
  }),
  test_multiple_content_types: () => ({
    content: [
      { type: 'text', text: 'Multiple content types test:' },
      picture(),
      embedded('test://mixed-content-resource', 'application/json', '{"test":"data","value":123}'),
    ],
  }),
  test_error_handling: () => {
    throw new Error('This tool intentionally returns an error for testing');
  },
  test_tool_with_progress: async ({ mcpReq }) => {
    const progressToken = mcpReq._meta?.progressToken;
    for (const progress of progressToken === undefined ? [] : [0, 50, 100]) {
      await mcpReq.notify({ method: 'notifications/progress', params: { progressToken, progress, total: 100 } });
    }
    return said('done');
  },
  test_tool_with_logging: async ({ mcpReq }) => {
    for (const text of ['Tool execution started', 'Tool processing data', 'Tool execution completed']) {
      await mcpReq.log('info', text);
    }
    return said('logged');
  },
  test_logging_tool: async ({ mcpReq }) => {
    await mcpReq.log('info', 'Only who asks for this gets it');
    return said('logged');
  },
  // The library refuses what a client has not said that it can be asked for.
  test_missing_capability: asking(() => ({ question: sampling('May the server ask?') })),
  test_streaming_elicitation: asking(nameForm),
  test_input_required_result_elicitation: asking(nameForm),
  test_input_required_result_sampling: asking(() => ({
    capital_question: sampling('What is the capital of France?'),
  })),
  test_input_required_result_list_roots: asking(() => ({ client_roots: inputRequired.listRoots() })),
  test_input_required_result_request_state: asking(confirmation, 'asked'),
  test_input_required_result_tampered_state: asking(confirmation, 'asked'),
  test_input_required_result_multiple_inputs: asking(
    () => ({
      ...nameForm(),
      greeting: sampling('Generate a greeting', 50),
      client_roots: inputRequired.listRoots(),
    }),
    'asked',
  ),
  test_input_required_result_multi_round: async ({ mcpReq }) => {
    const { inputResponses } = mcpReq;
    const before = mcpReq.requestState<{ step: number; name?: string }>();
    const name = before?.name ?? acceptedContent<{ name: string }>(inputResponses, 'step1')?.name;
    const color = acceptedContent<{ color: string }>(inputResponses, 'step2')?.color;
    if (name !== undefined && color !== undefined) return said(`${name} likes ${color}.`);
    const isFirst = name === undefined;
    return inputRequired({
      inputRequests: isFirst
        ? { step1: form('Step 1: What is your name?', 'name') }
        : { step2: form('Step 2: What is your favorite color?', 'color') },
      requestState: await STATES.mint({ step: isFirst ? 1 : 2, ...(!isFirst && { name }) }),
    });
  },
  test_input_required_result_capabilities: (context) => {
    const { sampling: canSample, elicitation } = declared(context);
    return inputRequired({
      inputRequests: {
        ...(canSample !== undefined && { question: sampling('What is the capital of France?') }),
        ...(elicitation !== undefined && nameForm()),
      },
    });
  },
  test_elicitation_sep1034_defaults: asking(() => ({
    defaults: inputRequired.elicit({
      message: 'Please say who you are',
      requestedSchema: {
        type: 'object',
        properties: {
          name: { type: 'string', default: 'John Doe' },
          age: { type: 'integer', default: 30 },
          score: { type: 'number', default: 95.5 },
          status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
          verified: { type: 'boolean', default: true },
        },
        required: [],
      },
    }),
  })),
  test_elicitation_sep1330_enums: asking(() => {
    const titled = ['First', 'Second', 'Third'].map((title, index) => ({ const: `value${index + 1}`, title }));
    const options = ['option1', 'option2', 'option3'];
    return {
      choices: inputRequired.elicit({
        message: 'Please choose',
        requestedSchema: {
          type: 'object',
          properties: {
            untitledSingle: { type: 'string', enum: options },
            titledSingle: { type: 'string', oneOf: titled },
            legacyEnum: {
              type: 'string',
              enum: ['opt1', 'opt2', 'opt3'],
              enumNames: ['Option One', 'Option Two', 'Option Three'],
            },
            untitledMulti: { type: 'array', items: { type: 'string', enum: options } },
            titledMulti: { type: 'array', items: { anyOf: titled } },
          },
          required: [],
        },
      }),
    };
  }),
};

/** The tools that take a text: by their names its name, and what they do. */
const TOOLS_WITH_TEXT: Readonly<Record<string, readonly [argument: string, Run]>> = {
  test_sampling: ['prompt', (context, { prompt }) => asking(() => ({ prompt: sampling(prompt!) }))(context, {})],
  test_elicitation: [
    'message',
    (context, { message }) => asking(() => ({ user: form(message!, 'username') }))(context, {}),
  ],
};

/** The schema that has the words of JSON Schema 2020-12 that lists must keep. */
const SCHEMA_2020_12 = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  $defs: {
    address: {
      $anchor: 'addressDef',
      type: 'object',
      properties: { street: { type: 'string' }, city: { type: 'string' } },
    },
  },
  properties: {
    name: { type: 'string' },
    address: { $ref: '#/$defs/address' },
    contactMethod: { type: 'string', enum: ['phone', 'email'] },
    phone: { type: 'string' },
    email: { type: 'string' },
  },
  allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
  if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
  then: { required: ['phone'] },
  else: { required: ['email'] },
  additionalProperties: false,
} as const;

/** The schema of a tool with an argument that a header repeats. */
const SCHEMA_WITH_HEADER = {
  type: 'object',
  properties: { region: { type: 'string', 'x-mcp-header': 'Region' } },
  required: ['region'],
} as const;

/** A server with what the scenarios of the suite ask for, of the official library, which answers in either kind of revision. */
function referenceServer(notifier: () => ServerNotifier | undefined): McpServer {
  const server = new McpServer(
    { name: 'reference', version: '1.0.0' },
    {
      capabilities: { logging: {}, resources: { subscribe: true } },
      requestState: { verify: (state, context) => STATES.verify(state, context) },
    },
  );
  // Subscriptions of the revisions with a handshake, which the library leaves to servers.
  for (const method of ['resources/subscribe', 'resources/unsubscribe'] as const) {
    server.server.setRequestHandler(method, () => ({}));
  }
  addTools(server, notifier);
  addResources(server);
  addPrompts(server);
  return server;
}

function addTools(server: McpServer, notifier: () => ServerNotifier | undefined): void {
  for (const [name, run] of Object.entries(TOOLS)) {
    server.registerTool(name, { description: `The tool ${name}`, inputSchema: z.object({}) }, (_, context) =>
      run(context, {}),
    );
  }
  for (const [name, [argument, run]] of Object.entries(TOOLS_WITH_TEXT)) {
    const inputSchema = z.object({ [argument]: z.string() });
    server.registerTool(name, { description: `The tool ${name}`, inputSchema }, (values, context) =>
      run(context, values as Record<string, string>),
    );
  }
  for (const [name, schema] of Object.entries({
    json_schema_2020_12_tool: SCHEMA_2020_12,
    test_header_argument: SCHEMA_WITH_HEADER,
  })) {
    server.registerTool(name, { description: `The tool ${name}`, inputSchema: fromJsonSchema(schema as never) }, () =>
      said('done'),
    );
  }
  const changes = {
    test_trigger_tool_change: () => notifier()?.toolsChanged(),
    test_trigger_prompt_change: () => notifier()?.promptsChanged(),
  };
  for (const [name, change] of Object.entries(changes)) {
    server.registerTool(name, { description: `The tool ${name}`, inputSchema: z.object({}) }, () => {
      change();
      return said('changed');
    });
  }
}

function addResources(server: McpServer): void {
  const text = { description: 'A text', mimeType: 'text/plain' };
  server.registerResource('static-text', 'test://static-text', text, ({ href: uri }) => ({
    contents: [{ uri, mimeType: 'text/plain', text: 'This is the content of the static text resource.' }],
  }));
  const bytes = { description: 'A picture', mimeType: 'image/png' };
  server.registerResource('static-binary', 'test://static-binary', bytes, ({ href: uri }) => ({
    contents: [{ uri, mimeType: 'image/png', blob: PICTURE }],
  }));
  const template = new ResourceTemplate('test://template/{id}/data', { list: undefined });
  const data = { description: 'Data by their id', mimeType: 'application/json' };
  server.registerResource('template', template, data, ({ href: uri }, { id }) => ({
    contents: [
      {
        uri,
        mimeType: 'application/json',
        text: JSON.stringify({ id, templateTest: true, data: `Data for ID: ${String(id)}` }),
      },
    ],
  }));
}

function addPrompts(server: McpServer): void {
  const message = <Content>(content: Content): { role: 'user'; content: Content } => ({ role: 'user', content });
  const text = (words: string) => message({ type: 'text' as const, text: words });
  server.registerPrompt('test_simple_prompt', { description: 'A prompt' }, () => ({
    messages: [text('This is a simple prompt for testing.')],
  }));
  const argument = completable(z.string(), (value) =>
    ['paris', 'park', 'party'].filter((word) => word.startsWith(value)),
  );
  server.registerPrompt(
    'test_prompt_with_arguments',
    { description: 'A prompt with arguments', argsSchema: z.object({ arg1: argument, arg2: z.string() }) },
    ({ arg1, arg2 }) => ({ messages: [text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)] }),
  );
  server.registerPrompt(
    'test_prompt_with_embedded_resource',
    { description: 'A prompt with a resource', argsSchema: z.object({ resourceUri: z.string() }) },
    ({ resourceUri }) => ({
      messages: [
        message(embedded(resourceUri, 'text/plain', 'Embedded resource content for testing.')),
        text('Please process the embedded resource above.'),
      ],
    }),
  );
  server.registerPrompt('test_prompt_with_image', { description: 'A prompt with a picture' }, () => ({
    messages: [message(picture()), text('Please analyze the image above.')],
  }));
  server.registerPrompt(
    'test_input_required_result_prompt',
    { description: 'A prompt that asks', argsSchema: z.object({}) },
    (_, { mcpReq }) => {
      const given = acceptedContent<{ context: string }>(mcpReq.inputResponses, 'user_context');
      if (given !== undefined) return { messages: [text(`The context is ${given.context}.`)] };
      return inputRequired({
        inputRequests: { user_context: form('What context should the prompt use?', 'context') },
      });
    },
  );
}

/**
 * Starts the reference server for the conformance suite on the loopback.
 *
 * @param era the kind of revisions that it speaks
 */
export async function startReferenceServer(era: Era): Promise<RealServer> {
  const isLocalHost = localhostHostValidation();
  const isLocalPage = localhostOriginValidation();
  return started(() => {
    const handle = era === 'modern' ? modernHandler() : legacyHandler();
    return async (request, response) => {
      if (isLocalHost(request, response) && isLocalPage(request, response)) await handle(request, response);
    };
  });
}

function modernHandler(): RequestHandler {
  const handler = createMcpHandler(() => referenceServer(() => handler.notify), { legacy: 'reject' });
  return toNodeHandler(handler);
}

function legacyHandler(): RequestHandler {
  return inSessions(async (options) => {
    const transport = new NodeStreamableHTTPServerTransport(options);
    await referenceServer(() => undefined).connect(transport);
    return transport;
  });
}
