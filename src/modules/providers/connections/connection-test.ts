/** What can come of a test of a connection; `unreadable` is that of a credential which cannot be decrypted. */
export const TEST_OUTCOMES = ['builtin', 'token_issued', 'no_token', 'answered', 'unreachable', 'unreadable'] as const;

export type TestOutcome = (typeof TEST_OUTCOMES)[number];

/** What came of asking a provider whether it accepts the credential. */
export type ConnectionTest =
  | { readonly outcome: 'not_connected' }
  | { readonly outcome: 'unreadable' }
  | { readonly outcome: 'builtin' }
  /** A token was issued, and the provider has nothing to ask for without a model. */
  | { readonly outcome: 'token_issued' }
  /** No token was issued, for the reason of who issues them. */
  | { readonly outcome: 'no_token'; readonly cause: string }
  | AnsweredTest
  /** Why there was no answer. */
  | { readonly outcome: 'unreachable'; readonly url: string; readonly cause: string };

interface AnsweredTest {
  readonly outcome: 'answered';
  readonly url: string;
  readonly status: number;
  readonly durationMs: number;
  /** Whether the status is one of those of a provider that accepts the credential. */
  readonly isAccepted: boolean;
  /** The provider's own words for another status, without the credential; undefined where it has none. */
  readonly reason: string | undefined;
}

/** What is wrong with a connection. @returns undefined where the provider has answered as one that accepts the credential does */
export function problemOfTest(provider: string, result: ConnectionTest): string | undefined {
  switch (result.outcome) {
    case 'not_connected':
      return `${provider} is not connected.`;
    case 'unreadable':
      return `The credential of ${provider} cannot be decrypted: connect it again.`;
    case 'unreachable':
      return `${provider} does not answer at ${result.url}: ${result.cause}`;
    case 'answered':
      if (result.isAccepted) return undefined;
      return `${provider} answers ${result.status} at ${result.url}${result.reason === undefined ? '' : `: ${result.reason}`}`;
    case 'no_token':
      return `${provider} cannot be called: ${result.cause}`;
    case 'token_issued':
    case 'builtin':
      return undefined;
  }
}
