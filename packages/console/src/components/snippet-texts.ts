import type { Schema } from '../api/types';

type ChatMessage = Schema<'ChatCompletionRequest'>['messages'][number];

/** A chat as snippets show it. What people have filled in stands in it as it is. */
export interface ShownChat {
  readonly model: string;
  /** The conversation, with the system prompt first where there is one. */
  readonly messages: readonly ChatMessage[];
  readonly tools?: readonly Schema<'ChatFunctionTool'>[];
  readonly temperature?: number;
  readonly max_tokens?: number;
}

/** A way to send a chat from a program. */
interface SnippetKind {
  readonly name: string;
  /** @param base where the operations of the interface are, as `https://gatehouse.example.com/api/v1` */
  readonly text: (base: string, chat: ShownChat) => string;
}

/** The environment variable that has the key in all snippets: no secret stands in them. */
export const KEY_VARIABLE = 'GATEHOUSE_API_KEY';

/** Every way that is shown, in this order. */
export const SNIPPETS: readonly SnippetKind[] = [
  { name: 'curl', text: curl },
  { name: 'Python, openai', text: openaiPython },
  { name: 'JavaScript, openai', text: openaiJavaScript },
  { name: 'JavaScript, anthropic', text: anthropicJavaScript },
  { name: 'JavaScript, AI SDK', text: aiSdk },
];

/** In single quotes a shell takes everything as it is, but for the quote that ends them. */
function inShell(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** Characters that are not seen, or turn what stands around them: they are written by their numbers. */
const UNSEEN = /[\u007f-\u009f\u00ad\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g;

/** A text as JSON, which is one of JavaScript and of Python as well. */
function quoted(text: string): string {
  return JSON.stringify(text).replace(UNSEEN, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** How a language writes a value of JSON. */
interface Language {
  readonly words: Readonly<Record<'true' | 'false' | 'null', string>>;
  readonly key: (name: string) => string;
}

const NAME = /^[A-Za-z_$][\w$]*$/;

const JAVASCRIPT: Language = {
  words: { true: 'true', false: 'false', null: 'null' },
  // As a name of its own this one would set the prototype.
  key: (name) => (name === '__proto__' ? '["__proto__"]' : NAME.test(name) ? name : quoted(name)),
};

const PYTHON: Language = { words: { true: 'True', false: 'False', null: 'None' }, key: quoted };

const JSON_TEXT: Language = { words: { true: 'true', false: 'false', null: 'null' }, key: quoted };

const STEP = '  ';

function literal(value: unknown, language: Language, indent = ''): string {
  if (typeof value === 'string') return quoted(value);
  if (typeof value === 'number') return JSON.stringify(value);
  if (value === true || value === false || value === null) return language.words[`${value}`];
  const inner = indent + STEP;
  const [open, close, parts] = Array.isArray(value)
    ? ['[', ']', value.map((one) => literal(one, language, inner))]
    : ['{', '}', fieldsOf(value).map(([name, one]) => `${language.key(name)}: ${literal(one, language, inner)}`)];
  if (parts.length === 0) return open + close;
  return `${open}\n${inner}${parts.join(`,\n${inner}`)}\n${indent}${close}`;
}

function fieldsOf(value: unknown): readonly (readonly [string, unknown])[] {
  return Object.entries(value as object).filter(([, one]) => one !== undefined);
}

function curl(base: string, chat: ShownChat): string {
  return [
    `curl ${inShell(`${base}/chat/completions`)} \\`,
    `  -H "Authorization: Bearer $${KEY_VARIABLE}" \\`,
    "  -H 'Content-Type: application/json' \\",
    `  -d ${inShell(literal(chat, JSON_TEXT))}`,
  ].join('\n');
}

function openaiPython(base: string, chat: ShownChat): string {
  const fields = fieldsOf(chat).map(([name, value]) => `${STEP}${name}=${literal(value, PYTHON, STEP)},`);
  return `import os
from openai import OpenAI

client = OpenAI(base_url=${quoted(base)}, api_key=os.environ["${KEY_VARIABLE}"])
completion = client.chat.completions.create(
${fields.join('\n')}
)
print(completion.choices[0].message.content)`;
}

function openaiJavaScript(base: string, chat: ShownChat): string {
  return `import OpenAI from 'openai';

const client = new OpenAI({ baseURL: ${quoted(base)}, apiKey: process.env.${KEY_VARIABLE} });
const completion = await client.chat.completions.create(${literal(chat, JAVASCRIPT)});
console.log(completion.choices[0].message.content);`;
}

/** What the Messages form needs, and the others do not: how long an answer may be. */
const USUAL_MAX_TOKENS = 1024;

function anthropicJavaScript(base: string, { model, messages, tools, temperature, max_tokens }: ShownChat): string {
  const request = {
    model,
    max_tokens: max_tokens ?? USUAL_MAX_TOKENS,
    temperature,
    system: systemOf(messages),
    messages: messages.filter(isOfConversation).map((message) => inForm(MESSAGES_FORM, message)),
    tools: tools?.map(({ function: { name, description, parameters } }) => ({
      name,
      description,
      input_schema: parameters ?? { type: 'object' },
    })),
  };
  return `import Anthropic from '@anthropic-ai/sdk';

const client = new Anthropic({ baseURL: ${quoted(base.replace(/\/v1$/, ''))}, authToken: process.env.${KEY_VARIABLE}, apiKey: null });
const message = await client.messages.create(${literal(request, JAVASCRIPT)});
console.log(message.content);`;
}

function aiSdk(base: string, { model, messages, tools, temperature, max_tokens }: ShownChat): string {
  const named = (tools ?? []).map(
    ({ function: { name, description, parameters } }) =>
      `    ${JAVASCRIPT.key(name)}: tool({ ${description == null ? '' : `description: ${quoted(description)}, `}inputSchema: jsonSchema(${literal(parameters ?? { type: 'object' }, JAVASCRIPT, STEP + STEP)}) }),`,
  );
  const settings = {
    system: systemOf(messages),
    messages: messages.filter(isOfConversation).map((message) => inForm(AI_SDK_FORM, message)),
    temperature,
    maxOutputTokens: max_tokens,
  };
  const fields = fieldsOf(settings).map(([name, value]) => `${STEP}${name}: ${literal(value, JAVASCRIPT, STEP)},`);
  return `import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { generateText${named.length === 0 ? '' : ', jsonSchema, tool'} } from 'ai';

const gatehouse = createOpenAICompatible({
  name: 'gatehouse',
  baseURL: ${quoted(base)},
  apiKey: process.env.${KEY_VARIABLE},
});
const { text } = await generateText({
  model: gatehouse(${quoted(model)}),
${[...fields, ...(named.length === 0 ? [] : [`${STEP}tools: {\n${named.join('\n')}\n${STEP}},`])].join('\n')}
});
console.log(text);`;
}

/** The system prompt. @returns undefined without one */
function systemOf(messages: readonly ChatMessage[]): string | undefined {
  const first = messages.find(({ role }) => role === 'system');
  return typeof first?.content === 'string' ? first.content : undefined;
}

/** What the playground has besides the system prompt: what the person and the model have said, and what tools have given. */
function isOfConversation({ role }: ChatMessage): boolean {
  return role !== 'system';
}

/** The parts of a message: its text, and where pictures are. */
function partsOf({ content }: ChatMessage): readonly { readonly text?: string; readonly picture?: string }[] {
  if (typeof content === 'string') return content === '' ? [] : [{ text: content }];
  return (content ?? []).map((part) => {
    const { text, image_url: picture } = part as { text?: string; image_url?: { url: string } };
    return picture === undefined ? { text: text ?? '' } : { picture: picture.url };
  });
}

interface CalledTool {
  readonly id: string;
  readonly function: { readonly name: string; readonly arguments: string };
}

function callsOf(message: ChatMessage): readonly CalledTool[] {
  return (message as { tool_calls?: readonly CalledTool[] | null }).tool_calls ?? [];
}

/** The arguments of a call, which a model may have written wrongly. */
function argumentsOf({ function: { arguments: text } }: CalledTool): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return {};
  }
}

/** How a form of messages writes what is said in parts. */
interface MessageForm {
  readonly result: (id: string, name: string, content: string) => object;
  readonly picture: (url: string) => object;
  readonly call: (id: string, name: string, input: unknown) => object;
}

/** The Messages form, in which the user says what tools gave. */
const MESSAGES_FORM: MessageForm = {
  result: (id, _, content) => ({ role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content }] }),
  picture: (url) => ({ type: 'image', source: sourceOf(url) }),
  call: (id, name, input) => ({ type: 'tool_use', id, name, input }),
};

const AI_SDK_FORM: MessageForm = {
  result: (toolCallId, toolName, value) => ({
    role: 'tool',
    content: [{ type: 'tool-result', toolCallId, toolName, output: { type: 'text', value } }],
  }),
  picture: (image) => ({ type: 'image', image }),
  call: (toolCallId, toolName, input) => ({ type: 'tool-call', toolCallId, toolName, input }),
};

function inForm(form: MessageForm, message: ChatMessage): unknown {
  const { role, content } = message;
  if (role === 'tool') {
    const { tool_call_id: id, name } = message as { tool_call_id: string; name?: string };
    return form.result(id, name ?? '', typeof content === 'string' ? content : '');
  }
  const calls = callsOf(message).map((call) => form.call(call.id, call.function.name, argumentsOf(call)));
  if (typeof content === 'string' && calls.length === 0) return { role, content };
  const parts = partsOf(message).map(({ text, picture }) =>
    picture === undefined ? { type: 'text', text } : form.picture(picture),
  );
  return { role, content: [...parts, ...calls] };
}

/** A picture in the Messages form: what is in a data URL, else where it is. */
function sourceOf(url: string): object {
  const [, type, data] = /^data:([^;,]+);base64,(.*)$/s.exec(url) ?? [];
  return data === undefined ? { type: 'url', url } : { type: 'base64', media_type: type, data };
}
