/*
 * Providers say with the status of a wrong request, or of too many, that their operator's account is out of credit or closed, or that they
 * have no such model. No caller can mend that, and another endpoint may answer. Most have no code for it, so that the words are recognized:
 * at the beginning of a message alone, because what a request has said may be quoted behind it.
 */

/** A kind of refusal, and how it is known. */
interface AccountError {
  /** The status that says what is meant. */
  readonly meant: number;
  /** The statuses with which it comes. */
  readonly statuses: ReadonlySet<number>;
  /** The codes and types of providers, in lower case. */
  readonly codes: ReadonlySet<string>;
  /** How messages begin. */
  readonly wording: RegExp;
}

/** An opening bracket with a code that servers put before their words, as in `[1113][Insufficient balance`. */
const BEFORE = String.raw`^(?:\[\d{1,6}\]\s?)?\[?`;

const beginning = (...wordings: readonly string[]): RegExp => new RegExp(`${BEFORE}(?:${wordings.join('|')})`, 'i');

const ACCOUNT_ERRORS: readonly AccountError[] = [
  {
    meant: 402,
    statuses: new Set([400, 403, 429]),
    codes: new Set(['billing_hard_limit_reached', 'billing_not_active', 'exceeded_current_quota_error']),
    wording: beginning(
      // Anthropic.
      String.raw`your credit balance is too low\b`,
      String.raw`you have reached your specified (?:\w{1,20} )?API usage limits\b`,
      // xAI, with the id of the team.
      String.raw`your (?:newly created )?team \S{1,60} (?:has either used all available credits|doesn['’]t have any credits)\b`,
      // Moonshot, with the ids of the account and the key.
      String.raw`your account .{1,120}? is suspended due to insufficient balance\b`,
      // Z.ai, DeepSeek and Chinese clouds.
      String.raw`insufficient (?:account )?balance\b`,
      // OpenAI, for images.
      String.raw`billing hard limit has been reached\b`,
    ),
  },
  {
    meant: 401,
    statuses: new Set([400]),
    codes: new Set(['organization_restricted']),
    // Anthropic, Groq.
    wording: beginning(String.raw`(?:this|your) organization has been (?:disabled|restricted)\b`),
  },
  {
    meant: 403,
    statuses: new Set([400]),
    codes: new Set(),
    // Google, to addresses of some countries.
    wording: beginning(String.raw`user location is not supported\b`),
  },
  {
    meant: 404,
    statuses: new Set([400]),
    codes: new Set(['model_not_found', 'model_decommissioned', 'model_not_available']),
    wording: beginning(
      // Bedrock.
      String.raw`the provided model identifier is invalid\b`,
      String.raw`invocation of model ID \S{1,300} with on-demand throughput isn['’]t supported\b`,
      // DeepSeek, Z.ai, Mistral.
      String.raw`model not exist\b`,
      String.raw`unknown model\b`,
      String.raw`invalid model: `,
    ),
  },
];

/**
 * The status that a provider's refusal means, where it is about the operator's account at the provider, or about the name of the model there,
 * and its own status says otherwise.
 *
 * @param status of the provider; undefined for an error within an answer, whose class says that the request is wrong
 * @param code its own word for the error; empty for none
 * @param message of the provider
 * @returns undefined for any other refusal
 */
export function statusOfAccountError(status: number | undefined, code: string, message: string): number | undefined {
  const word = code.toLowerCase();
  return ACCOUNT_ERRORS.find(
    ({ statuses, codes, wording }) => statuses.has(status ?? 400) && (codes.has(word) || wording.test(message)),
  )?.meant;
}
