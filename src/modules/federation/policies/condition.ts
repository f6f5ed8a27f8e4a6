import { type ASTNode, type ASTOperator, Environment } from '@marcbachmann/cel-js';
import { MAXIMUM_CONDITION_LENGTH } from '../federation-settings.js';

/** What a condition can ask about a token. */
export interface ConditionInput {
  readonly subject: string;
  readonly audience: readonly string[];
  readonly scopes: readonly string[];
  readonly token_type: string;
}

/** Operators that a condition may have. No others, because some take long, or make long texts out of short ones. */
const OPERATORS: ReadonlySet<ASTOperator> = new Set<ASTOperator>([
  ...(['value', 'id', 'list', '[]', '?:', '||', '&&', '!_', '-_'] as const),
  ...(['==', '!=', 'in', '<', '<=', '>', '>='] as const),
]);

const FUNCTIONS: ReadonlySet<string> = new Set(['size']);

const METHODS: ReadonlySet<string> = new Set([
  'contains',
  'endsWith',
  'indexOf',
  'lowerAscii',
  'size',
  'startsWith',
  'substring',
  'trim',
  'upperAscii',
]);

/** What is evaluated once for each item of a list. */
const MACROS: ReadonlySet<string> = new Set(['all', 'exists', 'exists_one', 'filter']);

const ENVIRONMENT = new Environment({
  limits: { maxAstNodes: 500, maxDepth: 32, maxListElements: 64, maxMapEntries: 0, maxCallArguments: 3 },
})
  .registerVariable('subject', 'string')
  .registerVariable('audience', 'list<string>')
  .registerVariable('scopes', 'list<string>')
  .registerVariable('token_type', 'string');

type Evaluate = (input: ConditionInput) => unknown;

/** A condition that is ready to be asked, or what is wrong with it. */
type Compiled = { readonly issue: string } | { readonly issue?: never; readonly evaluate: Evaluate };

/**
 * What is wrong with a condition (docs/interface/token-exchange.md#conditions): an expression of the Common Expression Language that is
 * true or false, without regular expressions, texts that grow, and macros within macros, so that none takes long.
 *
 * @returns undefined for a condition that is accepted
 */
export function conditionIssue(text: string): string | undefined {
  return compiled(text).issue;
}

/** Whether a condition holds. One that fails, or is not accepted any more, does not. */
export function conditionHolds(text: string, input: ConditionInput): boolean {
  const condition = compiled(text);
  if (condition.issue !== undefined) return false;
  try {
    return condition.evaluate(input) === true;
  } catch {
    // Such as an index beyond the end of a list: whatever cannot be said to hold does not.
    return false;
  }
}

function compiled(text: string): Compiled {
  if (text.length > MAXIMUM_CONDITION_LENGTH)
    return { issue: `must not be longer than ${MAXIMUM_CONDITION_LENGTH} characters` };
  try {
    const evaluate = ENVIRONMENT.parse(text);
    const issue = nodeIssue(evaluate.ast, false);
    if (issue !== undefined) return { issue };
    const { valid, type, error } = evaluate.check();
    if (!valid) return { issue: firstLine(error) };
    return type === 'bool' ? { evaluate } : { issue: `must be true or false, and is ${type}` };
  } catch (error) {
    return { issue: firstLine(error) };
  }
}

/** The messages of the parser go on with a drawing of the place. */
function firstLine(error: unknown): string {
  return `is not a condition: ${(error as Error).message.split('\n')[0]}`;
}

/** @param isInMacro whether the node is evaluated for each item of a list */
function nodeIssue(node: ASTNode, isInMacro: boolean): string | undefined {
  switch (node.op) {
    case 'call': {
      const [name, list] = node.args;
      return FUNCTIONS.has(name) ? firstIssue(list, isInMacro) : `must not call ${name}()`;
    }
    case 'rcall': {
      const [name, receiver, list] = node.args;
      const isMacro = MACROS.has(name);
      if (!isMacro && !METHODS.has(name)) return `must not call ${name}()`;
      if (isMacro && isInMacro) return `must not have ${name}() within another macro`;
      return nodeIssue(receiver, isInMacro || isMacro) ?? firstIssue(list, isInMacro || isMacro);
    }
    case 'value':
    case 'id':
      return undefined;
    case '!_':
    case '-_':
      return nodeIssue(node.args, isInMacro);
    default:
      if (!OPERATORS.has(node.op)) return `must not have the operator ${node.op}`;
      return firstIssue(node.args as readonly ASTNode[], isInMacro);
  }
}

function firstIssue(nodes: readonly ASTNode[], isInMacro: boolean): string | undefined {
  for (const node of nodes) {
    const issue = nodeIssue(node, isInMacro);
    if (issue !== undefined) return issue;
  }
  return undefined;
}
