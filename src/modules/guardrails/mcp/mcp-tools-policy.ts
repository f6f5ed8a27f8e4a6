import type { EffectiveRule, SharedFilter } from '../effective-policy/effective-rule.js';

/** The form of an entry of a list of tools: a tool of an MCP server, or all of its tools. */
export const MCP_TOOL_ENTRY = '^[a-z0-9]([a-z0-9-]{0,30}[a-z0-9])?/([A-Za-z0-9_.-]{1,128}|[*])$';

/** What the arguments of tools must meet besides the schema of the tool. */
export interface McpArgumentRule {
  /** As {@link MCP_TOOL_ENTRY} has it. */
  readonly tool: string;
  /** JSON Schema 2020-12. */
  readonly schema: Readonly<Record<string, unknown>>;
}

/** The rules of a guardrail about the tools of MCP servers; null says nothing. */
export interface McpToolsPolicy {
  readonly id: string;
  readonly allowedMcpTools: readonly string[] | null;
  readonly ignoredMcpTools: readonly string[] | null;
  readonly mcpArgumentRules: readonly McpArgumentRule[] | null;
}

/** The combined rules of several guardrails about tools. Where no guardrail has a list of allowed ones, none is allowed. */
export interface EffectiveMcpTools {
  readonly allowedMcpTools: EffectiveRule<readonly string[]>;
  readonly ignoredMcpTools: EffectiveRule<readonly string[]>;
  readonly mcpArgumentRules: readonly SharedFilter<McpArgumentRule>[];
}

/** Combines rules about tools: allow-lists intersect, ignore-lists unite, and arguments must meet every rule. @param distinct each guardrail once */
export function combineMcpTools(distinct: readonly McpToolsPolicy[]): EffectiveMcpTools {
  return {
    allowedMcpTools: combined(distinct, 'allowedMcpTools', (lists) => {
      const names = lists.map((entries) => new Set(entries));
      return [...new Set(lists.flat())].filter((entry) => names.every((named) => namesTool(named, entry)));
    }),
    ignoredMcpTools: combined(distinct, 'ignoredMcpTools', (lists) => [...new Set(lists.flat())]),
    mcpArgumentRules: distinct.flatMap(({ id, mcpArgumentRules }) =>
      (mcpArgumentRules ?? []).map((rule) => ({ ...rule, guardrailIds: [id] })),
    ),
  };
}

/** Whether a list names a tool: `server/*` stands for all tools of the server. @param tool `server/tool`, or `server/*` for all of them */
export function namesTool(names: ReadonlySet<string>, tool: string): boolean {
  return names.has(tool) || names.has(`${tool.slice(0, tool.indexOf('/'))}/*`);
}

/** Why a tool may not be called. */
export type McpToolRefusal = 'not_allowed' | 'ignored';

/** Whether the rules of guardrails allow a tool. @returns why not; undefined where they do */
export type McpToolCheck = (tool: string) => McpToolRefusal | undefined;

/** Makes the check of tools of a policy. */
export function mcpToolCheck({ allowedMcpTools, ignoredMcpTools }: EffectiveMcpTools): McpToolCheck {
  const allowed = new Set(allowedMcpTools.value ?? []);
  const ignored = new Set(ignoredMcpTools.value ?? []);
  return (tool) => {
    if (namesTool(ignored, tool)) return 'ignored';
    return namesTool(allowed, tool) ? undefined : 'not_allowed';
  };
}

function combined(
  policies: readonly McpToolsPolicy[],
  list: 'allowedMcpTools' | 'ignoredMcpTools',
  combineLists: (lists: readonly (readonly string[])[]) => string[],
): EffectiveRule<readonly string[]> {
  const speaking = policies.filter((policy) => policy[list] !== null);
  if (speaking.length === 0) return { value: null, guardrailIds: [] };
  const value = combineLists(speaking.map((policy) => policy[list] ?? [])).sort();
  return { value, guardrailIds: speaking.map(({ id }) => id) };
}
