import type { ServerResponse } from 'node:http';
import { halvesOf, type ModelAnswer, TOKENS } from './model-answers.js';
import type { ProviderServer, ReceivedRequest } from './provider-server.js';

type Fields = Readonly<Record<string, unknown>>;

/** What a model of Google says: the answers of a stream, which are one where none is asked for. */
export interface SimulatedAnswer {
  readonly chunks: readonly Fields[];
  /** Whether the connection ends behind them without their end. */
  readonly isCut?: boolean;
}

/** A refusal of the service. */
export interface SimulatedRefusal {
  readonly status: number;
  readonly document: unknown;
}

/** How the service is spoken to, and which model it has. */
export interface SimulatedService {
  /** Whether it is Vertex AI, which refuses ids of calls and what only the Gemini API knows. */
  readonly isVertex?: boolean;
  /** Whether its model demands the signatures of its calls, as those from the third generation on do. */
  readonly demandsSignatures?: boolean;
}

/** The usage of every answer. */
export const SIMULATED_USAGE = {
  promptTokenCount: 40,
  cachedContentTokenCount: 32,
  candidatesTokenCount: 20,
  thoughtsTokenCount: 30,
  totalTokenCount: 90,
};

/** A part of a stream. @param fields of its candidate */
export function simulatedChunk(parts: readonly Fields[], fields: Fields = {}, others: Fields = {}): Fields {
  return {
    candidates: [{ ...(parts.length > 0 && { content: { role: 'model', parts } }), index: 0, ...fields }],
    modelVersion: 'gemini-3-pro',
    responseId: 'r1',
    ...others,
  };
}

/** The end of a stream, with what was counted. */
export function simulatedEnd(parts: readonly Fields[] = [], finishReason = 'STOP'): Fields {
  return simulatedChunk(parts, { finishReason }, { usageMetadata: SIMULATED_USAGE });
}

/** The fields of requests, by where they stand; `*` has fields of its caller's own. */
const FIELDS: Readonly<Record<string, readonly string[] | '*'>> = {
  '': [
    'contents',
    'systemInstruction',
    'tools',
    'toolConfig',
    'safetySettings',
    'generationConfig',
    'serviceTier',
    'labels',
  ],
  contents: ['role', 'parts'],
  systemInstruction: ['parts'],
  parts: ['text', 'thought', 'thoughtSignature', 'inlineData', 'fileData', 'functionCall', 'functionResponse'],
  inlineData: ['mimeType', 'data'],
  fileData: ['mimeType', 'fileUri'],
  functionCall: ['id', 'name', 'args'],
  functionResponse: ['id', 'name', 'response', 'parts'],
  args: '*',
  response: '*',
  tools: ['functionDeclarations'],
  functionDeclarations: ['name', 'description', 'parametersJsonSchema'],
  parametersJsonSchema: '*',
  toolConfig: ['functionCallingConfig'],
  functionCallingConfig: ['mode', 'allowedFunctionNames'],
  safetySettings: ['category', 'threshold'],
  generationConfig: [
    ...[
      'temperature',
      'topP',
      'topK',
      'seed',
      'presencePenalty',
      'frequencyPenalty',
      'candidateCount',
      'maxOutputTokens',
    ],
    ...[
      'stopSequences',
      'responseLogprobs',
      'logprobs',
      'responseMimeType',
      'responseJsonSchema',
      'responseModalities',
    ],
    ...['imageConfig', 'thinkingConfig'],
  ],
  responseJsonSchema: '*',
  imageConfig: ['aspectRatio', 'imageSize'],
  thinkingConfig: ['includeThoughts', 'thinkingBudget', 'thinkingLevel'],
  labels: '*',
};

function unknownFields(value: unknown, place: string): readonly string[] {
  if (Array.isArray(value)) return value.flatMap((one) => unknownFields(one, place));
  const known = FIELDS[place];
  if (typeof value !== 'object' || value === null || known === '*' || known === undefined) return [];
  return Object.entries(value).flatMap(([name, part]) =>
    known.includes(name)
      ? unknownFields(part, name)
      : [`Invalid JSON payload received. Unknown name "${name}" at '${place}': Cannot find field.`],
  );
}

const list = (value: unknown): readonly Fields[] => (Array.isArray(value) ? (value as Fields[]) : []);

const namesIn = (parts: readonly Fields[], kind: string): string[] =>
  parts.flatMap((part) => (part[kind] === undefined ? [] : [String((part[kind] as Fields)['name'])]));

/** What the service refuses in a request, in its words; none for a request that it takes. */
export function geminiRefusals(
  body: Fields,
  { isVertex, demandsSignatures }: SimulatedService = {},
): readonly string[] {
  const issues = [...unknownFields(body, '')];
  const contents = list(body['contents']);
  if (contents.length === 0) issues.push('contents is not specified');
  if (isVertex === true && body['serviceTier'] !== undefined) issues.push('Unknown name "serviceTier"');
  if (isVertex !== true && body['labels'] !== undefined) issues.push('Unknown name "labels"');
  const lastQuestion = contents.findLastIndex(
    ({ role, parts }) => role === 'user' && namesIn(list(parts), 'functionResponse').length === 0,
  );
  for (const [index, { role, parts: given }] of contents.entries()) {
    const parts = list(given);
    if (role !== 'user' && role !== 'model') issues.push(`contents[${index}]: Please use a valid role: user, model.`);
    if (role === contents[index - 1]?.['role']) issues.push(`contents[${index}]: roles must alternate`);
    if (parts.length === 0) issues.push(`contents[${index}]: contents.parts must not be empty.`);
    const called = namesIn(parts, 'functionCall');
    const answered = namesIn(list(contents[index + 1]?.['parts']), 'functionResponse');
    if (called.length > 0 && called.join() !== answered.join()) {
      issues.push(
        'Please ensure that the number of function response parts is equal to the number of function call parts.',
      );
    }
    const [first] = parts.filter((part) => part['functionCall'] !== undefined);
    if (
      demandsSignatures === true &&
      index > lastQuestion &&
      first !== undefined &&
      first['thoughtSignature'] === undefined
    ) {
      issues.push('Function call is missing a thought_signature in functionCall parts.');
    }
    for (const { functionCall, functionResponse, fileData } of parts as readonly Record<string, Fields | undefined>[]) {
      if (isVertex === true && (functionCall?.['id'] ?? functionResponse?.['id']) !== undefined)
        issues.push('Unknown name "id"');
      if (isVertex === true && fileData !== undefined && fileData['mimeType'] === undefined)
        issues.push('mimeType is required');
    }
  }
  const { thinkingBudget, thinkingLevel } = ((body['generationConfig'] as Fields | undefined)?.['thinkingConfig'] ??
    {}) as Fields;
  if (thinkingBudget !== undefined && thinkingLevel !== undefined)
    issues.push('You can only set one of thinking budget and level');
  return issues;
}

/** A whole answer of what a stream says in several. */
function whole(chunks: readonly Fields[]): Fields {
  const candidates = chunks.flatMap((chunk) => list(chunk['candidates']));
  const parts = candidates.flatMap(({ content }) => list((content as Fields | undefined)?.['parts']));
  const merged = Object.assign({}, ...chunks) as Fields;
  if (candidates.length === 0) return merged;
  return { ...merged, candidates: [{ ...Object.assign({}, ...candidates), content: { role: 'model', parts } }] };
}

/**
 * Lets a provider be the service: it refuses what that refuses, and answers streams and whole requests with what a test says.
 *
 * @param next the answer or the refusal of the next request
 * @param refused is told what was refused of a request
 */
export function simulateGemini(
  provider: ProviderServer,
  next: (request: ReceivedRequest) => SimulatedAnswer | SimulatedRefusal,
  { refused, ...service }: SimulatedService & { readonly refused?: (issues: readonly string[]) => void } = {},
): void {
  provider.answerWith((response, request) => answerGemini(response, request, () => next(request), service, refused));
}

/**
 * Answers a request as the service does, and refuses what that refuses.
 *
 * @param next the answer to a request that is not refused
 * @param refused is told what was refused of the request
 */
export function answerGemini(
  response: ServerResponse,
  request: ReceivedRequest,
  next: () => SimulatedAnswer | SimulatedRefusal,
  service: SimulatedService = {},
  refused?: (issues: readonly string[]) => void,
): void {
  const isStreamed = request.path.endsWith(STREAMED);
  const said = isStreamed || request.path.endsWith(':generateContent') ? answerOf() : NOT_FOUND;
  if ('status' in said) {
    sendJson(response, said.status, said.document);
    return;
  }
  const { chunks, isCut = false } = said;
  if (!isStreamed && isCut) response.destroy();
  else if (isStreamed) sendStream(response, chunks, isCut);
  else sendJson(response, 200, whole(chunks));

  function answerOf(): SimulatedAnswer | SimulatedRefusal {
    const issues = geminiRefusals(request.body as Fields, service);
    if (issues.length === 0) return next();
    refused?.(issues);
    return { status: 400, document: errorOf(400, 'INVALID_ARGUMENT', issues.join('; ')) };
  }
}

/** The chunks of the stream that an answer of Gemini is. Signatures stand at calls, or at the end of a text. */
export function geminiChunks({ thought, text, calls = [], end, tokens = TOKENS }: ModelAnswer): readonly Fields[] {
  const signed = thought === undefined ? {} : { thoughtSignature: thought.signature };
  const called = calls.map(({ id, name, input }, at) => ({
    functionCall: { id, name, args: input },
    ...(at === 0 && signed),
  }));
  const parts: readonly Fields[] = [
    ...(thought === undefined ? [] : [{ text: thought.text, thought: true }]),
    ...halvesOf(text ?? '').map((half) => ({ text: half })),
    ...called,
  ];
  const { prompt, cached, completion } = tokens;
  const usageMetadata = {
    promptTokenCount: prompt,
    cachedContentTokenCount: cached,
    candidatesTokenCount: completion,
    totalTokenCount: prompt + completion,
  };
  const ending = simulatedChunk([], { finishReason: end === undefined ? 'STOP' : ENDS[end] }, { usageMetadata });
  return [...parts.map((part) => simulatedChunk([part])), ending];
}

/** What Gemini says at the end of an answer that has not said everything. */
const ENDS = { length: 'MAX_TOKENS', refused: 'SAFETY' } as const;

/** How the path of a request for a stream ends. */
const STREAMED = ':streamGenerateContent?alt=sse';

function sendJson(response: ServerResponse, status: number, document: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json; charset=UTF-8' }).end(JSON.stringify(document));
}

function sendStream(response: ServerResponse, chunks: readonly Fields[], isCut: boolean): void {
  const text = chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\r\n\r\n`).join('');
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  if (isCut) response.write(text, () => response.destroy());
  else response.end(text);
}

/** An error in Google's form. */
export function errorOf(code: number, status: string, message: string, details: readonly object[] = []): object {
  return { error: { code, message, status, ...(details.length > 0 && { details }) } };
}

const NOT_FOUND: SimulatedRefusal = { status: 404, document: errorOf(404, 'NOT_FOUND', 'Not found.') };
