import { joinPath, type IssueWithReason } from '../../../../../http/errors/issue.js';

type Body = Readonly<Record<string, unknown>>;

const TOKENS_MESSAGE = 'must be a text: tokens are not accepted, because each model has its own';

/** The prompt is one text, which may stand in a list (docs/interface/completions.md#prompt). */
export function promptRules({ prompt }: Body): IssueWithReason[] {
  if (prompt === undefined || prompt === null) return [{ path: 'prompt', message: 'is required' }];
  if (!Array.isArray(prompt)) return textIssues(prompt, 'prompt');
  if (prompt.length === 0) return [{ path: 'prompt', message: 'must NOT have fewer than 1 items' }];
  const first: unknown = prompt[0];
  if (typeof first === 'number' || Array.isArray(first)) return [{ path: 'prompt', message: TOKENS_MESSAGE }];
  if (prompt.length > 1) {
    return [{ path: 'prompt', message: 'must NOT have more than 1 items: each prompt is a request of its own' }];
  }
  return textIssues(first, joinPath('prompt', 0));
}

function textIssues(value: unknown, path: string): IssueWithReason[] {
  if (typeof value !== 'string') return [{ path, message: 'must be string' }];
  return value === '' ? [{ path, message: 'must NOT have fewer than 1 characters' }] : [];
}

/** What of the legacy form cannot be had from a chat (docs/interface/completions.md#parameters). */
export function choiceRules({ n, best_of: bestOf, echo, logprobs }: Body): IssueWithReason[] {
  const issues: IssueWithReason[] = [];
  if (typeof bestOf === 'number' && bestOf !== (n ?? 1)) {
    issues.push({ path: 'best_of', message: 'must equal n: the gateway discards no answers' });
  }
  if (echo === true && typeof logprobs === 'number') {
    issues.push({ path: 'echo', message: 'must be false with logprobs: those of the prompt are not known' });
  }
  // Repeated before each of many answers, a long prompt would become too much to send.
  if (echo === true && typeof n === 'number' && n > 1) {
    issues.push({ path: 'echo', message: 'must be false with an n of more than 1' });
  }
  return issues;
}
