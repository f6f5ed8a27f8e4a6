import { type IssueWithReason, joinPath } from '../../../../../http/errors/issue.js';
import { isObject } from '../../../../../http/validation/constraints.js';
import { calledNameIssues, callIdIssues } from '../../../rules/call-rules.js';
import { type Body, byType, type Check, fields, list, object, oneOf, optional, text, truth } from './checks.js';
import { lengthIssues, MOST_CALLS, MOST_CITATIONS } from '../../../rules/list-bounds.js';

const MARK = { cache_control: optional(object) };

const TEXT = fields({
  text,
  citations: (value, path) => lengthIssues(value, path, MOST_CITATIONS),
  ...MARK,
});

const URL = fields({ url: matching(/^https?:\/\//i, 'must be a URL (https://)') });

/** Content filters could not read a text in base64. */
const PDF = fields({ media_type: oneOf(['application/pdf']), data: text });

const IMAGE = fields({
  source: byType({
    base64: fields({ media_type: matching(/^image\/[\w.+-]+$/, 'must be that of an image'), data: text }),
    url: URL,
  }),
  ...MARK,
});

const SEARCH_RESULT = fields({ title: text, source: text, content: list(byType({ text: TEXT })), ...MARK });

const DOCUMENT = fields({
  source: byType({
    base64: PDF,
    url: URL,
    text: fields({ data: text }),
    content: fields({ content: content({ text: TEXT, image: IMAGE }) }),
    file: fields({ file_id: text }),
  }),
  title: optional(text),
  context: optional(text),
  ...MARK,
});

/** What a user and a tool can say. */
const SAID = { text: TEXT, image: IMAGE, document: DOCUMENT, search_result: SEARCH_RESULT };

/** A tool that a search has found, in the result of that search. */
const TOOL_REFERENCE = fields({ tool_name: calledNameIssues, ...MARK });

/** The kinds of blocks that are read, wherever they stand. Others are kept for providers of the form. */
const KNOWN_TYPES: ReadonlySet<string> = new Set([
  ...Object.keys(SAID),
  'tool_reference',
  'tool_result',
  'tool_use',
  'thinking',
  'redacted_thinking',
]);

/** The name of a kind of block that a newer version of the form has. */
const TYPE_NAME = /^[a-z][a-z0-9_]{0,63}$/;

const CONTENT_OF_ROLE: Readonly<Record<string, Check>> = {
  user: content({
    ...SAID,
    tool_result: fields({
      tool_use_id: callIdIssues,
      content: optional(content({ ...SAID, tool_reference: TOOL_REFERENCE })),
      is_error: optional(truth),
      ...MARK,
    }),
  }),
  assistant: content({
    text: TEXT,
    thinking: fields({ thinking: text, signature: optional(text) }),
    redacted_thinking: fields({ data: text }),
    tool_use: fields({ id: callIdIssues, name: calledNameIssues, input: optional(object), ...MARK }),
  }),
  system: content({ text: TEXT }),
};

/** Messages and instructions have contents of the blocks that their role can have (docs/interface/messages.md#content). */
export function messageParamRules({ messages, system }: Body): IssueWithReason[] {
  const issues = optional(CONTENT_OF_ROLE.system!)(system, 'system');
  if (!Array.isArray(messages)) return issues;
  return [
    ...messages.flatMap((message: unknown, index) =>
      isObject(message) ? messageIssues(message, joinPath('messages', index)) : [],
    ),
    ...issues,
  ];
}

function messageIssues({ role, content: said }: Body, path: string): IssueWithReason[] {
  const issues = oneOf(Object.keys(CONTENT_OF_ROLE))(role, joinPath(path, 'role'));
  if (issues.length > 0) return issues;
  const inner = joinPath(path, 'content');
  return [...CONTENT_OF_ROLE[String(role)]!(said, inner), ...callCountIssues(said, inner)];
}

function callCountIssues(said: unknown, path: string): IssueWithReason[] {
  if (!Array.isArray(said) || said.length <= MOST_CALLS) return [];
  const calls = said.filter((block: unknown) => isObject(block) && block.type === 'tool_use').length;
  return calls > MOST_CALLS ? [{ path, message: `must NOT have more than ${MOST_CALLS} blocks tool_use` }] : [];
}

/** A text, or blocks of these kinds. */
function content(kinds: Readonly<Record<string, Check>>): Check {
  const blocks = list(byType(kinds, (type) => TYPE_NAME.test(type) && !KNOWN_TYPES.has(type)));
  return (value, path) => {
    if (typeof value === 'string') return [];
    return Array.isArray(value) ? blocks(value, path) : [{ path, message: 'must be a text or a list of blocks' }];
  };
}

function matching(pattern: RegExp, message: string): Check {
  return (value, path) => (typeof value === 'string' && pattern.test(value) ? [] : [{ path, message }]);
}
