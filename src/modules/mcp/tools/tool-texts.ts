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

/** What a server answers: texts by themselves, media by what they are, and all else as JSON. */
export const MCP_RESULT: InspectedBody<JsonObject> = {
  texts: textsOf((result, replace) => {
    const replacedContent = (value: unknown): unknown =>
      Array.isArray(value) ? value.map((item) => replacedItem(item, replace)) : replacedJson(value, replace);
    return Object.fromEntries(
      Object.entries(result).map(([name, value]): [string, unknown] => {
        if (name === 'content' || name === 'contents') return [name, replacedContent(value)];
        if (name === 'messages') return [name, replacedMessages(value, replace)];
        return [name, replacedJson(value, replace)];
      }),
    );
  }),
  hidesText: (result, work) => hidesMedia(result, work),
};

function replacedMessages(messages: unknown, replace: Replace): unknown {
  if (!Array.isArray(messages)) return replacedJson(messages, replace);
  return messages.map((message: unknown) => {
    if (!isObject(message)) return replacedJson(message, replace);
    const { content, ...others } = message;
    return { ...(replacedJson(others, replace) as object), content: replacedItem(content, replace) };
  });
}

function replacedItem(item: unknown, replace: Replace): unknown {
  if (!isObject(item)) return replacedJson(item, replace);
  const { type, text, data, blob, mimeType, resource, ...others } = item;
  const isMedia = MEDIA.has(type);
  return {
    ...(type !== undefined && { type }),
    ...(text !== undefined && { text: typeof text === 'string' ? replace(text, 'text') : replacedJson(text, replace) }),
    ...(data !== undefined && { data: isMedia ? data : replacedJson(data, replace) }),
    ...(blob !== undefined && { blob: typeof blob === 'string' ? blob : replacedJson(blob, replace) }),
    ...(mimeType !== undefined && { mimeType: replacedJson(mimeType, replace) }),
    ...(resource !== undefined && { resource: replacedItem(resource, replace) }),
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
  const items = [result['content'], result['contents']].flatMap((list) =>
    Array.isArray(list) ? (list as unknown[]) : [],
  );
  const messages = Array.isArray(result['messages']) ? (result['messages'] as unknown[]) : [];
  for (const item of [...items, ...messages.map((message) => (isObject(message) ? message['content'] : undefined))]) {
    if (!isObject(item)) continue;
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
