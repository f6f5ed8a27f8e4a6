import { SECRET_PREFIXES } from '../../../../auth/principal.js';
import { looksRandom } from './randomness.js';
import { hasTokenChecksum } from './token-checksum.js';
import { isWebToken } from './web-token.js';

/** A kind of key that is known by how it begins. */
export interface KeyForm {
  readonly prefix: string;
  /** The whole key, from its prefix on; each of its parts is bounded. */
  readonly expression: RegExp;
  /** Whether a text of this form is a key, and no example of one. */
  readonly accepts: (key: string) => boolean;
}

/** The longest part of a key whose length is not fixed. */
const MAXIMUM_PART_LENGTH = 4_096;

const MANY = `,${MAXIMUM_PART_LENGTH}`;

/** The length of tokens of GitHub that have a checksum, without their prefix. */
const CHECKED_LENGTH = 36;

/** The prefixes of the gateway's own credentials and codes. */
const OWN_PREFIXES = Object.values(SECRET_PREFIXES)
  .map((prefix) => `${prefix}-gate-`)
  .join(' ');

/** The prefixes of each form, and what follows them. Written from what the providers publish about their credentials. */
const FORMS: readonly (readonly [prefixes: string, rest: string])[] = [
  // Amazon Web Services: identifiers of access keys.
  ['AKIA ASIA ABIA ACCA', '[A-Z2-7]{16}'],
  // Forges of source code.
  ['github_pat_', '[A-Za-z0-9]{22}_[A-Za-z0-9]{59}'],
  ['glpat- gldt- glrt- glptt- glcbt- glsoat- glft-', '[A-Za-z0-9_-]{20,300}'],
  ['ATBB', '[A-Za-z0-9]{32}'],
  // Providers of models.
  ['sk-ant-', `[a-z]{3,8}\\d{2}-[A-Za-z0-9_-]{60,200}`],
  ['sk-proj- sk-svcacct- sk-admin-', '[A-Za-z0-9_-]{40,200}'],
  ['sk-or-v1-', '[0-9a-f]{64}'],
  ['sk-', '[A-Za-z0-9]{20}T3BlbkFJ[A-Za-z0-9]{20}|[A-Za-z0-9]{48}|[0-9a-f]{32}'],
  ['hf_', '[A-Za-z]{34}'],
  ['gsk_', '[A-Za-z0-9]{52}'],
  ['xai-', '[A-Za-z0-9]{80}'],
  ['r8_', '[A-Za-z0-9]{37}'],
  ['pplx-', '[A-Za-z0-9]{48}'],
  // This gateway's own.
  [OWN_PREFIXES, 'v(?:1|2-[0-9A-Za-z]{22})-[0-9a-f]{72}'],
  // Payments and commerce.
  ['sk_live_ sk_test_ rk_live_ rk_test_', '[A-Za-z0-9]{16,250}'],
  ['whsec_', '[A-Za-z0-9+/]{24,100}={0,2}'],
  ['shpat_ shpca_ shppa_ shpss_', '[0-9a-fA-F]{32}'],
  ['sq0atp- sq0csp-', '[A-Za-z0-9_-]{22,43}'],
  ['EAAA', '[A-Za-z0-9_-]{60}'],
  // Clouds and their parts.
  ['AIza', '[A-Za-z0-9_-]{35}'],
  ['GOCSPX-', '[A-Za-z0-9_-]{28}'],
  ['ya29.', '[A-Za-z0-9_-]{30,2000}'],
  ['dop_v1_ doo_v1_ dor_v1_', '[0-9a-f]{64}'],
  ['AccountKey=', '[A-Za-z0-9+/]{86}=='],
  ['SharedAccessKey=', '[A-Za-z0-9+/]{43}='],
  ['dapi', '[0-9a-f]{32}(?:-\\d)?'],
  ['hvs. hvb. hvr.', '[A-Za-z0-9_-]{24,300}'],
  ['dp.pt. dp.st. dp.sa.', '[A-Za-z0-9.]{40,64}'],
  ['pul-', '[0-9a-f]{40}'],
  ['nfp_', '[A-Za-z0-9]{36,60}'],
  ['sntrys_', '[A-Za-z0-9+/=_]{60,300}'],
  ['sntryu_', '[0-9a-f]{64}'],
  ['glsa_', '[A-Za-z0-9]{32}_[0-9a-f]{8}'],
  ['glc_', '[A-Za-z0-9+/]{32,400}={0,3}'],
  ['NRAK-', '[A-Z0-9]{27}'],
  ['PMAK-', '[0-9a-f]{24}-[0-9a-f]{34}'],
  ['rubygems_', '[0-9a-f]{48}'],
  ['AGE-SECRET-KEY-1', '[QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L]{58}'],
  // Registries of packages.
  ['npm_', '[A-Za-z0-9]{36}'],
  ['pypi-AgE', '[A-Za-z0-9_-]{50,400}'],
  ['dckr_pat_', '[A-Za-z0-9_-]{27}'],
  // Messages and mail.
  ['xoxb- xoxp- xoxa- xoxr- xoxs- xoxe-', '(?:\\d{1,20}-){1,4}[A-Za-z0-9-]{16,200}'],
  ['xapp-', '\\d-[A-Z0-9]{8,16}-\\d{8,20}-[0-9a-f]{32,80}'],
  ['hooks.slack.com/services/', 'T[A-Z0-9]{6,14}/B[A-Z0-9]{6,14}/[A-Za-z0-9]{18,32}'],
  ['SG.', '[A-Za-z0-9_-]{22}\\.[A-Za-z0-9_-]{43}'],
  ['key-', '[0-9a-f]{32}'],
  ['SK', '[0-9a-f]{32}'],
  ['lin_api_', '[A-Za-z0-9]{40}'],
  ['ntn_', '[A-Za-z0-9]{40,60}'],
  ['figd_', '[A-Za-z0-9_-]{40,60}'],
  // Databases and operations.
  ['sbp_', '[0-9a-f]{40}'],
  ['pscale_tkn_', '[A-Za-z0-9_-]{32,64}'],
  ['dt0c01.', '[A-Z2-7]{24}\\.[A-Z2-7]{64}'],
];

/** The forms whose prefix has several of its own are tried first: `sk-` begins the longer ones too. */
export const KEY_FORMS: readonly KeyForm[] = [
  ...FORMS.flatMap(([prefixes, rest]) => prefixes.split(' ').map((prefix) => keyForm(prefix, rest))),
  // Tokens of GitHub: those of the usual length end with a checksum.
  ...['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_'].map((prefix): KeyForm => ({
    prefix,
    expression: new RegExp(`${prefix}[A-Za-z0-9]{${CHECKED_LENGTH},255}`, 'y'),
    accepts: (key) => {
      const token = key.slice(prefix.length);
      return token.length === CHECKED_LENGTH ? hasTokenChecksum(token) : looksRandom(token);
    },
  })),
  // A JSON web token: a header and claims in JSON, encoded, and a signature.
  {
    prefix: 'eyJ',
    expression: new RegExp(
      `eyJ[A-Za-z0-9_-]{8${MANY}}\\.[A-Za-z0-9_-]{8${MANY}}\\.(?:[A-Za-z0-9_-]{8${MANY}}(?:\\.[A-Za-z0-9_-]{8${MANY}}){0,2})?`,
      'y',
    ),
    accepts: isWebToken,
  },
];

function keyForm(prefix: string, rest: string): KeyForm {
  const escaped = prefix.replaceAll('.', '\\.');
  return {
    prefix,
    expression: new RegExp(`${escaped}(?:${rest})`, 'y'),
    accepts: (key) => looksRandom(key.slice(prefix.length)),
  };
}
