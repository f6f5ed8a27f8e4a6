import { isObject } from '../../../http/validation/constraints.js';
import type { LongWork } from '../../../concurrency/long-work.js';
import type { ScannedText } from '../../content/content-result.js';
import type { InspectedBody } from '../../inference/pipeline/content/inspected-body.js';
import { isBase64 } from '../../inference/pipeline/content/base64.js';
import { MediaContent } from '../../inference/pipeline/content/media-content.js';
import type { ToolDefinition } from '../../mcp-servers/tools/tool-definition.js';
import type { JsonObject } from '../../mcp-servers/upstream/json-rpc.js';

/** Is given each text of a value, and says what is to stand in its place. */
type Replace = (text: string, kind: ScannedText['kind']) => string;

/** Texts of a value that a tool has given, and the value with others in their places. @param replaced goes through the value */
function textsOf<Value>(replaced: (value: Value, replace: Replace) => Value): InspectedBody<Value>['texts'] {
  return {
    scannedIn: (value) => {
      const texts: ScannedText[] = [];
      replaced(value, (text, kind) => {
        texts.push({ role: 'tool', text, kind });
        return text;
      });
      return texts;
    },
    replacedIn: (value, texts) => {
      let index = 0;
      return replaced(value, () => texts[index++]!);
    },
  };
}

/** What models are told of a tool: its texts, and all that its schemas say. */
export const TOOL_DEFINITION: InspectedBody<ToolDefinition> = {
  texts: textsOf((definition, replace) => {
    const { name, title, description, ...schemas } = definition;
    return {
      name,
      ...(title !== undefined && { title: replace(title, 'text') }),
      ...(description !== undefined && { description: replace(description, 'text') }),
      ...(replacedJson(schemas, replace) as Omit<ToolDefinition, 'name'>),
    };
  }),
  hidesText: () => Promise.resolve(false),
};

/** The media in the content of a result. */
const MEDIA: ReadonlySet<unknown> = new Set(['image', 'audio']);

/** What a server answers, or asks a client: texts by themselves, media by what they are, and all else as JSON. */
export const MCP_RESULT: InspectedBody<JsonObject> = {
  texts: textsOf(replacedResult),
  hidesText: (result, work) => hidesMedia(result, work),
};

function replacedResult(result: JsonObject, replace: Replace): JsonObject {
  return Object.fromEntries(
    Object.entries(result).map(([name, value]): [string, unknown] => {
      if (name === 'content' || name === 'contents') return [name, replacedContent(value, replace)];
      if (name === 'messages') return [name, replacedMessages(value, replace)];
      if (name === 'inputRequests') return [name, replacedRequests(value, replace)];
      return [name, replacedJson(value, replace)];
    }),
  );
}

/** What a server asks a client through a result. */
function replacedRequests(requests: unknown, replace: Replace): unknown {
  if (!isObject(requests)) return replacedJson(requests, replace);
  return Object.fromEntries(
    Object.entries(requests).map(([name, request]): [string, unknown] => {
      if (!isObject(request) || !isObject(request['params'])) return [name, replacedJson(request, replace)];
      const { params, ...others } = request;
      return [name, { ...(replacedJson(others, replace) as object), params: replacedResult(params, replace) }];
    }),
  );
}

function replacedContent(content: unknown, replace: Replace): unknown {
  return Array.isArray(content) ? content.map((item) => replacedItem(item, replace)) : replacedItem(content, replace);
}

function replacedMessages(messages: unknown, replace: Replace): unknown {
  if (!Array.isArray(messages)) return replacedJson(messages, replace);
  return messages.map((message: unknown) => {
    if (!isObject(message)) return replacedJson(message, replace);
    const { content, ...others } = message;
    return { ...(replacedJson(others, replace) as object), content: replacedContent(content, replace) };
  });
}

function replacedItem(item: unknown, replace: Replace): unknown {
  if (!isObject(item)) return replacedJson(item, replace);
  const { type, text, data, blob, mimeType, resource, content, ...others } = item;
  const isMedia = MEDIA.has(type);
  return {
    ...(type !== undefined && { type }),
    ...(text !== undefined && { text: typeof text === 'string' ? replace(text, 'text') : replacedJson(text, replace) }),
    ...(data !== undefined && { data: isMedia ? data : replacedJson(data, replace) }),
    ...(blob !== undefined && { blob: typeof blob === 'string' ? blob : replacedJson(blob, replace) }),
    ...(mimeType !== undefined && { mimeType: replacedJson(mimeType, replace) }),
    ...(resource !== undefined && { resource: replacedItem(resource, replace) }),
    ...(content !== undefined && { content: replacedContent(content, replace) }),
    ...(replacedJson(others, replace) as object),
  };
}

/** A value as one JSON text, which stays JSON. */
function replacedJson(value: unknown, replace: Replace): unknown {
  if (value === undefined || value === null || typeof value === 'boolean') return value;
  if (isObject(value) && Object.keys(value).length === 0) return value;
  return JSON.parse(replace(JSON.stringify(value), 'tool_arguments')) as unknown;
}

/** Whether a picture, a recording or a resource in bytes may be a text, which filters do not read in them: it is none of the known forms. */
async function hidesMedia(result: JsonObject, work: LongWork): Promise<boolean> {
  for (const item of itemsOf(result)) {
    const source = item['type'] === 'resource' && isObject(item['resource']) ? item['resource'] : item;
    const bytes = MEDIA.has(item['type']) ? source['data'] : source['blob'];
    if (typeof bytes !== 'string') continue;
    if (work.mustRest) await work.rest();
    if (!(await isBase64(bytes, 0, work))) return true;
    const content = new MediaContent(bytes, 0);
    if (content.text() !== undefined || content.kind === undefined) return true;
  }
  return false;
}

/** The parts of contents: of a result, of its messages, and of what it asks a client. */
function* itemsOf({ content, contents, messages, inputRequests }: JsonObject): Generator<JsonObject> {
  yield* itemsIn(content);
  yield* itemsIn(contents);
  for (const message of Array.isArray(messages) ? (messages as unknown[]) : []) {
    if (isObject(message)) yield* itemsIn(message['content']);
  }
  for (const request of isObject(inputRequests) ? Object.values(inputRequests) : []) {
    if (isObject(request) && isObject(request['params'])) yield* itemsOf(request['params']);
  }
}

function* itemsIn(content: unknown): Generator<JsonObject> {
  for (const item of Array.isArray(content) ? (content as unknown[]) : [content]) {
    if (!isObject(item)) continue;
    yield item;
    // That of the result of a tool.
    yield* itemsIn(item['content']);
  }
}
