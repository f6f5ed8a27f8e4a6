import { looksDrawn, looksRandom } from './randomness.js';
import { hasTokenChecksum } from './token-checksum.js';

/** Whether a text in the form of a JSON web token is one: its header is JSON that names an algorithm (RFC 7515, section 4.1). */
export function isWebToken(token: string): boolean {
  const [header = ''] = token.split('.', 1);
  try {
    const decoded: unknown = JSON.parse(Buffer.from(header, 'base64url').toString('utf8'));
    return typeof decoded === 'object' && decoded !== null && 'alg' in decoded && typeof decoded.alg === 'string';
  } catch {
    // It is not JSON.
    return false;
  }
}

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

/** How JSON web tokens begin: a brace and a quotation mark in base64. */
export const WEB_TOKEN_PREFIX = 'eyJ';

/** A JSON web token: a header and claims in JSON, encoded, and a signature. */
const WEB_TOKEN = `${WEB_TOKEN_PREFIX}[A-Za-z0-9_-]{8${MANY}}\\.[A-Za-z0-9_-]{8${MANY}}\\.(?:[A-Za-z0-9_-]{8${MANY}}(?:\\.[A-Za-z0-9_-]{8${MANY}}){0,2})?`;

const GITHUB_PREFIXES = ['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_'];

/** The length of tokens of GitHub that have a checksum, without their prefix. */
const CHECKED_LENGTH = 36;

/** The prefixes of the gateway's own credentials and codes. */
const OWN_PREFIXES = 'mk-gate- sk-gate- cs-gate- ac-gate- pv-gate- ss-gate- sl-gate- sa-gate-';

/** What keeps names in which words are joined from being keys, where a prefix is short and the alphabet is that of words. */
const WITH_DIGIT = '(?=[A-Za-z_-]{0,42}\\d)';

/** The prefixes of each form, and what follows them. Written from what the providers publish about their credentials. */
const FORMS: readonly (readonly [prefixes: string, rest: string])[] = [
  // Amazon Web Services: identifiers of access keys, and keys of its model service.
  ['AKIA ASIA ABIA ACCA', '[A-Z2-7]{16}'],
  ['ABSK', '[A-Za-z0-9+/]{100,280}={0,2}'],
  // Forges of source code, and what builds it.
  ['github_pat_', '[A-Za-z0-9]{22}_[A-Za-z0-9]{59}'],
  [
    'glpat- gldt- glrt- glrtr- glptt- glcbt- glsoat- glft- glimt- glagent- gloas- glffct- glwt-',
    '[A-Za-z0-9_-]{20,300}(?:\\.[0-9a-z]{2}\\.[0-9a-z]{9})?',
  ],
  ['ATBB', '[A-Za-z0-9]{32}'],
  ['ATATT3', '[A-Za-z0-9_=-]{100,250}'],
  ['ATTA', '[0-9a-f]{64}'],
  ['CCIPAT_', '[A-Za-z0-9]{22}_[0-9a-f]{40}'],
  ['bkua_', '[0-9a-f]{40}|[0-9a-z]{53}'],
  ['bkaa_ bkaj_ bkar_ bkct_ bkpt_ bkpat_ bkps_', `${WITH_DIGIT}[A-Za-z0-9_-]{50,340}`],
  ['GR1348941', '[A-Za-z0-9_-]{20}'],
  ['BBDC-', '[A-Za-z0-9+/@_-]{40,50}'],
  ['csa_', '[0-9a-f]{30}[A-Za-z0-9]{6}'],
  ['API-', `(?=[A-Z]{0,25}\\d)[A-Z0-9]{26}`],
  ['sqp_ squ_ sqa_', '[0-9a-f]{40}'],
  ['sqco_', '[A-Za-z0-9]{59}'],
  ['sgp_', '(?:[0-9a-f]{16}_)?[0-9a-f]{40}'],
  // Providers of models, and tools around them.
  ['sk-ant-', `[a-z]{3,8}\\d{2}-[A-Za-z0-9_-]{60,200}`],
  ['sk-api-', '[A-Za-z0-9_-]{100,140}'],
  ['sk-proj- sk-svcacct- sk-admin-', '[A-Za-z0-9_-]{40,200}'],
  ['sk-or-v1-', '[0-9a-f]{64}'],
  ['sk-lf-', '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'],
  ['sk-', '[A-Za-z0-9]{20}T3BlbkFJ[A-Za-z0-9]{20}|[A-Za-z0-9]{48}|[0-9a-f]{32}'],
  ['hf_ api_org_', '[A-Za-z0-9]{34}'],
  ['gsk_', '[A-Za-z0-9]{52}'],
  ['xai-', '[A-Za-z0-9_-]{70,120}'],
  ['r8_', '[A-Za-z0-9]{37}'],
  ['pplx-', '[A-Za-z0-9]{48}'],
  ['fw_', `${WITH_DIGIT}[A-Za-z0-9]{24}`],
  ['nvapi-', '[A-Za-z0-9_-]{64}'],
  ['csk-', '[0-9a-z]{48}'],
  ['tgp_v1_', '[A-Za-z0-9_-]{43}'],
  ['pa-', `${WITH_DIGIT}[A-Za-z0-9_-]{43}`],
  ['jina_', '[A-Za-z0-9]{60}'],
  ['sk_', '[0-9a-f]{48}|pr_[A-Za-z0-9]{1,64}_[0-9a-f]{40}'],
  ['key_', '[0-9a-f]{64}'],
  ['pcsk_', '[A-Za-z0-9]{4,8}_[A-Za-z0-9]{55,70}'],
  ['lsv2_pt_ lsv2_sk_', '[0-9a-f]{32}_[0-9a-f]{10}'],
  ['tvly-', `(?:dev-|prod-)?${WITH_DIGIT}[A-Za-z0-9]{32}`],
  ['fc-', '[0-9a-f]{32}'],
  ['e2b_', '[0-9a-f]{40}'],
  ['apify_api_', '[A-Za-z0-9]{34,38}'],
  ['wandb_v1_', '[A-Za-z0-9_]{70,90}'],
  ['rpa_', `${WITH_DIGIT}(?:[A-Z0-9]{40}[A-Za-z0-9]{6}|[A-Za-z0-9]{30})`],
  ['apk_user_', '[A-Za-z0-9+/]{120,180}={0,2}'],
  ['apk_', '[A-Za-z0-9+/]{80,100}={0,2}'],
  ['cog_', '[a-z2-7]{52}'],
  ['BSA', `${WITH_DIGIT}[A-Za-z0-9_-]{24,40}`],
  // This gateway's own.
  [OWN_PREFIXES, 'v(?:1|2-[0-9A-Za-z]{22})-[0-9a-f]{72}'],
  // Payments and commerce.
  ['sk_live_ sk_test_ rk_live_ rk_test_ sk_org_live_ sk_org_test_', '[A-Za-z0-9]{16,250}'],
  ['pdl_live_apikey_ pdl_sdbx_apikey_', '[a-z0-9]{26}_[A-Za-z0-9]{22}_[A-Za-z0-9]{3}'],
  ['polar_oat_ polar_pat_ polar_at_', `${WITH_DIGIT}[A-Za-z0-9_-]{20,100}`],
  ['ramp_sec_', '[A-Za-z0-9]{48}'],
  ['mercury_production_', '[a-z]{3,6}_[A-Za-z0-9]{40,50}_yrucrem'],
  ['aact_prod_ aact_hmlg_', `${WITH_DIGIT}[A-Za-z0-9_-]{20,200}`],
  ['whsec_', '[A-Za-z0-9+/]{24,100}={0,2}'],
  ['shpat_ shpca_ shppa_ shpss_ shpua_ shptka_', '[0-9a-fA-F]{32}'],
  ['sq0atp- sq0csp-', '[A-Za-z0-9_-]{22,43}'],
  ['EAAA', '[A-Za-z0-9_-]{60}'],
  ['EAAC EAAM EAAG', '[A-Za-z0-9]{80,400}'],
  ['access_token$production$ access_token$sandbox$', '[0-9a-z]{16}\\$[0-9a-f]{32}'],
  ['EZAK EZTK', '[A-Za-z0-9]{54}'],
  ['shippo_live_ shippo_test_', '[0-9a-f]{40}'],
  ['FLWSECK-', '[0-9a-h]{32}-X'],
  ['FLWSECK_TEST-', '[0-9a-h]{32}-X'],
  ['duffel_live_ duffel_test_', '[A-Za-z0-9_=-]{43}'],
  ['live_', `${WITH_DIGIT}[A-Za-z0-9_-]{40}`],
  ['access-production- access-sandbox- access-development-', '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'],
  // Clouds and their parts.
  ['AIza', '[A-Za-z0-9_-]{35}'],
  ['AQ.', 'Ab[A-Za-z0-9_-]{40,100}'],
  ['bedrock-api-key-', '[A-Za-z0-9+/_-]{40,4096}={0,2}'],
  ['da2-', '(?=[a-z]{0,25}\\d)[a-z0-9]{26}'],
  ['GOCSPX-', '[A-Za-z0-9_-]{28}'],
  ['ya29.', '[A-Za-z0-9_-]{30,2000}'],
  ['dop_v1_ doo_v1_ dor_v1_', '[0-9a-f]{64}'],
  ['AccountKey=', '[A-Za-z0-9+/]{86}=='],
  ['SharedAccessKey=', '[A-Za-z0-9+/]{43}='],
  ['LTAI', '[A-Za-z0-9]{20}'],
  ['AKID', `${WITH_DIGIT}[A-Za-z0-9]{32}`],
  ['AQVN', '[A-Za-z0-9_-]{35,38}'],
  ['cfk_ cfut_ cfat_', '[A-Za-z0-9]{40,60}'],
  ['v1.0-', '[0-9a-f]{24}-[0-9a-f]{146}'],
  ['HRKU-', '[A-Za-z0-9_-]{60}'],
  ['fm1r_ fm1a_ fm2_', '[A-Za-z0-9+/]{80,1000}={0,3}'],
  ['ddp_ ddo_', `${WITH_DIGIT}[A-Za-z0-9]{36}`],
  ['ucat_', `${WITH_DIGIT}[A-Za-z0-9]{24,32}`],
  ['vercel_blob_rw_', '[A-Za-z0-9]{16}_[A-Za-z0-9]{20,60}'],
  ['vtwn_', `${WITH_DIGIT}[A-Za-z0-9_-]{20,80}`],
  ['unkey_', `${WITH_DIGIT}[A-Za-z0-9]{20,32}`],
  ['zpka_', '[a-z0-9]{32}_[0-9a-f]{8}'],
  ['vcp_ vci_ vca_ vcr_ vck_', `${WITH_DIGIT}[A-Za-z0-9]{50,60}`],
  ['rnd_', `${WITH_DIGIT}[A-Za-z0-9]{28,32}`],
  ['tk-us-', '[A-Za-z0-9_-]{48}'],
  ['sha256~', '[A-Za-z0-9_-]{43}'],
  ['dapi', '[0-9a-f]{32}(?:-\\d)?'],
  ['hvs. hvb. hvr.', '[A-Za-z0-9_-]{24,300}'],
  ['s.', '(?=[A-Za-z]{0,23}\\d)(?=[A-Z0-9]{0,23}[a-z])(?=[a-z0-9]{0,23}[A-Z])[A-Za-z0-9]{24}'],
  ['dp.pt. dp.st. dp.sa. dp.ct. dp.scim. dp.audit.', '[A-Za-z0-9._-]{40,90}'],
  ['pul-', '[0-9a-f]{40}'],
  ['nfp_', '[A-Za-z0-9]{36,60}'],
  ['tskey-auth- tskey-api- tskey-client- tskey-scim- tskey-webhook-', '[A-Za-z0-9]{8,24}-[A-Za-z0-9]{20,48}'],
  ['A3-', '[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})(?:-[A-Z0-9]{5}){3}'],
  ['SWMTKN-1-', '[a-z0-9]{50,60}-[a-z0-9]{24,30}'],
  ['SWMKEY-1-', '[A-Za-z0-9+/]{40,50}'],
  ['AIK_SECRET_', '[A-Za-z0-9]{64}'],
  ['AIK_CI_', `${WITH_DIGIT}[A-Za-z0-9]{20,44}`],
  ['mergify_application_key_', '[A-Za-z0-9_-]{40,200}'],
  ['pat. sat.', '[A-Za-z0-9_-]{22}\\.[0-9a-f]{24}\\.[A-Za-z0-9]{20}'],
  ['ops_eyJ', '[A-Za-z0-9+/]{200,1000}={0,3}'],
  ['sntrys_', '[A-Za-z0-9+/=_]{60,300}'],
  ['sntryu_', '[0-9a-f]{64}'],
  ['glsa_', '[A-Za-z0-9]{32}_[0-9a-fA-F]{8}'],
  ['glc_', '[A-Za-z0-9+/]{32,400}={0,3}'],
  ['NRAK-', '[A-Z0-9]{27}'],
  ['NRII- NRIQ-', '[A-Za-z0-9_-]{25,32}'],
  ['phx_', '[A-Za-z0-9]{43,52}'],
  ['PMAK-', '[0-9a-f]{24}-[0-9a-f]{34}'],
  ['ico-', `${WITH_DIGIT}[A-Za-z0-9]{32}`],
  ['AGE-SECRET-KEY-1', '[QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L]{58}'],
  // Registries of packages.
  ['npm_', '[A-Za-z0-9]{36}'],
  ['pypi-AgE', '[A-Za-z0-9_-]{50,400}'],
  ['rubygems_', '[0-9a-f]{48}'],
  ['CLOJARS_', '[0-9a-f]{60}'],
  ['dckr_pat_', '[A-Za-z0-9_-]{27}'],
  ['dckr_oat_', '[A-Za-z0-9_-]{32}'],
  ['AKCp', '[A-Za-z0-9]{69}'],
  ['cmVmdGtu', '[A-Za-z0-9]{56}'],
  ['oy2', '[a-z0-9]{43}'],
  // Messages and mail.
  ['xoxe.xoxp- xoxe.xoxb-', '\\d-[A-Za-z0-9]{100,200}'],
  ['xoxb- xoxp- xoxa- xoxr- xoxs- xoxe-', '(?:\\d{1,20}-){1,4}[A-Za-z0-9-]{16,200}'],
  ['xoxc-', '(?:\\d{9,15}-){3}[0-9a-f]{64}'],
  ['xoxd-', '[A-Za-z0-9%+/_-]{60,400}={0,2}'],
  ['mlsn.', '[A-Za-z0-9]{30,100}'],
  ['os_v2_app_ os_v2_org_', '[a-z2-7]{103}'],
  ['xapp-', '\\d-[A-Z0-9]{8,16}-\\d{8,20}-[0-9a-f]{32,80}'],
  ['hooks.slack.com/services/', 'T[A-Z0-9]{6,14}/B[A-Z0-9]{6,14}/[A-Za-z0-9]{18,32}'],
  ['hooks.slack.com/workflows/', 'T[A-Z0-9]{6,14}/A[A-Z0-9]{6,14}/\\d{12,20}/[A-Za-z0-9]{18,32}'],
  ['hooks.slack.com/triggers/', '[TE][A-Z0-9]{6,14}/\\d{10,20}/[0-9a-f]{32}'],
  [
    'discord.com/api/ discordapp.com/api/',
    '(?:v\\d{1,2}/)?webhooks/\\d{17,20}/[A-Za-z0-9_-]{60,72}(?:/slack|/github)?',
  ],
  ['SG.', '[A-Za-z0-9_-]{22}\\.[A-Za-z0-9_-]{43}'],
  ['key-', '[0-9a-f]{32}'],
  ['SK', '[0-9a-f]{32}'],
  ['xkeysib-', '[0-9a-f]{64}-[A-Za-z0-9]{16}'],
  ['re_', `[A-Za-z0-9]{8}_[A-Za-z0-9]{24}`],
  // Work and documents.
  ['lin_api_ lin_oauth_', '[A-Za-z0-9]{40,64}'],
  ['ntn_', '[A-Za-z0-9]{40,60}'],
  ['secret_', `${WITH_DIGIT}[A-Za-z0-9]{43}`],
  ['figd_ figp_ figo_ figu_ figor_ figuh_', '[A-Za-z0-9_=-]{40,60}'],
  ['pat-na1- pat-na2- pat-eu1-', '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'],
  ['pat', '[A-Za-z0-9]{14}\\.[0-9a-f]{64}'],
  ['CFPAT-', '[A-Za-z0-9_-]{43}'],
  ['tfp_', '[A-Za-z0-9_.=-]{56,62}'],
  ['rdme_', '[0-9a-z]{70}'],
  ['sk.eyJ', '[A-Za-z0-9_-]{30,200}\\.[A-Za-z0-9_-]{20,40}'],
  ['fio-u-', '[A-Za-z0-9_=-]{64}'],
  // Databases and operations.
  ['sbp_', '[0-9a-f]{40}'],
  ['sb_secret_', '[A-Za-z0-9_-]{22}_[A-Za-z0-9_-]{8}'],
  ['pscale_tkn_ pscale_pw_ pscale_oauth_', '[A-Za-z0-9_-]{32,64}'],
  ['napi_', '[0-9A-Za-z]{64}'],
  ['mdb_sa_sk_', '[A-Za-z0-9_-]{40}'],
  ['AstraCS:', '[A-Za-z0-9]{20,40}:[0-9a-f]{64}'],
  ['CCDB1_', '[A-Za-z0-9]{22}_[A-Za-z0-9]{40}'],
  ['essu_', '[A-Za-z0-9_-]{60,200}={0,2}'],
  ['pnu_ pnb_', '[A-Za-z0-9]{36}'],
  ['dt0c01.', '[A-Z0-9]{24}\\.[A-Z0-9]{64}'],
];

/** The forms whose prefix has several of its own are tried first: `sk-` begins the longer ones too. */
export const KEY_FORMS: readonly KeyForm[] = [
  ...FORMS.flatMap(([prefixes, rest]) => prefixes.split(' ').map((prefix) => keyForm(prefix, rest))),
  // Tokens of GitHub: those of the usual length end with a checksum, which is wrong where one was copied with a fault or made up.
  ...GITHUB_PREFIXES.map((prefix): KeyForm => ({
    prefix,
    expression: new RegExp(`${prefix}[A-Za-z0-9]{${CHECKED_LENGTH},255}`, 'y'),
    accepts: (key) => {
      const token = key.slice(prefix.length);
      return token.length === CHECKED_LENGTH ? hasTokenChecksum(token) || looksDrawn(token) : looksRandom(token);
    },
  })),
  // Tokens from 2026 on: the number of an application, and a JSON web token.
  ...GITHUB_PREFIXES.map((prefix): KeyForm => ({
    prefix,
    expression: new RegExp(`${prefix}[A-Za-z0-9]{1,40}_${WEB_TOKEN}`, 'y'),
    accepts: (key) => isWebToken(key.slice(key.indexOf(WEB_TOKEN_PREFIX))),
  })),
  { prefix: WEB_TOKEN_PREFIX, expression: new RegExp(WEB_TOKEN, 'y'), accepts: isWebToken },
];

function keyForm(prefix: string, rest: string): KeyForm {
  const escaped = prefix.replace(/[.$]/g, '\\$&');
  return {
    prefix,
    expression: new RegExp(`${escaped}(?:${rest})`, 'y'),
    accepts: (key) => looksRandom(key.slice(prefix.length)),
  };
}
