import type { Era } from '../e2e/mcp/mcp-gateway.js';
import type { Revision } from './conformance-suite.js';

/** Checks, as `scenario:check`, by the reason for which they are expected to fail or to be skipped. */
export type ExpectedFailures = Readonly<Record<string, readonly string[]>>;

/** What the reference server itself fails. */
export const EXPECTED_DIRECTLY: Readonly<Record<Revision, ExpectedFailures>> = {
  '2025-11-25': {
    'It keeps no events for streams that are taken up again.': [
      'server-sse-polling:server-sse-priming-event',
      'server-sse-polling:server-sse-retry-field',
    ],
  },
  '2026-07-28': {},
};

/** What servers do with clients of their own kind alone, in sessions. */
const ASKED_IN_SESSIONS = [
  'tools-call-sampling:tools-call-sampling',
  'tools-call-elicitation:tools-call-elicitation',
  'elicitation-sep1034-defaults:elicitation-sep1034-string-default',
  'elicitation-sep1034-defaults:elicitation-sep1034-integer-default',
  'elicitation-sep1034-defaults:elicitation-sep1034-number-default',
  'elicitation-sep1034-defaults:elicitation-sep1034-enum-default',
  'elicitation-sep1034-defaults:elicitation-sep1034-boolean-default',
  'elicitation-sep1330-enums:elicitation-sep1330-untitled-single',
  'elicitation-sep1330-enums:elicitation-sep1330-titled-single',
  'elicitation-sep1330-enums:elicitation-sep1330-legacy-enumnames',
  'elicitation-sep1330-enums:elicitation-sep1330-untitled-multi',
  'elicitation-sep1330-enums:elicitation-sep1330-titled-multi',
];

const LOGGED_IN_SESSIONS = ['logging-set-level:logging-set-level', 'tools-call-with-logging:tools-call-with-logging'];

/** What the gateway does not have of the newest revision. */
const NOT_DECLARED_OF_MODERN: ExpectedFailures = {
  'Changes of lists are not told of: the suite skips what is not declared.': [
    'server-stateless:sep-2575-server-sends-subscription-ack',
    'server-stateless:sep-2575-server-tags-subscription-id',
    'server-stateless:sep-2575-server-honors-notification-filter',
    'server-stateless:sep-2575-server-sends-prompts-list-changed-on-subscription',
    'server-stateless:sep-2575-server-sends-tools-list-changed-on-subscription',
  ],
};

/** What fails through the gateway alone, by the revision of the client and the kind of the server. */
export const EXPECTED_THROUGH_GATEWAY: Readonly<Record<Revision, Readonly<Record<Era, ExpectedFailures>>>> = {
  '2025-11-25': {
    legacy: {},
    modern: {
      'Servers of the newest revision cannot ask clients of another one.': ASKED_IN_SESSIONS,
      'Log messages are not handed on between revisions.': LOGGED_IN_SESSIONS,
      'Between revisions changes are not told of, and of a session there is nothing to end.': [
        'resources-subscribe:resources-subscribe',
        'resources-unsubscribe:resources-unsubscribe',
        'server-session-lifecycle:server-session-delete-accepted',
        'server-session-lifecycle:server-session-terminated-returns-404',
      ],
    },
  },
  '2026-07-28': {
    modern: NOT_DECLARED_OF_MODERN,
    legacy: {
      ...NOT_DECLARED_OF_MODERN,
      'Servers of another revision cannot ask clients of the newest one, and do not know its error about what a client lacks.':
        [
          'server-stateless:sep-2575-server-rejects-undeclared-capability',
          'server-stateless:sep-2575-missing-capability-http-400',
          'input-required-result-basic-elicitation:sep-2322-elicitation-incomplete',
          'input-required-result-basic-elicitation:sep-2322-elicitation-complete',
          'input-required-result-basic-sampling:sep-2322-sampling-incomplete',
          'input-required-result-basic-sampling:sep-2322-sampling-complete',
          'input-required-result-basic-list-roots:sep-2322-list-roots-incomplete',
          'input-required-result-basic-list-roots:sep-2322-list-roots-complete',
          'input-required-result-request-state:sep-2322-request-state-incomplete',
          'input-required-result-request-state:sep-2322-request-state-complete',
          'input-required-result-multiple-input-requests:sep-2322-multiple-inputs-incomplete',
          'input-required-result-multiple-input-requests:sep-2322-multiple-inputs-complete',
          'input-required-result-multi-round:sep-2322-multi-round-r1',
          'input-required-result-multi-round:sep-2322-multi-round-r2',
          'input-required-result-multi-round:sep-2322-multi-round-r3',
          'input-required-result-missing-input-response:sep-2322-missing-response-rerequests',
          'input-required-result-non-tool-request:sep-2322-non-tool-incomplete',
          'input-required-result-non-tool-request:sep-2322-non-tool-complete',
          'input-required-result-result-type:sep-2322-result-type-included',
          'input-required-result-tampered-state:sep-2322-reject-tampered-state',
          'input-required-result-capability-check:sep-2322-respect-client-capabilities',
          'input-required-result-validate-input:sep-2322-validate-input-responses',
          'input-required-result-validate-input:sep-2322-error-on-protocol-error',
        ],
    },
  },
};

/** What the gateway does not have as a client of authorization servers. */
const NOT_DECLARED_OF_CLIENTS: ExpectedFailures = {
  'Clients are not registered dynamically (docs/interface/mcp-servers.md#the-gateway-as-a-client).': [
    'auth/metadata-default:client-registration',
    'auth/metadata-var1:client-registration',
    'auth/metadata-var2:client-registration',
    'auth/metadata-var3:client-registration',
  ],
  'The suite knows the address of one metadata document alone, which is not that of the gateway.': [
    'auth/basic-cimd:cimd-client-id-used',
  ],
  'The scope is what the organization has set: members are not asked for more while they use a server.': [
    'auth/scope-step-up:scope-step-up-escalation',
  ],
};

/** What the gateway fails as a client of servers, by their revision. */
export const EXPECTED_OF_UPSTREAM: Readonly<Record<Revision, ExpectedFailures>> = {
  '2025-11-25': {
    ...NOT_DECLARED_OF_CLIENTS,
    'Streams are not taken up again: the suite takes the stream of the session for an attempt at it.': [
      'sse-retry:client-sse-retry-timing',
      'sse-retry:client-sse-last-event-id',
    ],
  },
  '2026-07-28': {
    ...NOT_DECLARED_OF_CLIENTS,
    'Members are not asked for more, and clients are not registered anew.': [
      'auth/scope-step-up:sep-2350-scope-union-on-reauth',
      'auth/authorization-server-migration:sep-2352-reregister-on-as-change',
    ],
    'A client that cannot be asked for them has none of these capabilities, and so the gateway has none.': [
      'request-metadata:sep-2575-client-declares-roots-capability',
      'request-metadata:sep-2575-client-declares-sampling-capability',
      'request-metadata:sep-2575-client-declares-elicitation-capability',
    ],
  },
};
