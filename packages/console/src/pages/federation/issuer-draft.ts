import type { Schema } from '../../api/types';
import { jsonOf } from '../../components/lines';

type Jwks = Schema<'FederationJwks'>;

/** What stands in the form of an issuer. */
export interface IssuerDraft {
  readonly name: string;
  readonly issuer: string;
  readonly type: Jwks['type'];
  readonly url: string;
  /** JSON: a list of keys, or a JWK Set. */
  readonly keys: string;
}

/** What an issuer has; what a new one has at first without one. */
export function draftOf(issuer?: Schema<'FederationIssuer'>): IssuerDraft {
  return {
    name: issuer?.name ?? '',
    issuer: issuer?.issuer ?? '',
    type: issuer?.jwks.type ?? 'discovery',
    url: issuer?.jwks.url ?? '',
    keys: issuer?.jwks.keys == null ? '' : JSON.stringify(issuer.jwks.keys, null, 2),
  };
}

/** What can be changed of an issuer, as the interface takes it. */
export function toRequest(draft: IssuerDraft): { name: string; jwks: Jwks } {
  return { name: draft.name.trim(), jwks: jwksOf(draft) };
}

function jwksOf({ type, url, keys }: IssuerDraft): Jwks {
  if (type === 'explicit_url') return { type, url: url.trim() };
  return type === 'inline' ? { type, keys: keysIn(keys) as NonNullable<Jwks['keys']> } : { type };
}

/** Keys that were filled in. */
function keysIn(text: string): unknown {
  const value = jsonOf(text);
  // What issuers publish is a JWK Set (RFC 7517, section 5).
  return typeof value === 'object' && value !== null && 'keys' in value ? value.keys : value;
}
