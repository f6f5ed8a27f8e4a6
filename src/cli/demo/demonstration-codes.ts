import { randomBytes } from 'node:crypto';
import type { INestApplicationContext } from '@nestjs/common';
import type { ManagementPrincipal } from '../../auth/principal.js';
import { AuthorizationCodesService } from '../../modules/keys/authorization-codes.service.js';
import {
  CODE_CHALLENGE_METHODS,
  type CodeChallengeMethod,
  codeChallengeOf,
} from '../../modules/keys/code-challenge.js';

/** A code, with what it takes to exchange it. */
export interface DemonstrationCode {
  code: string;
  code_verifier: string | null;
  code_challenge_method: CodeChallengeMethod | null;
}

/** A code with a challenge of each method, and one without. */
export async function makeCodes(
  context: INestApplicationContext,
  caller: ManagementPrincipal,
): Promise<DemonstrationCode[]> {
  const codes = context.get(AuthorizationCodesService);
  const made: DemonstrationCode[] = [];
  for (const method of [...CODE_CHALLENGE_METHODS, null]) {
    const verifier = method === null ? null : randomBytes(32).toString('base64url');
    const { data } = await codes.create(caller, {
      callback_url: 'https://app.demonstration.example/callback',
      key_label: 'Demonstration key from a code',
      ...(verifier !== null &&
        method !== null && {
          code_challenge: codeChallengeOf(verifier, method),
          code_challenge_method: method,
        }),
    });
    made.push({ code: data.id, code_verifier: verifier, code_challenge_method: method });
  }
  return made;
}
