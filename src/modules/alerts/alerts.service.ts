import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import type { ManagementPrincipal } from '../../auth/principal.js';
import { withEntityTag } from '../../http/entity-tags.js';
import { Precondition } from '../../http/precondition.js';
import { requireAll, requireNoIssues } from '../../http/errors/require-all.js';
import { type PageQuery, toPageRequest, toPageResponse } from '../../http/pagination/pagination.js';
import { isUuid, newUuid } from '../../persistence/identifiers.js';
import { Statements, type Transaction } from '../../persistence/statements.js';
import { AuditTrail, created, updated } from '../audit/index.js';
import { UNKNOWN_KEY } from '../keys/index.js';
import { Quotas } from '../organization-limits/index.js';
import { WorkspaceLookupService } from '../workspaces/index.js';
import { type AlertKind, DEFAULT_DAYS_BEFORE, DEFAULT_THRESHOLDS } from './alert-kinds.js';
import { AlertNotFound, NO_RECEIVER, UNKNOWN_GUARDRAIL, UNKNOWN_WEBHOOK } from './alerts.errors.js';
import { tagOfAlert, toAlertResponse, toAuditedFields } from './alerts.mapper.js';
import { ALERTS_QUOTA, AlertsRepository, type ShownAlert } from './alerts.repository.js';
import {
  type AlertPath,
  type CreateAlertRequest,
  type CreateAlertResponse,
  type DeleteAlertResponse,
  fieldsOfOtherKinds,
  type GetAlertResponse,
  type ListAlertsResponse,
  type UpdateAlertRequest,
  type UpdateAlertResponse,
} from './dto/alert.dto.js';
import { RecipientsService } from './recipients/recipients.service.js';

const HASH = /^[0-9a-f]{64}$/;

/** Alerts of organizations on budgets, keys that expire and destinations that pause (docs/interface/alerts.md). */
@Injectable()
export class AlertsService {
  constructor(
    private readonly repository: AlertsRepository,
    private readonly recipients: RecipientsService,
    private readonly workspaces: WorkspaceLookupService,
    private readonly statements: Statements,
    private readonly audit: AuditTrail,
    private readonly quotas: Quotas,
  ) {}

  /**
   * Creates an alert, and has its addresses sent links to confirm with.
   *
   * @throws BadRequestError for a workspace, guardrail, key or webhook that the organization does not have, for addresses in a deployment
   *   without e-mail, and beyond the quota
   * @throws TooManyConfirmationMails
   */
  async create(caller: ManagementPrincipal, input: CreateAlertRequest): Promise<CreateAlertResponse> {
    const { organizationId } = caller;
    const emails = this.recipients.addressesOf(input.emails ?? []);
    await this.quotas.requireBelowQuota(organizationId, ALERTS_QUOTA);
    requireNoIssues((input.destination_id ?? null) === null && emails.length === 0 ? [NO_RECEIVER.at('')] : []);
    const [workspaceId, { keyId }] = await requireAll([
      this.workspaceIdOf(organizationId, input.workspace_id ?? null),
      this.requireValid(organizationId, input, emails),
    ]);
    const id = newUuid();
    const made = await this.statements.transaction(async (tx) => {
      await this.repository.insert(tx, {
        organizationId,
        id,
        name: input.name,
        kind: input.kind,
        workspaceId,
        guardrailId: input.guardrail_id?.toLowerCase() ?? null,
        keyId,
        ...stagesOf(input.kind, input),
        enabled: input.enabled ?? true,
        destinationId: input.destination_id?.toLowerCase() ?? null,
      });
      await this.recipients.replace(tx, organizationId, id, emails);
      const alert = (await this.repository.find(organizationId, id, tx))!;
      const changes = created(toAuditedFields(alert));
      await this.audit.record(tx, organizationId, caller, { action: 'alert.create', targetId: id, changes });
      return alert;
    });
    return shown(made);
  }

  /** Lists the alerts of the organization, oldest first. */
  async list(caller: ManagementPrincipal, input: PageQuery): Promise<ListAlertsResponse> {
    return toPageResponse(await this.repository.page(caller.organizationId, toPageRequest(input)), toAlertResponse);
  }

  /** @throws AlertNotFound also for an id that is not a UUID */
  async get(caller: ManagementPrincipal, { id }: AlertPath): Promise<GetAlertResponse> {
    return shown(await this.find(caller.organizationId, id));
  }

  /**
   * Changes the fields in the request; without a change nothing is written. New addresses are sent links to confirm with, and so are those
   * whose link has expired.
   *
   * @throws AlertNotFound
   * @throws PreconditionFailed
   * @throws BadRequestError as `create`, and for an alert that would be left without a receiver
   * @throws TooManyConfirmationMails
   */
  async update(
    caller: ManagementPrincipal,
    input: AlertPath & UpdateAlertRequest,
    precondition = Precondition.NONE,
  ): Promise<UpdateAlertResponse> {
    const { organizationId } = caller;
    const known = await this.find(organizationId, input.id);
    requireNoIssues(fieldsOfOtherKinds(known.kind, input));
    const added = input.emails && this.recipients.addressesOf(input.emails);
    const isNew = (email: string): boolean => known.recipients.every((recipient) => recipient.email !== email);
    const destination = { destination_id: input.destination_id ?? null };
    await this.requireValid(organizationId, destination, (added ?? []).filter(isNew));
    const changed = await this.statements.transaction((tx) =>
      this.change(tx, caller, { ...input, precondition }, added),
    );
    return shown(changed);
  }

  /** @throws AlertNotFound, PreconditionFailed */
  async delete(
    caller: ManagementPrincipal,
    { id }: AlertPath,
    precondition = Precondition.NONE,
  ): Promise<DeleteAlertResponse> {
    const event = { action: 'alert.delete', targetId: id.toLowerCase() };
    if (!isUuid(id)) throw new AlertNotFound();
    const remove = async (tx?: Transaction): Promise<DeleteAlertResponse> => {
      if (await this.repository.delete(caller.organizationId, id, caller, event, tx)) return { deleted: true };
      throw new AlertNotFound();
    };
    if (!precondition.isGiven) return remove();
    return this.statements.transaction(async (tx) => {
      await this.lock(tx, caller, id, precondition);
      return remove(tx);
    });
  }

  private async change(
    tx: Transaction,
    caller: ManagementPrincipal,
    input: AlertPath & UpdateAlertRequest & { readonly precondition: Precondition },
    emails: readonly string[] | undefined,
  ): Promise<ShownAlert> {
    const { organizationId } = caller;
    const before = await this.lock(tx, caller, input.id, input.precondition);
    const changed: ShownAlert = {
      ...before,
      name: input.name ?? before.name,
      ...stagesOf(before.kind, {
        thresholds: input.thresholds === undefined ? before.thresholds : input.thresholds,
        days_before: input.days_before === undefined ? before.daysBefore : input.days_before,
      }),
      enabled: input.enabled ?? before.enabled,
      destinationId:
        input.destination_id === undefined ? before.destinationId : (input.destination_id?.toLowerCase() ?? null),
    };
    const receivers = emails ?? before.recipients;
    const removesReceiver = input.destination_id === null || emails?.length === 0;
    if (removesReceiver && changed.destinationId === null && receivers.length === 0) {
      requireNoIssues([NO_RECEIVER.at('')]);
    }
    if (emails !== undefined) await this.recipients.replace(tx, organizationId, before.id, emails);
    const { recipients } = (await this.repository.find(organizationId, before.id, tx))!;
    const changes = updated(toAuditedFields(before), toAuditedFields({ ...changed, recipients }));
    if (isDeepStrictEqual(changes, {})) return { ...changed, recipients };
    await this.repository.update(tx, rowOf(changed));
    await this.audit.record(tx, organizationId, caller, { action: 'alert.update', targetId: before.id, changes });
    return (await this.repository.find(organizationId, before.id, tx))!;
  }

  private async lock(
    tx: Transaction,
    { organizationId }: ManagementPrincipal,
    id: string,
    precondition: Precondition,
  ): Promise<ShownAlert> {
    const alert = await this.repository.lock(tx, organizationId, id);
    if (alert === undefined) throw new AlertNotFound();
    precondition.require(tagOfAlert(alert));
    return alert;
  }

  private async find(organizationId: string, id: string): Promise<ShownAlert> {
    const alert = isUuid(id) ? await this.repository.find(organizationId, id) : undefined;
    if (alert === undefined) throw new AlertNotFound();
    return alert;
  }

  /** @throws BadRequestError for a workspace that the organization does not have */
  private async workspaceIdOf(organizationId: string, requested: string | null): Promise<string | null> {
    return requested === null ? null : this.workspaces.idFor(organizationId, requested);
  }

  /** @throws BadRequestError for what the organization does not have, and for new addresses in a deployment without e-mail */
  private async requireValid(
    organizationId: string,
    input: Pick<CreateAlertRequest, 'guardrail_id' | 'key_hash' | 'destination_id'>,
    newEmails: readonly string[],
  ): Promise<{ readonly keyId: string | null }> {
    const { guardrail_id: guardrail = null, key_hash: hash = null, destination_id: destination = null } = input;
    const wanted = hash !== null && HASH.test(hash) ? hash : null;
    const { hasGuardrail, keyId, hasWebhook } = await this.repository.references(
      organizationId,
      guardrail,
      wanted,
      destination,
    );
    requireNoIssues([
      ...(guardrail === null || hasGuardrail ? [] : [UNKNOWN_GUARDRAIL.at('guardrail_id')]),
      ...(hash === null || keyId !== null ? [] : [UNKNOWN_KEY.at('key_hash')]),
      ...(destination === null || hasWebhook ? [] : [UNKNOWN_WEBHOOK.at('destination_id')]),
      ...this.recipients.issuesOf(newEmails),
    ]);
    return { keyId };
  }
}

/** The answer that shows an alert. */
function shown(alert: ShownAlert): GetAlertResponse {
  return withEntityTag({ data: toAlertResponse(alert) }, tagOfAlert(alert));
}

/** The row of an alert, without what answers show beside it. */
function rowOf({
  keyHash: _keyHash,
  recipients: _recipients,
  ...row
}: ShownAlert): Omit<ShownAlert, 'keyHash' | 'recipients'> {
  return row;
}

/** The thresholds of an alert of a kind, which has one sort of them. What is null or absent has its default. */
function stagesOf(
  kind: AlertKind,
  { thresholds, days_before: daysBefore }: Pick<CreateAlertRequest, 'thresholds' | 'days_before'>,
): Pick<ShownAlert, 'thresholds' | 'daysBefore'> {
  return {
    thresholds: kind === 'budget' ? ascending(thresholds ?? DEFAULT_THRESHOLDS) : null,
    daysBefore: kind === 'key_expiry' ? descending(daysBefore ?? DEFAULT_DAYS_BEFORE) : null,
  };
}

function ascending(numbers: readonly number[]): number[] {
  return [...new Set(numbers)].sort((one, other) => one - other);
}

function descending(numbers: readonly number[]): number[] {
  return ascending(numbers).reverse();
}
