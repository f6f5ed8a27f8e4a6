import { isObject } from '../../../http/validation/constraints.js';
import type { LongWork } from '../../../concurrency/long-work.js';
import type { ScannedText } from '../../content/content-result.js';
import type { InspectedBody } from '../../inference/pipeline/content/inspected-body.js';
import { isBase64 } from '../../inference/pipeline/content/base64.js';
import { MediaContent } from '../../inference/pipeline/content/media-content.js';
import type { ToolDefinition } from '../../mcp-servers/tools/tool-definition.js';
import type { JsonObject } from '../../mcp-servers/upstream/json-rpc.js';

/** What is done with the parts of a value: each is given, and what stands in its place is returned. */
interface Parts {
  readonly text: (text: string) => string;
  /** What is read as JSON. */
  readonly json: (value: unknown) => unknown;
  /** Media in base64, as it is said of them: they may be anything. */
  readonly bytes: (base64: string) => void;
}

/** Goes through a value. @returns the value with others in the places of its parts */
type Walk<Value> = (value: Value, parts: Parts) => Value;

/** Texts of a value that a tool has given, and the value with others in their places. */
function textsOf<Value>(walk: Walk<Value>): InspectedBody<Value>['texts'] {
  const replaced = (value: Value, replace: (text: string, kind: ScannedText['kind']) => string): Value =>
    walk(value, {
      text: (text) => replace(text, 'text'),
      json: (part) => replacedJson(part, (text) => replace(text, 'tool_arguments')),
      bytes: () => undefined,
    });
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

/** A value as one JSON text, which stays JSON. */
function replacedJson(value: unknown, replace: (text: string) => string): unknown {
  if (value === undefined || value === null || typeof value === 'boolean') return value;
  if (isObject(value) && Object.keys(value).length === 0) return value;
  return JSON.parse(replace(JSON.stringify(value))) as unknown;
}

/** What models are told of a tool: its texts, and all that its schemas say. */
export const TOOL_DEFINITION: InspectedBody<ToolDefinition> = {
  texts: textsOf((definition, { text, json }) => {
    const { name, title, description, ...schemas } = definition;
    return {
      name,
      ...(title !== undefined && { title: text(title) }),
      ...(description !== undefined && { description: text(description) }),
      ...(json(schemas) as Omit<ToolDefinition, 'name'>),
    };
  }),
  hidesText: () => Promise.resolve(false),
};

/** What a server answers, or asks a client: texts by themselves, media by what they are, and all else as JSON. */
export const MCP_RESULT: InspectedBody<JsonObject> = {
  texts: textsOf(walkedResult),
  hidesText: hidesMedia,
};

/** What results, requests and notifications have, by names that say nothing of a server. */
const FIELDS: ReadonlySet<string> = new Set([
  ...['_meta', 'completion', 'description', 'isError', 'nextCursor', 'prompts', 'resources', 'resourceTemplates'],
  ...['resultType', 'structuredContent', 'elicitationId', 'elicitations', 'message', 'mode', 'requestedSchema', 'url'],
  ...['includeContext', 'maxTokens', 'metadata', 'modelPreferences', 'stopSequences', 'systemPrompt', 'temperature'],
  ...['toolChoice', 'tools', 'data', 'logger', 'uri'],
]);

/** The kinds of content. */
const TYPES: ReadonlySet<unknown> = new Set([
  ...['text', 'image', 'audio', 'resource', 'resource_link', 'tool_use', 'tool_result'],
]);

/** The kinds of content with media in their data. */
const MEDIA: ReadonlySet<unknown> = new Set(['image', 'audio']);

function walkedResult(result: JsonObject, parts: Parts): JsonObject {
  const known = Object.entries(result).flatMap(([name, value]): [string, unknown][] => {
    if (name === 'content' || name === 'contents') return [[name, walkedContent(value, parts)]];
    if (name === 'messages') return [[name, walkedMessages(value, parts)]];
    if (name === 'inputRequests') return [[name, walkedRequests(value, parts)]];
    return FIELDS.has(name) ? [[name, parts.json(value)]] : [];
  });
  const names = new Set(known.map(([name]) => name));
  const others = Object.fromEntries(Object.entries(result).filter(([name]) => !names.has(name)));
  return { ...Object.fromEntries(known), ...(parts.json(others) as JsonObject) };
}

/** What a server asks a client through a result, by names that are the server's. */
function walkedRequests(requests: unknown, parts: Parts): unknown {
  if (!isObject(requests)) return parts.json(requests);
  return Object.fromEntries(
    Object.entries(requests).map(([name, request]): [string, unknown] => {
      const written = parts.text(name);
      if (!isObject(request) || !isObject(request['params'])) return [written, parts.json(request)];
      const { method, params, ...others } = request;
      return [
        written,
        {
          ...(method !== undefined && { method: parts.json(method) }),
          ...(parts.json(others) as object),
          params: walkedResult(params, parts),
        },
      ];
    }),
  );
}

function walkedContent(content: unknown, parts: Parts): unknown {
  return Array.isArray(content) ? content.map((item) => walkedItem(item, parts)) : walkedItem(content, parts);
}

function walkedMessages(messages: unknown, parts: Parts): unknown {
  if (!Array.isArray(messages)) return parts.json(messages);
  return messages.map((message: unknown) => {
    if (!isObject(message)) return parts.json(message);
    const { content, ...others } = message;
    return {
      ...(parts.json(others) as object),
      ...(content !== undefined && { content: walkedContent(content, parts) }),
    };
  });
}

function walkedItem(item: unknown, parts: Parts): unknown {
  if (!isObject(item)) return parts.json(item);
  const { type, text, data, blob, mimeType, resource, content, ...others } = item;
  const bytes = (value: unknown): unknown => {
    if (typeof value !== 'string') return parts.json(value);
    parts.bytes(value);
    return value;
  };
  return {
    ...(type !== undefined && { type: TYPES.has(type) ? type : parts.json(type) }),
    ...(text !== undefined && { text: typeof text === 'string' ? parts.text(text) : parts.json(text) }),
    ...(data !== undefined && { data: MEDIA.has(type) ? bytes(data) : parts.json(data) }),
    ...(blob !== undefined && { blob: bytes(blob) }),
    ...(mimeType !== undefined && { mimeType: parts.json(mimeType) }),
    ...(resource !== undefined && { resource: walkedItem(resource, parts) }),
    ...(content !== undefined && { content: walkedContent(content, parts) }),
    ...(parts.json(others) as object),
  };
}

/** Whether media may be a text, which filters do not read in them: they are of none of the known forms. */
async function hidesMedia(result: JsonObject, work: LongWork): Promise<boolean> {
  const media: string[] = [];
  walkedResult(result, { text: (text) => text, json: (value) => value, bytes: (base64) => void media.push(base64) });
  for (const bytes of media) {
    if (work.mustRest) await work.rest();
    if (!(await isBase64(bytes, 0, work))) return true;
    const content = new MediaContent(bytes, 0);
    if (content.text() !== undefined || content.kind === undefined) return true;
  }
  return false;
}
