import type { IDToken, ServerMetadata } from 'openid-client';
import type { SignInConnectionEntity } from '../entities/sign-in-connection.entity.js';
import { CLOCK_TOLERANCE_S } from './oidc-clients.js';
import { SignInRefusal } from './sign-in-refusal.js';

/** How recent a proof is that was asked for anew, in seconds. */
const STEP_UP_MAX_AGE_S = 900;

type StepUpSettings = Pick<SignInConnectionEntity, 'stepUpWithoutAuthTime'>;

/**
 * The parameters with which a provider is asked to have a person prove again who they are (OpenID Connect Core 1.0, section 3.1.2.1).
 *
 * @param connection where a sign-in without `auth_time` counts, the provider may not know `login`, and is asked for what it knows
 */
export function stepUpParameters(
  { stepUpWithoutAuthTime }: StepUpSettings,
  { prompt_values_supported: known }: ServerMetadata,
): { readonly prompt: string; readonly max_age: string } {
  const knowsLogin = !stepUpWithoutAuthTime || (Array.isArray(known) && known.includes('login'));
  return { prompt: knowsLogin ? 'login' : 'select_account', max_age: String(STEP_UP_MAX_AGE_S) };
}

/**
 * When the person proved who they are, as the ID token says it (`auth_time`). That the token is new proves nothing: the provider may have
 * signed the person in silently (docs/interface/sign-in.md#fresh-sign-ins).
 *
 * @param isStepUp whether the person was asked to prove it again
 * @returns null where it is not known
 * @throws SignInRefusal for a step-up without a proof of the last 15 minutes
 */
export function authenticatedAtOf(
  { auth_time: seconds }: IDToken,
  isStepUp: boolean,
  { stepUpWithoutAuthTime }: StepUpSettings,
): Date | null {
  const now = Date.now();
  if (seconds === undefined) {
    if (!isStepUp) return null;
    if (!stepUpWithoutAuthTime) throw new SignInRefusal('auth_time_missing');
    return new Date(now);
  }
  const age = now / 1_000 - seconds;
  if (age < -CLOCK_TOLERANCE_S) {
    if (isStepUp) throw new SignInRefusal('not_verified', { code: 'auth_time' });
    return null;
  }
  if (isStepUp && age > STEP_UP_MAX_AGE_S + CLOCK_TOLERANCE_S) throw new SignInRefusal('auth_time_old');
  return new Date(Math.min(now, seconds * 1_000));
}
