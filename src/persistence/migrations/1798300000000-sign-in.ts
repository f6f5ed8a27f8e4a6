import type { MigrationInterface, QueryRunner } from 'typeorm';
import { countList, ORGANIZATION_SCOPE, stopCountingList } from '../count-list.js';

/** Adds what signing in needs: sessions, links, identity providers, and who members are there (docs/interface/sign-in.md). */
export class SignIn1798300000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
    await countList(runner, { table: 'sign_in_connections', scope: ORGANIZATION_SCOPE });
  }

  async down(runner: QueryRunner): Promise<void> {
    await stopCountingList(runner, 'sign_in_connections');
    for (const table of TABLES) await runner.query(`DROP TABLE ${table}`);
  }
}

const TABLES = [
  'used_logout_tokens',
  'sign_in_attempts',
  'member_identities',
  'sign_in_links',
  'sessions',
  'sign_in_connections',
];

const MEMBER =
  'FOREIGN KEY (organization_id, user_id) REFERENCES organization_members (organization_id, user_id) ON DELETE CASCADE';

const CONNECTION =
  'FOREIGN KEY (organization_id, connection_id) REFERENCES sign_in_connections (organization_id, id) ON DELETE CASCADE';

const UP = [
  `CREATE TABLE sign_in_connections (
    organization_id text NOT NULL,
    id uuid NOT NULL,
    name text NOT NULL,
    issuer text NOT NULL,
    client_id text NOT NULL,
    encrypted_client_secret bytea,
    scopes text[] NOT NULL,
    external_id_claim text,
    creates_members boolean NOT NULL,
    role_claim text,
    admin_values text[],
    enabled boolean NOT NULL,
    created_at timestamptz(3) NOT NULL,
    updated_at timestamptz(3),
    CONSTRAINT pk_sign_in_connections PRIMARY KEY (organization_id, id),
    CONSTRAINT uq_sign_in_connections_client UNIQUE (organization_id, issuer, client_id),
    CONSTRAINT ck_sign_in_connections_role CHECK ((role_claim IS NULL) = (admin_values IS NULL)),
    CONSTRAINT fk_sign_in_connections_organization FOREIGN KEY (organization_id) REFERENCES organizations (id) ON DELETE CASCADE
  )`,
  'CREATE INDEX ix_sign_in_connections_page ON sign_in_connections (organization_id, created_at, id)',
  'CREATE INDEX ix_sign_in_connections_client ON sign_in_connections (issuer, client_id)',
  `CREATE TABLE sessions (
    organization_id text NOT NULL,
    id uuid NOT NULL,
    user_id text NOT NULL,
    secret_hash bytea NOT NULL,
    connection_id uuid,
    subject text,
    provider_session text,
    sealed_id_token bytea,
    authenticated_at timestamptz(3) NOT NULL,
    created_at timestamptz(3) NOT NULL,
    seen_at timestamptz(3) NOT NULL,
    expires_at timestamptz(3) NOT NULL,
    address text,
    user_agent text,
    CONSTRAINT pk_sessions PRIMARY KEY (organization_id, id),
    CONSTRAINT uq_sessions_secret_hash UNIQUE (organization_id, secret_hash),
    CONSTRAINT fk_sessions_member ${MEMBER},
    CONSTRAINT fk_sessions_connection ${CONNECTION}
  )`,
  'CREATE INDEX ix_sessions_member ON sessions (organization_id, user_id)',
  'CREATE INDEX ix_sessions_subject ON sessions (organization_id, connection_id, subject)',
  'CREATE INDEX ix_sessions_expiry ON sessions (organization_id, expires_at)',
  `CREATE TABLE sign_in_links (
    organization_id text NOT NULL,
    id uuid NOT NULL,
    user_id text NOT NULL,
    secret_hash bytea NOT NULL,
    created_at timestamptz(3) NOT NULL,
    expires_at timestamptz(3) NOT NULL,
    CONSTRAINT pk_sign_in_links PRIMARY KEY (organization_id, id),
    CONSTRAINT uq_sign_in_links_secret_hash UNIQUE (organization_id, secret_hash),
    CONSTRAINT fk_sign_in_links_member ${MEMBER}
  )`,
  'CREATE INDEX ix_sign_in_links_member ON sign_in_links (organization_id, user_id)',
  `CREATE TABLE member_identities (
    organization_id text NOT NULL,
    id uuid NOT NULL,
    user_id text NOT NULL,
    issuer text NOT NULL,
    subject text NOT NULL,
    created_at timestamptz(3) NOT NULL,
    last_sign_in_at timestamptz(3),
    CONSTRAINT pk_member_identities PRIMARY KEY (organization_id, id),
    CONSTRAINT uq_member_identities_subject UNIQUE (organization_id, issuer, subject),
    CONSTRAINT fk_member_identities_member ${MEMBER}
  )`,
  'CREATE INDEX ix_member_identities_member ON member_identities (organization_id, user_id, created_at, id)',
  `CREATE TABLE sign_in_attempts (
    organization_id text NOT NULL,
    id uuid NOT NULL,
    connection_id uuid NOT NULL,
    secret_hash bytea NOT NULL,
    return_to text NOT NULL,
    linked_user_id text,
    is_step_up boolean NOT NULL,
    created_at timestamptz(3) NOT NULL,
    expires_at timestamptz(3) NOT NULL,
    CONSTRAINT pk_sign_in_attempts PRIMARY KEY (organization_id, id),
    CONSTRAINT uq_sign_in_attempts_secret_hash UNIQUE (organization_id, secret_hash),
    CONSTRAINT fk_sign_in_attempts_connection ${CONNECTION}
  )`,
  'CREATE INDEX ix_sign_in_attempts_connection ON sign_in_attempts (organization_id, connection_id)',
  'CREATE INDEX ix_sign_in_attempts_expiry ON sign_in_attempts (organization_id, expires_at)',
  `CREATE TABLE used_logout_tokens (
    organization_id text NOT NULL,
    connection_id uuid NOT NULL,
    token_id_hash bytea NOT NULL,
    expires_at timestamptz(3) NOT NULL,
    CONSTRAINT pk_used_logout_tokens PRIMARY KEY (organization_id, connection_id, token_id_hash),
    CONSTRAINT fk_used_logout_tokens_connection ${CONNECTION}
  )`,
];
