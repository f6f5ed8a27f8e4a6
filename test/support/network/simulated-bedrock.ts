import type { ServerResponse } from 'node:http';
import { AMAZON_EVENTS, chunkMessage, eventMessage, exceptionMessage } from './amazon-messages.js';
import { halvesOf, type ModelAnswer, TOKENS } from './model-answers.js';
import type { ReceivedRequest } from './provider-server.js';
import { claudeEvents, claudeMessage } from './simulated-claude.js';

type Fields = Readonly<Record<string, unknown>>;

/** What is wrong with a request, or undefined: the rules of Bedrock that requests break most often. */
function complaintOf({ messages, system, toolConfig }: Fields): string | undefined {
  const turns = listOf(messages);
  const blocks = turns.map((turn) => listOf(turn['content']));
  const all = blocks.flat();
  if (turns.length === 0 || turns[0]!['role'] !== 'user') return 'A conversation must start with a user message.';
  if (turns.some(({ role }, at) => at > 0 && role === turns[at - 1]!['role'])) return 'Roles must alternate.';
  if (blocks.some((content) => content.length === 0)) return 'The content field is empty.';
  const within = all.flatMap((block) => listOf((block['toolResult'] as Fields | undefined)?.['content']));
  const texts = [...all, ...within, ...listOf(system)].flatMap((block) => ('text' in block ? [block['text']] : []));
  if (texts.some((text) => typeof text !== 'string' || text.trim() === '')) return 'The text field is blank.';
  const isOfTool = (block: Fields): boolean => 'toolUse' in block || 'toolResult' in block;
  if (toolConfig === undefined && all.some(isOfTool)) {
    return 'The toolConfig field must be defined when using toolUse and toolResult content blocks.';
  }
  for (const [at, content] of blocks.entries()) {
    const called = idsOf(blocks[at - 1] ?? [], 'toolUse');
    const answered = idsOf(content, 'toolResult');
    if (called.join() !== answered.join()) return 'Expected toolResult blocks for the toolUse blocks before.';
    if (content.findLastIndex((block) => 'toolResult' in block) >= Math.max(firstOther(content), answered.length)) {
      return 'toolResult blocks must come first.';
    }
    if (content.some((block) => 'document' in block) && !content.some((block) => 'text' in block)) {
      return 'A text block is required with documents.';
    }
  }
  const names = [...all, ...within].flatMap(({ document }) =>
    document === undefined ? [] : [String((document as Fields)['name'])],
  );
  if (names.some((name) => !/^[A-Za-z0-9()[\]-]+(?: [A-Za-z0-9()[\]-]+)*$/.test(name))) return 'Wrong document name.';
  if (new Set(names).size < names.length) return 'Document names must be unique.';
  const points = [...all, ...listOf(system), ...listOf((toolConfig as Fields | undefined)?.['tools'])];
  return points.filter((block) => 'cachePoint' in block).length > 4 ? 'Too many cache points.' : undefined;
}

/** Where the first block stands that belongs behind results. */
function firstOther(content: readonly Fields[]): number {
  const at = content.findIndex((block) => !('toolResult' in block) && !('cachePoint' in block));
  return at === -1 ? content.length : at;
}

function idsOf(content: readonly Fields[], kind: 'toolUse' | 'toolResult'): string[] {
  return content.flatMap((block) => (kind in block ? [String((block[kind] as Fields)['toolUseId'])] : []));
}

function listOf(value: unknown): readonly Fields[] {
  return Array.isArray(value) ? (value as Fields[]) : [];
}

/** The document that an answer is. */
export function converseDocument(answer: ModelAnswer): object {
  return {
    output: { message: { role: 'assistant', content: blocksOf(answer) } },
    stopReason: stopReasonOf(answer),
    usage: usageOf(answer),
    metrics: { latencyMs: 5 },
  };
}

/** The messages of the stream that an answer is. */
export function converseMessages(answer: ModelAnswer): readonly Buffer[] {
  const events: (readonly [string, object])[] = [['messageStart', { role: 'assistant' }]];
  for (const [contentBlockIndex, block] of blocksOf(answer).entries()) {
    const { toolUse, text, reasoningContent } = block;
    const delta = (said: object): void =>
      void events.push(['contentBlockDelta', { contentBlockIndex, delta: said, p: 'abcdefghijklmn' }]);
    if (reasoningContent !== undefined) {
      const { text: thought, signature } = reasoningContent.reasoningText;
      for (const piece of halvesOf(thought)) delta({ reasoningContent: { text: piece } });
      delta({ reasoningContent: { signature } });
    } else if (toolUse === undefined) for (const piece of halvesOf(text!)) delta({ text: piece });
    else {
      const { input, ...start } = toolUse;
      events.push(['contentBlockStart', { contentBlockIndex, start: { toolUse: start } }]);
      for (const piece of halvesOf(JSON.stringify(input))) delta({ toolUse: { input: piece } });
    }
    events.push(['contentBlockStop', { contentBlockIndex }]);
  }
  events.push(['messageStop', { stopReason: stopReasonOf(answer) }]);
  events.push(['metadata', { usage: usageOf(answer), metrics: { latencyMs: 5 } }]);
  return events.map(([type, payload]) => eventMessage(type, payload));
}

interface Block {
  readonly text?: string;
  readonly toolUse?: { readonly toolUseId: string; readonly name: string; readonly input: object };
  readonly reasoningContent?: { readonly reasoningText: { readonly text: string; readonly signature: string } };
}

function blocksOf({ thought, text, calls = [] }: ModelAnswer): readonly Block[] {
  return [
    ...(thought === undefined ? [] : [{ reasoningContent: { reasoningText: thought } }]),
    ...(text === undefined ? [] : [{ text }]),
    ...calls.map(({ id, name, input }) => ({ toolUse: { toolUseId: id, name, input } })),
  ];
}

function stopReasonOf({ end, calls = [] }: ModelAnswer): string {
  if (end === 'length') return 'max_tokens';
  if (end === 'refused') return 'guardrail_intervened';
  return calls.length > 0 ? 'tool_use' : 'end_turn';
}

function usageOf({ tokens: { prompt, cached, written, completion } = TOKENS }: ModelAnswer): object {
  return {
    inputTokens: prompt - cached - written,
    outputTokens: completion,
    totalTokens: prompt + completion,
    cacheReadInputTokens: cached,
    cacheWriteInputTokens: written,
  };
}

/** Whether a request asks for a stream. */
export function asksForStream({ path }: ReceivedRequest): boolean {
  return path.endsWith('-stream');
}

/** Answers `Converse` or `ConverseStream` as Bedrock does, and refuses what it refuses. */
export function answerConverse(answer: ModelAnswer, response: ServerResponse, request: ReceivedRequest): void {
  const complaint = complaintOf(request.body as Fields);
  if (complaint !== undefined) refuse(response, 'ValidationException', 400, complaint);
  else if (asksForStream(request)) sendMessages(response, converseMessages(answer));
  else sendDocument(response, converseDocument(answer));
}

/** Sends a stream of messages, cut into pieces that begin and end anywhere, and ends it. */
export function sendMessages(response: ServerResponse, messages: readonly Buffer[]): void {
  const bytes = Buffer.concat(messages);
  response.writeHead(200, { 'content-type': AMAZON_EVENTS, 'x-amzn-requestid': 'request-1' });
  for (let at = 0; at < bytes.length; at += 100) response.write(bytes.subarray(at, at + 100));
  response.end();
}

function sendDocument(response: ServerResponse, document: object): void {
  response.writeHead(200, { 'content-type': 'application/json', 'x-amzn-requestid': 'request-1' });
  response.end(JSON.stringify(document));
}

/** Refuses a request. @param word the class of the error */
export function refuse(response: ServerResponse, word: string, status: number, message: string): void {
  const type = `${word}:http://internal.amazon.com/coral/com.amazon.bedrock/`;
  response.writeHead(status, { 'content-type': 'application/json', 'x-amzn-errortype': type });
  response.end(JSON.stringify({ message }));
}

/** The first messages of an answer, up to the end of its first words, and then an exception. */
export function failingMessages(answer: ModelAnswer, type: string, message: string): readonly Buffer[] {
  return [...converseMessages(answer).slice(0, 2), exceptionMessage(type, { message })];
}

/** The messages of `InvokeModelWithResponseStream` for the events of a model's own form. */
export function invokeMessages(events: readonly object[]): readonly Buffer[] {
  return events.map(chunkMessage);
}

/** Answers `InvokeModel` or `InvokeModelWithResponseStream` of Claude as Bedrock does, and refuses what it refuses. */
export function answerInvoke(answer: ModelAnswer, response: ServerResponse, request: ReceivedRequest): void {
  const body = request.body as Fields;
  const isWrong = 'model' in body || 'stream' in body || body['anthropic_version'] !== 'bedrock-2023-05-31';
  if (isWrong) refuse(response, 'ValidationException', 400, 'Malformed input request.');
  else if (asksForStream(request)) sendMessages(response, invokeMessages(claudeEvents(answer)));
  else sendDocument(response, claudeMessage(answer));
}
