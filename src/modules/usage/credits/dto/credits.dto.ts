import { DataOf } from '../../../../api/openapi/response-envelopes.js';
import { NumberField } from '../../../../api/validation/fields.js';

/** What may be spent, and what was. Gatehouse sells no credits: one is a US dollar at list price. */
export class Credits {
  @NumberField({
    description: 'US dollars: the sum of the lifetime budgets of all workspaces, 0 where none has one.',
    example: 1000,
    minimum: 0,
  })
  total_credits: number;

  @NumberField({
    description:
      "US dollars that were ever spent through the gateway's provider keys, by all keys, also deleted ones. Usage through own provider keys is not in it.",
    example: 412.375,
    minimum: 0,
  })
  total_usage: number;
}

/** The answer to getCredits. */
export class CreditsResponse extends DataOf(Credits) {}
