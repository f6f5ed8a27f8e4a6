import { joinPath, type IssueWithReason } from '../../../../../http/errors/issue.js';
import { isObject } from '../../../../../http/validation/constraints.js';
import { hasTools } from '../../../../codecs/openai-responses/client-request.js';
import { offeredNameOf, TOOL_SEARCH } from '../../../../codecs/openai-responses/tools.js';

type Body = Readonly<Record<string, unknown>>;

/**
 * A name that a namespace and its tool have together must be that of no other tool, so that a call says which is meant. What
 * searches have found may be there already, and be found again.
 */
export function ambiguityIssues(tools: unknown, input: unknown): IssueWithReason[] {
  const named = namedTools(tools, 'tools');
  const meant = new Map(named.filter(isPlain).map((tool) => [tool.offered, tool.own]));
  const issues = named.flatMap((tool) => {
    if (isPlain(tool)) return [];
    const isTaken = meant.has(tool.offered);
    meant.set(tool.offered, tool.own);
    return isTaken ? [takenIssue(tool)] : [];
  });
  return [...issues, ...foundIssues(input, meant)];
}

/** @param meant the tools by the names under which models know them */
function foundIssues(input: unknown, meant: Map<string, string>): IssueWithReason[] {
  if (!Array.isArray(input)) return [];
  const found = input.flatMap((item: unknown, index) =>
    isObject(item) && hasTools(item) ? namedTools(item.tools, joinPath(joinPath('input', index), 'tools')) : [],
  );
  return found.flatMap((tool) => {
    const other = meant.get(tool.offered) ?? tool.own;
    meant.set(tool.offered, other);
    return other === tool.own ? [] : [takenIssue(tool)];
  });
}

interface NamedTool {
  /** The name under which models know it. */
  readonly offered: string;
  /** What no other tool has: its kind, and its name with that of its namespace. */
  readonly own: string;
  readonly path: string;
}

function isPlain({ own }: NamedTool): boolean {
  return own.startsWith(PLAIN);
}

const PLAIN = 'plain ';

function takenIssue({ offered, path }: NamedTool): IssueWithReason {
  return { path: joinPath(path, 'name'), message: `gives the tool the name of another one: ${offered}` };
}

/** The tools of a list that have names, those of namespaces one by one, and the search for tools. */
function namedTools(tools: unknown, path: string): NamedTool[] {
  if (!Array.isArray(tools)) return [];
  return tools.flatMap((tool: unknown, index): NamedTool[] => {
    const place = joinPath(path, index);
    if (!isObject(tool)) return [];
    if (tool.type === 'namespace') return toolsOfNamespace(tool, joinPath(place, 'tools'));
    if (tool.type === 'tool_search') return [{ offered: TOOL_SEARCH, own: 'search', path: place }];
    return typeof tool.name === 'string' ? [{ offered: tool.name, own: `${PLAIN}${tool.name}`, path: place }] : [];
  });
}

function toolsOfNamespace({ name: namespace, tools }: Body, path: string): NamedTool[] {
  if (!Array.isArray(tools)) return [];
  return tools.flatMap((tool: unknown, index): NamedTool[] => {
    if (!isObject(tool) || tool.type === 'namespace' || typeof tool.name !== 'string') return [];
    const own = JSON.stringify([namespace, tool.name]);
    return [{ offered: offeredNameOf(tool.name, namespace), own, path: joinPath(path, index) }];
  });
}
