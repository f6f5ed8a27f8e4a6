import { Injectable } from '@nestjs/common';
import { statement } from '../../persistence/statement.js';
import { NIL as NIL_UUID } from 'uuid';
import { BackgroundStatements } from '../../persistence/background-statements.js';

/** Where a chain ends. */
export interface ChainEnd {
  /** What the head says; null where there is no head. */
  readonly head_sequence: string | null;
  readonly head_hash: string | null;
  /** What the last link says; null where there is no link. */
  readonly last_sequence: string | null;
  readonly last_hash: string | null;
  readonly has_organization: boolean;
}

/** A trigger that guards the trail, as it is in the database. */
export interface StoredTrigger {
  readonly table_name: string;
  readonly name: string;
  /** CREATE TRIGGER, as PostgreSQL writes it. */
  readonly definition: string;
  /** Whether it fires in an ordinary session. */
  readonly is_enabled: boolean;
}

/** A function that guards the trail, as it is in the database. */
export interface StoredFunction {
  readonly name: string;
  /** Its body. */
  readonly source: string;
}

/** A link that is wrong, or the last one of a batch. */
export interface CheckedLink {
  readonly sequence: string;
  readonly event_id: string;
  readonly hash: Buffer;
  /** The sequence that should stand here. */
  readonly expected: string;
  readonly has_event: boolean;
  readonly has_hash: boolean;
  readonly has_copies: boolean;
}

/** An event without a link, or the last one of a batch. */
export interface CheckedEvent {
  readonly id: string;
  readonly created_at: Date;
  readonly is_linked: boolean;
}

/** How far a chain has been walked. */
export interface ChainPlace {
  readonly sequence: string;
  readonly hash: Buffer;
}

/** Before every sequence, also those that can only come from tampering. */
const BEFORE_ALL = '-9223372036854775808';

/** The organization that follows another one. */
export const NEXT_ORGANIZATION = statement<{ organization_id: string | null }, [after: string]>(
  'audit_next_organization',
  `SELECT min(organization_id) AS organization_id FROM (
      (SELECT organization_id FROM audit_heads WHERE organization_id > $1 ORDER BY organization_id LIMIT 1)
      UNION ALL
      (SELECT organization_id FROM audit_links WHERE organization_id > $1 ORDER BY organization_id LIMIT 1)
      UNION ALL
      (SELECT organization_id FROM audit_events WHERE organization_id > $1 ORDER BY organization_id LIMIT 1)
      UNION ALL
      (SELECT id FROM organizations WHERE id > $1 ORDER BY id LIMIT 1)
    ) AS next`,
);

/** Head and last link of a chain. */
export const CHAIN_END = statement<ChainEnd, [organizationId: string]>(
  'audit_chain_end',
  `SELECT head.sequence AS head_sequence, encode(head.hash, 'hex') AS head_hash,
      last.sequence AS last_sequence, encode(last.hash, 'hex') AS last_hash,
      EXISTS (SELECT FROM organizations WHERE id = $1) AS has_organization
    FROM (VALUES ($1::text)) AS asked (organization_id)
    LEFT JOIN audit_heads head ON head.organization_id = $1
    LEFT JOIN LATERAL (
      SELECT sequence, hash FROM audit_links WHERE organization_id = $1 ORDER BY sequence DESC LIMIT 1
    ) AS last ON true`,
);

// The hash is written out here and not asked of the database's own function, which may have been changed as well.
export const CHECK_LINKS = statement<
  CheckedLink,
  [organizationId: string, after: string, last: string, previousSequence: string, previousHash: Buffer, limit: number]
>(
  'audit_check_links',
  `
    WITH batch AS MATERIALIZED (
      SELECT * FROM audit_links WHERE organization_id = $1 AND sequence > $2::bigint AND sequence <= $3::bigint
      ORDER BY sequence LIMIT $6
    ), placed AS (
      SELECT batch.*, coalesce(lag(hash) OVER chain, $5::bytea) AS previous,
        coalesce(lag(sequence) OVER chain, $4::bigint) + 1 AS expected, lead(sequence) OVER chain IS NULL AS is_last
      FROM batch WINDOW chain AS (ORDER BY sequence)
    ), checked AS (
      SELECT placed.sequence, placed.event_id, placed.hash, expected, is_last, event.id IS NOT NULL AS has_event,
        placed.hash = sha256(previous || convert_to(jsonb_build_array(
          sequence, event.id, placed.organization_id, event.actor_kind, event.actor_id, event.credential_id, event.action,
          event.target_type, event.target_id, event.changes, event.request_id, event.address,
          (extract(epoch FROM event.created_at) * 1000)::bigint
        )::text, 'UTF8')) AS has_hash,
        (placed.actor, placed.action, placed.target_id, placed.created_at) IS NOT DISTINCT FROM
          (coalesce(event.actor_id, event.actor_kind), event.action, event.target_id, event.created_at)
          AND (large.event_id IS NULL OR (large.bytes > 65536 AND large.bytes = octet_length(event.changes::text)
            AND large.sha256 = sha256(convert_to(event.changes::text, 'UTF8')))) AS has_copies
      FROM placed LEFT JOIN audit_events event ON event.organization_id = $1 AND event.id = placed.event_id
        LEFT JOIN audit_large_changes large ON large.organization_id = $1 AND large.event_id = placed.event_id
    )
    SELECT sequence, event_id, hash, expected, has_event, coalesce(has_hash, false) AS has_hash, has_copies FROM checked
    WHERE is_last OR sequence <> expected OR has_event IS NOT TRUE OR has_hash IS NOT TRUE OR has_copies IS NOT TRUE
    ORDER BY sequence`,
);

/** Events that are not in the chain. */
export const CHECK_EVENTS = statement<
  CheckedEvent,
  [organizationId: string, afterTime: Date | '-infinity', afterId: string, limit: number]
>(
  'audit_check_events',
  `
    WITH batch AS MATERIALIZED (
      SELECT id, created_at FROM audit_events WHERE organization_id = $1 AND (created_at, id) > ($2::timestamptz, $3::uuid)
      ORDER BY created_at, id LIMIT $4
    ), checked AS (
      SELECT batch.id, batch.created_at, link.event_id IS NOT NULL AS is_linked,
        lead(batch.id) OVER (ORDER BY batch.created_at, batch.id) IS NULL AS is_last
      FROM batch LEFT JOIN audit_links link ON link.event_id = batch.id AND link.organization_id = $1
    )
    SELECT id, created_at, is_linked FROM checked WHERE is_last OR NOT is_linked ORDER BY created_at, id`,
);

export const LINK_HASH = statement<{ hash: string }, [organizationId: string, sequence: string]>(
  'audit_link_hash',
  "SELECT encode(hash, 'hex') AS hash FROM audit_links WHERE organization_id = $1 AND sequence = $2::bigint",
);

const GUARD_TRIGGERS = statement<StoredTrigger, [tables: readonly string[]]>(
  'audit_guard_triggers',
  `SELECT tgrelid::regclass::text AS table_name, tgname AS name, pg_get_triggerdef(oid, true) AS definition,
      tgenabled IN ('O', 'A') AS is_enabled
    FROM pg_trigger WHERE tgrelid = ANY (ARRAY(SELECT to_regclass(name) FROM unnest($1::text[]) AS names (name))::oid[])
      AND NOT tgisinternal`,
);

const GUARD_FUNCTIONS = statement<StoredFunction, [names: readonly string[]]>(
  'audit_guard_functions',
  `SELECT proname AS name, prosrc AS source FROM pg_proc
    WHERE proname = ANY ($1::text[]) AND pronamespace = current_schema()::regnamespace`,
);

/** What shows that a database has had organizations, apart from them and the trail. */
export interface SignsOfOrganizations {
  /** When heads of chains were last written to the log, in RFC 3339; null when that never happened. */
  readonly logged_at: string | null;
  /** Whether the row with that time exists; the migrations create it. */
  readonly has_log: boolean;
  readonly has_users: boolean;
  /** Whether rows of any list have ever been counted. */
  readonly has_counts: boolean;
}

// Chosen because they stay when organizations and their chains are removed: nothing deletes users or counts of whole
// organizations, and the time of the log is set once there is a head to write.
export const SIGNS_OF_ORGANIZATIONS = statement<SignsOfOrganizations>(
  'audit_signs_of_organizations',
  `SELECT
      (SELECT to_char(logged_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') FROM audit_head_log
        WHERE id = 1 AND logged_at > '-infinity') AS logged_at,
      EXISTS (SELECT 1 FROM audit_head_log WHERE id = 1) AS has_log,
      EXISTS (SELECT 1 FROM users) AS has_users,
      EXISTS (SELECT 1 FROM list_counts) AS has_counts`,
);

/** Reads the audit trail to check it. */
@Injectable()
export class AuditVerificationRepository {
  constructor(private readonly statements: BackgroundStatements) {}

  triggersOf(tables: readonly string[]): Promise<StoredTrigger[]> {
    return this.statements.rows(GUARD_TRIGGERS, [tables]);
  }

  /** Functions by their names. */
  functionsNamed(names: readonly string[]): Promise<StoredFunction[]> {
    return this.statements.rows(GUARD_FUNCTIONS, [names]);
  }

  /** The organization that follows another one, of those that there are or that the trail knows anything of. */
  async organizationAfter(organizationId: string): Promise<string | undefined> {
    const row = await this.statements.first(NEXT_ORGANIZATION, [organizationId]);
    return row?.organization_id ?? undefined;
  }

  /** What is left of organizations, apart from them and the trail. */
  async signsOfOrganizations(): Promise<SignsOfOrganizations> {
    return (await this.statements.first(SIGNS_OF_ORGANIZATIONS, []))!;
  }

  /** Head and last link as they are at one moment. */
  async endOf(organizationId: string): Promise<ChainEnd> {
    return (await this.statements.first(CHAIN_END, [organizationId]))!;
  }

  /**
   * Checks some links.
   *
   * @param after where the last batch ended; undefined for the first
   * @param last the last link to check
   * @returns those that are wrong, and in any case the last one; none where there are no more
   */
  async checkLinks(
    organizationId: string,
    after: ChainPlace | undefined,
    last: string,
    limit: number,
  ): Promise<CheckedLink[]> {
    const { sequence, hash } = after ?? { sequence: '0', hash: Buffer.alloc(0) };
    return this.statements.rows(CHECK_LINKS, [
      organizationId,
      after?.sequence ?? BEFORE_ALL,
      last,
      sequence,
      hash,
      limit,
    ]);
  }

  /**
   * Checks whether some events are in the chain.
   *
   * @param after the last event of the last batch; undefined for the first
   * @returns those that are not, and in any case the last one; none where there are no more
   */
  async checkEvents(organizationId: string, after: CheckedEvent | undefined, limit: number): Promise<CheckedEvent[]> {
    const { created_at: time, id } = after ?? { created_at: '-infinity' as const, id: NIL_UUID };
    return this.statements.rows(CHECK_EVENTS, [organizationId, time, id, limit]);
  }

  /** The hash of a link; undefined where there is no such link. */
  async hashOf(organizationId: string, sequence: string): Promise<string | undefined> {
    return (await this.statements.first(LINK_HASH, [organizationId, sequence]))?.hash;
  }
}
