import type { ChatRequest } from '../chat/chat-completion.js';
import { type JsonObject, nonEmptyText, objectOf } from '../chat/json-values.js';
import { knownModelOf } from '../chat/known-model.js';

/** The name of the tool whose input is an answer of JSON. */
const JSON_TOOL = 'answer_in_json';

/** What an answer has to obey. */
export interface AnswerSchema {
  readonly schema: JsonObject;
  readonly name: string;
  readonly description: string | undefined;
  /** The tool that the model has to call with its answer, where it takes no schema for a text; undefined where it takes one. */
  readonly tool: string | undefined;
}

/** The schema that a request wants its answer to obey; undefined for none. */
export function answerSchemaOf(request: ChatRequest): AnswerSchema | undefined {
  const { response_format: format } = request;
  const described = format?.['type'] === 'json_schema' ? objectOf(format['json_schema']) : undefined;
  const schema = objectOf(described?.['schema']);
  if (schema === undefined) return undefined;
  const { schema_as_tool: isTool, response_formats: formats } = knownModelOf(request);
  return {
    schema,
    name: nonEmptyText(described?.['name']) ?? 'answer',
    description: nonEmptyText(described?.['description']),
    tool: isTool === true && formats?.includes('json_schema') !== true ? JSON_TOOL : undefined,
  };
}
