import type { IssueWithReason } from '../../../http/errors/issue.js';
import { CHOICE_FIELDS, MAXIMUM_CHOICES } from '../../codecs/chat/choice-count.js';

type Body = Readonly<Record<string, unknown>>;

/**
 * How many answers are wanted is a number, whatever the name: some providers take a text for one as well, and what a request may cost is
 * reckoned with it (docs/budgets.md#the-worst-case).
 */
export function choiceCountRules(body: Body): IssueWithReason[] {
  return CHOICE_FIELDS.filter((field) => !isCount(body[field])).map((path) => ({
    path,
    message: `must be integer from 1 to ${MAXIMUM_CHOICES}`,
  }));
}

function isCount(value: unknown): boolean {
  if (value === undefined || value === null) return true;
  return Number.isInteger(value) && Number(value) >= 1 && Number(value) <= MAXIMUM_CHOICES;
}
