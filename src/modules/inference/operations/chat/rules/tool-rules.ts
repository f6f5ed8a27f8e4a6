import { joinPath, type IssueWithReason } from '../../../../../http/errors/issue.js';
import { isObject } from '../../../../../http/validation/constraints.js';
import { messagesFieldsOf } from '../../../../codecs/chat/messages-fields.js';
import { requiredIssues } from '../../../rules/list-bounds.js';

type Body = Readonly<Record<string, unknown>>;

/** The maximum length of the name of a function or a schema, in characters. */
const MAXIMUM_NAME_LENGTH = 64;

/** Fields by which providers search the web while they answer. */
const SEARCHES = ['web_search_options', 'search_parameters', 'enable_search'];

/** The fields of `venice_parameters` by which a provider searches or reads the web, and what switches each off. */
const VENICE_SEARCHES: Readonly<Record<string, string | false>> = {
  enable_web_search: 'off',
  enable_web_scraping: false,
  enable_x_search: false,
};

const TOOL_CHOICES = ['none', 'auto', 'required'];

const FORMATS = ['text', 'json_object', 'json_schema', 'grammar', 'python'];

/** The earlier form of tools, and what stands in its place. */
const EARLIER_FORM: Readonly<Record<string, string>> = { functions: 'tools', function_call: 'tool_choice' };

/** Tools, the choice among them and the form of the answer (docs/interface/inference.md#tools). */
export function toolRules(body: Body): IssueWithReason[] {
  const { tools, tool_choice: choice, response_format: format } = body;
  return [
    ...toolsIssues(tools),
    ...choiceIssues(choice),
    ...earlierFormIssues(body),
    ...formatIssues(format),
    ...searchIssues(body),
  ];
}

/** A search costs what no usage tells, so that no budget would hold. */
function searchIssues(body: Body): IssueWithReason[] {
  const fields = SEARCHES.filter((field) => isGiven(body[field])).map((path) => searchIssue(path, 'null'));
  // The other name of enable_web_search.
  const { web_search: other, venice_parameters: settings } = body;
  if (isGiven(other) && other !== false) fields.push(searchIssue('web_search', 'false'));
  if (!isObject(settings)) return fields;
  const switched = Object.entries(VENICE_SEARCHES).filter(
    ([name, off]) => isGiven(settings[name]) && settings[name] !== off,
  );
  return [...fields, ...switched.map(([name, off]) => searchIssue(joinPath('venice_parameters', name), String(off)))];
}

function searchIssue(path: string, off: string): IssueWithReason {
  return { path, message: `must be ${off}: the gateway does not search the web` };
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}

function toolsIssues(tools: unknown): IssueWithReason[] {
  if (!Array.isArray(tools)) return [];
  return tools.flatMap((tool: unknown, index) => (isObject(tool) ? toolIssues(tool, joinPath('tools', index)) : []));
}

/** An answer would look like one for which a tool of the provider or of the gateway has worked, and others cannot be called. */
function toolIssues(tool: Body, path: string): IssueWithReason[] {
  if (tool.type === 'function') return functionIssues(tool.function, joinPath(path, 'function'));
  // A tool that the Messages form defines; its rules have been checked.
  if (messagesFieldsOf(tool).type !== undefined) return [];
  return [{ path: joinPath(path, 'type'), message: 'must be function: the gateway has no tools of its own' }];
}

function functionIssues(called: unknown, path: string): IssueWithReason[] {
  const issues = namedIssues(called, path);
  return isObject(called) ? [...issues, ...requiredIssues(called.parameters, joinPath(path, 'parameters'))] : issues;
}

function choiceIssues(choice: unknown): IssueWithReason[] {
  if (choice === undefined || choice === null) return [];
  const path = 'tool_choice';
  if (typeof choice === 'string') {
    return TOOL_CHOICES.includes(choice) ? [] : [{ path, message: `must be one of: ${TOOL_CHOICES.join(', ')}` }];
  }
  if (!isObject(choice)) return [{ path, message: 'must be string or object' }];
  if (choice.type === 'function') return namedIssues(choice.function, `${path}.function`);
  if (choice.type === 'allowed_tools') return [];
  return [{ path: `${path}.type`, message: 'must be one of: function, allowed_tools' }];
}

function earlierFormIssues(body: Body): IssueWithReason[] {
  return Object.entries(EARLIER_FORM)
    .filter(([field]) => body[field] !== undefined && body[field] !== null)
    .map(([path, field]) => ({ path, message: `must be null: it is the earlier form of ${field}` }));
}

function formatIssues(format: unknown): IssueWithReason[] {
  if (!isObject(format)) return [];
  const { type } = format;
  if (typeof type !== 'string' || !FORMATS.includes(type)) {
    return [{ path: 'response_format.type', message: `must be one of: ${FORMATS.join(', ')}` }];
  }
  if (type === 'grammar' && typeof format.grammar !== 'string') {
    return [{ path: 'response_format.grammar', message: 'must be string' }];
  }
  if (type !== 'json_schema') return [];
  const path = 'response_format.json_schema';
  const { json_schema: described } = format;
  const issues = namedIssues(described, path);
  return isObject(described) ? [...issues, ...requiredIssues(described.schema, joinPath(path, 'schema'))] : issues;
}

function namedIssues(value: unknown, path: string): IssueWithReason[] {
  if (!isObject(value)) return [{ path, message: 'must be object' }];
  const { name } = value;
  const isName = typeof name === 'string' && name !== '' && [...name].length <= MAXIMUM_NAME_LENGTH;
  return isName
    ? []
    : [{ path: joinPath(path, 'name'), message: `must be a text of 1 to ${MAXIMUM_NAME_LENGTH} characters` }];
}
