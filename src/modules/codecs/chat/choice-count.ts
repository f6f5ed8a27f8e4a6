/** The names under which providers know how many answers a request asks for. They are handed on. */
export const CHOICE_FIELDS = ['n', 'best_of', 'num_return_sequences', 'candidate_count', 'num_completions'] as const;

/** The largest number of answers to one prompt. */
export const MAXIMUM_CHOICES = 128;

/** How many answers a request asks for at most: the most of what any field says, because providers differ in which of them they know. */
export function choicesOf(request: Readonly<Record<string, unknown>>): number {
  return CHOICE_FIELDS.reduce((most, field) => Math.max(most, Number(request[field] ?? 1)), 1);
}
