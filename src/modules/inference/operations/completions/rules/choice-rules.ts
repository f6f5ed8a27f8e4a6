import type { IssueWithReason } from '../../../../../http/errors/issue.js';

type Body = Readonly<Record<string, unknown>>;

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
