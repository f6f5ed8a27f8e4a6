import 'reflect-metadata';
import { LongWork } from '../../dist/src/concurrency/long-work.js';
import { LoopTurns } from '../../dist/src/concurrency/loop-turns.js';
import { readEnvironment } from '../../dist/src/config/environment.js';
import { inspectText } from '../../dist/src/http/input/text-inspection.js';
import { rulesOf } from '../../dist/src/http/validation/rules.js';
import { validateDto } from '../../dist/src/http/validation/validate.js';
import {
  chatRequestOfCompletions,
  chatRequestOfMessages,
  chatRequestOfResponses,
  CODECS,
  KNOWN_MODEL,
  RequestAdjustments,
  translatedRequest,
} from '../../dist/src/modules/codecs/index.js';
import { ContentService } from '../../dist/src/modules/content/content.service.js';
import { CustomSearch } from '../../dist/src/modules/content/custom/custom-search.js';
import { AnalyzerClient } from '../../dist/src/modules/content/inspectors/presidio/analyzer-client.js';
import { ClassifierClient } from '../../dist/src/modules/content/inspectors/classifier/classifier-client.js';
import { boundedInput } from '../../dist/src/modules/generations/index.js';
import { EVALUATED_PATHS, EVALUATED_TYPES, readRequest } from '../../dist/src/modules/inference/operations/index.js';
import { CHAT } from '../../dist/src/modules/inference/operations/chat/operation.js';
import { ChatCompletionRequest } from '../../dist/src/modules/inference/operations/chat/dto/chat-completion-request.dto.js';
import { CompletionRequest } from '../../dist/src/modules/inference/operations/completions/dto/completion-request.dto.js';
import { MessagesRequest } from '../../dist/src/modules/inference/operations/messages/dto/messages-request.dto.js';
import { ResponsesRequest } from '../../dist/src/modules/inference/operations/responses/dto/responses-request.dto.js';
import { mergePreset } from '../../dist/src/modules/inference/pipeline/context/preset-merge.js';
import { neutralJson } from '../../dist/src/modules/inference/pipeline/cache/neutral-json.js';
import { withoutMedia } from '../../dist/src/modules/inference/pipeline/content/stripped-media.js';
import { AnsweredCalls } from '../../dist/src/modules/inference/pipeline/attempts/named-calls.js';
import { upstreamRequestOf } from '../../dist/src/modules/inference/pipeline/request/upstream-request.js';

const environment = readEnvironment({});
const turns = new LoopTurns();
const content = new ContentService(
  new CustomSearch(),
  new AnalyzerClient(environment),
  new ClassifierClient(environment),
  turns,
);
const found = { action: 'redact', guardrailIds: ['guardrail'] };
const policy = content.compile('organization', {
  contentFilterBuiltins: [
    { slug: 'email', ...found },
    { slug: 'regex-prompt-injection', ...found, action: 'flag' },
  ],
  contentFilters: [],
});

/** The forms in which clients ask for chats, by their operations. */
const FORMS = {
  'chat/completions': { type: ChatCompletionRequest, chatOf: (body) => body },
  responses: { type: ResponsesRequest, chatOf: chatRequestOfResponses },
  messages: { type: MessagesRequest, chatOf: (body, adjustments) => chatRequestOfMessages(body, [], adjustments) },
  completions: { type: CompletionRequest, chatOf: chatRequestOfCompletions },
};

/**
 * Takes a chat of a client the way of a request up to its candidates: validation, the form of chats, presets, filters and measures.
 *
 * @param path of the operation
 * @returns what is wrong with the request
 */
export async function readChat(path, body) {
  const issues = issuesOf(FORMS[path].type, body);
  if (issues.length > 0) return { issues };
  const chat = FORMS[path].chatOf(body, new RequestAdjustments(JSON.stringify(body).length));
  await prepared(CHAT, mergePreset(chat, { config: { temperature: 1 }, systemPrompt: 'Be brief.' }));
  return {};
}

/**
 * Translates a chat of a client for a model as far as the bytes that its provider gets.
 *
 * @param path of the operation
 * @param served as in served-models.ts
 * @returns how many characters these are
 */
export function sendChat(path, served, body) {
  const adjustments = new RequestAdjustments(JSON.stringify(body).length);
  const chat = FORMS[path].chatOf(body, adjustments);
  return encodedLength(
    served,
    upstreamRequestOf(chat, { upstreamModel: 'up', isByok: true }, [], adjustments),
    adjustments,
  );
}

/**
 * Takes a request of any operation through validation, filters and admission.
 *
 * @param path of the operation
 * @returns what is wrong with it
 */
export async function readBody(path, body) {
  const issues = issuesOf(EVALUATED_TYPES[path] ?? FORMS[path].type, body);
  if (issues.length > 0 || !EVALUATED_PATHS.includes(path)) return { issues };
  await readRequest(path, body, async (read) => encodeEverywhere(path, await prepared(read.operation, read.body)));
  return {};
}

/** The operations of dialects besides chats, by the paths of those that ask for them. */
const ENCODERS = {
  embeddings: ({ embeddings }, body) => embeddings?.encode({ ...body, [KNOWN_MODEL]: {} }, false),
  rerank: ({ rerank }, body) => rerank?.encode(body, false),
  'audio/speech': ({ speech }, body) => speech?.encode(body, false),
};

/** Writes a request that is no chat in each dialect that has a form for it. */
function encodeEverywhere(path, body) {
  for (const { operations } of Object.values(CODECS)) {
    try {
      JSON.stringify(ENCODERS[path]?.(operations, body));
    } catch (error) {
      // It has none for what this request has.
      if (error.kind !== 'refused') throw error;
    }
  }
}

/**
 * Translates a chat in the gateway's form for a model as far as its bytes.
 *
 * @param served as in served-models.ts
 * @returns how long the body is that the provider gets, in characters
 */
export function translate(served, request) {
  return encodedLength(served, request, new RequestAdjustments(JSON.stringify(request).length));
}

function encodedLength({ model, provider, protocol = 'openai', capabilities = {} }, request, adjustments) {
  const candidate = {
    model: { row: { id: model, capabilities: null, topProvider: { max_completion_tokens: null } } },
    endpoint: { row: { capabilities: null, maxCompletionTokens: 128_000, contextLength: 1_000_000 } },
    connection: { provider, protocol, isWellKnown: true, capabilities },
  };
  const { dialect, request: translated, names } = translatedRequest(request, candidate, adjustments);
  new AnsweredCalls(names, request.messages);
  return JSON.stringify(CODECS[dialect].operations.chat.encode(translated, false, adjustments)[0].body).length;
}

/** The first issues of a body, as texts. */
function issuesOf(type, body) {
  const issues = [...inspectText(body), ...validateDto(type, body), ...rulesOf(type).flatMap((rule) => rule(body))];
  return issues.slice(0, 3).map(({ path, message }) => `${path} ${message}`);
}

/** The body as the pipeline has it once it was inspected and measured. */
async function prepared(operation, body) {
  const { texts } = operation;
  operation.mediaOf?.(body);
  const scanned = texts.scannedIn(body);
  texts.placesIn(body);
  const { texts: replaced } = await policy.inspect(scanned);
  const inspected = texts.replacedIn(body, replaced);
  await operation.hidesText(inspected, new LongWork(turns, 'organization'));
  const { body: compressed } = operation.compressed?.(inspected, []) ?? { body: inspected };
  operation.promptBytesOf(compressed);
  operation.sizeOf(compressed);
  operation.needsOf(compressed);
  operation.conversationHintsOf(compressed);
  boundedInput(withoutMedia(operation.loggedInputOf(compressed)));
  if (operation.isCached) neutralJson(compressed, Number.MAX_SAFE_INTEGER);
  return compressed;
}
