import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import type { ManagementPrincipal } from '../../auth/principal.js';
import { Environment } from '../../config/environment.js';
import { AllowedAddresses } from '../../http/addresses/allowed-addresses.js';
import { withEntityTag } from '../../http/entity-tags.js';
import { requireNoIssues } from '../../http/errors/require-all.js';
import { type NamedPageQuery, toPageRequest, toPageResponse } from '../../http/pagination/pagination.js';
import { Precondition } from '../../http/precondition.js';
import { newUuid } from '../../persistence/identifiers.js';
import { Statements, type Transaction } from '../../persistence/statements.js';
import { CatalogLookup } from '../catalog/catalog-lookup.service.js';
import { UNKNOWN_MODEL } from '../catalog/catalog.errors.js';
import { EncryptionState } from '../encryption/encryption-state.js';
import { HostAddresses } from '../observability/addresses/host-addresses.js';
import { Quotas } from '../organization-limits/quotas.js';
import type {
  CreateInspectorRequest,
  CreateInspectorResponse,
  DeleteInspectorResponse,
  GetInspectorResponse,
  InspectorPath,
  ListInspectorsResponse,
  TestInspectorRequest,
  TestInspectorResponse,
  UpdateInspectorRequest,
  UpdateInspectorResponse,
} from './dto/inspector.dto.js';
import { issuesOfProtocol, issuesOfSettings } from './dto/inspector-rules.js';
import type { InspectorEntity } from './entities/inspector.entity.js';
import { originOf } from './inspector-address.js';
import { changedSecrets, EncryptedInspectorSecrets, masksOf, NO_SECRETS } from './inspector-secrets.js';
import { type InspectionWindow, WINDOWS } from './inspector-vocabulary.js';
import { InspectorsInForce } from './inspectors-in-force.service.js';
import { INSPECTOR_ADDRESS_NOT_ALLOWED, InspectorInUse, JUDGE_NOT_TESTED } from './inspectors.errors.js';
import { toInspectorResponse } from './inspectors.mapper.js';
import { INSPECTORS, INSPECTORS_PAGE } from './inspectors.repository.js';
import { InspectorJudge } from './judging/inspector-judge.js';

/** Inspectors of organizations: servers that judge texts (docs/interface/inspectors.md). */
@Injectable()
export class InspectorsService {
  private readonly allowed: AllowedAddresses;

  constructor(
    environment: Environment,
    private readonly secrets: EncryptedInspectorSecrets,
    private readonly inForce: InspectorsInForce,
    private readonly judge: InspectorJudge,
    private readonly addresses: HostAddresses,
    private readonly catalog: CatalogLookup,
    private readonly encryption: EncryptionState,
    private readonly statements: Statements,
    private readonly quotas: Quotas,
  ) {
    this.allowed = new AllowedAddresses(environment.allowPrivateDestinations);
  }

  /**
   * Creates an inspector, which judges nothing until guardrails name it.
   *
   * @param gone aborted when the client has disconnected
   * @throws BadRequestError for an address that is not allowed, an unknown model, and beyond the quota
   * @throws TooManyHostLookups when too many names of the organization are being looked up
   * @throws EncryptionKeyMismatch
   */
  async create(
    caller: ManagementPrincipal,
    input: CreateInspectorRequest,
    gone?: AbortSignal,
  ): Promise<CreateInspectorResponse> {
    const { organizationId } = caller;
    await this.quotas.requireBelowQuota(organizationId, INSPECTORS.quota);
    await this.requireAllowed(organizationId, input.url ?? null, gone);
    if (input.protocol === 'model') await this.requireModel(input.settings);
    await this.encryption.assertFits();
    const { secrets } = changedSecrets(NO_SECRETS, input, false);
    const made = {
      organizationId,
      id: newUuid(),
      ...INSPECTORS.made({ ...input, applies_to: input.applies_to && [...new Set(input.applies_to)] }),
      ...storedWindow(input.window ?? WINDOWS.default),
      secretMasks: masksOf(secrets),
    };
    const row = { ...made, encryptedSecrets: this.secrets.encryptedOrNull(made, secrets) };
    return shown(await INSPECTORS.create(this.statements, caller, row));
  }

  /** Lists the inspectors of the organization, oldest first. */
  async list(caller: ManagementPrincipal, input: NamedPageQuery): Promise<ListInspectorsResponse> {
    const page = await this.statements.page(INSPECTORS_PAGE, [caller.organizationId], toPageRequest(input));
    return toPageResponse(page, toInspectorResponse);
  }

  /** @throws InspectorNotFound also for an id that is not a UUID */
  async get(caller: ManagementPrincipal, { id }: InspectorPath): Promise<GetInspectorResponse> {
    return shown(await INSPECTORS.get(this.statements, caller.organizationId, id));
  }

  /**
   * Changes the fields in the request; without a change nothing is written. It holds for each request that comes after the answer.
   *
   * @param gone aborted when the client has disconnected
   * @throws InspectorNotFound
   * @throws PreconditionFailed
   * @throws BadRequestError as `create`, for an unknown mask, and for secrets that would be sent to another origin
   * @throws TooManyHostLookups when too many names of the organization are being looked up
   * @throws EncryptionKeyMismatch
   */
  async update(
    caller: ManagementPrincipal,
    input: InspectorPath & UpdateInspectorRequest,
    gone?: AbortSignal,
    precondition = Precondition.NONE,
  ): Promise<UpdateInspectorResponse> {
    const known = await INSPECTORS.get(this.statements, caller.organizationId, input.id);
    const url = input.url ?? null;
    if (url !== known.url) await this.requireAllowed(caller.organizationId, url, gone);
    if (known.protocol === 'model' && input.settings !== undefined) await this.requireModel(input.settings);
    await this.encryption.assertFits();
    const changed = await this.statements.transaction((tx) => this.change(tx, caller, { ...input, precondition }));
    return shown(changed);
  }

  /** @throws InspectorNotFound @throws PreconditionFailed @throws InspectorInUse while guardrails name it */
  async delete(
    caller: ManagementPrincipal,
    { id }: InspectorPath,
    precondition = Precondition.NONE,
  ): Promise<DeleteInspectorResponse> {
    await this.statements.transaction(async (tx) => {
      await INSPECTORS.hold(tx, caller.organizationId, id, precondition);
      if (!(await INSPECTORS.remove(tx, caller, id))) throw new InspectorInUse();
    });
    return { deleted: true };
  }

  /**
   * Asks an inspector about some texts now, whatever its mode is and however often it has failed.
   *
   * @param gone aborted when the client has disconnected
   * @throws InspectorNotFound
   * @throws BadRequestError for a judge model, which the key of a request pays for
   * @throws TooManyContentScans when too many requests of the organization wait already
   */
  async test(
    caller: ManagementPrincipal,
    { id, place = 'request', texts }: InspectorPath & TestInspectorRequest,
    gone: AbortSignal,
  ): Promise<TestInspectorResponse> {
    const inspector = await INSPECTORS.get(this.statements, caller.organizationId, id);
    requireNoIssues(inspector.protocol === 'model' ? [JUDGE_NOT_TESTED.at('id')] : []);
    const ready = this.inForce.ready(inspector);
    const judgement = await this.judge.judgeNow(ready, { place, texts, context: {} }, gone);
    const { outcome, milliseconds } = judgement;
    return {
      data: {
        outcome,
        reason: (outcome === 'blocked' && judgement.reason) || null,
        texts: outcome === 'changed' ? judgement.texts : null,
        failure: outcome === 'failed' ? judgement.failure : null,
        lets_pass: outcome === 'failed' ? judgement.letsPass : outcome !== 'blocked',
        milliseconds,
      },
    };
  }

  private async change(
    tx: Transaction,
    caller: ManagementPrincipal,
    input: InspectorPath & UpdateInspectorRequest & { readonly precondition: Precondition },
  ): Promise<InspectorEntity> {
    const before = await INSPECTORS.hold(tx, caller.organizationId, input.id, input.precondition);
    const { applies_to: places } = input;
    const patched = {
      ...INSPECTORS.changed(before, { ...input, applies_to: places && [...new Set(places)] }),
      ...(input.window !== undefined && storedWindow(input.window)),
    };
    const wrongForms = [
      ...issuesOfSettings(before.protocol, patched.settings),
      ...issuesOfProtocol(before.protocol, {
        url: patched.url,
        settings: patched.settings,
        api_key: input.api_key === undefined ? before.secretMasks.apiKey : input.api_key,
        signing_secret: input.signing_secret,
        headers: input.headers,
      }),
    ];
    requireNoIssues(wrongForms);
    const hasSecretInput = [input.api_key, input.signing_secret, input.headers].some((given) => given !== undefined);
    if (!hasSecretInput && patched.url === before.url && originOf(patched) === originOf(before)) {
      return INSPECTORS.update(tx, caller, before, patched);
    }
    // Secrets that cannot be decrypted are replaced as a whole.
    const stored = this.secrets.of(before) ?? NO_SECRETS;
    const { secrets, issues } = changedSecrets(stored, input, originOf(patched) !== originOf(before));
    requireNoIssues(issues);
    const isSame = isDeepStrictEqual(secrets, stored) && patched.url === before.url;
    const after = {
      ...patched,
      secretMasks: masksOf(secrets),
      encryptedSecrets: isSame ? before.encryptedSecrets : this.secrets.encryptedOrNull(patched, secrets),
    };
    // One may have changed into another one that has the same mask.
    const besides = { secrets_replaced: { before: false, after: true } };
    return INSPECTORS.update(tx, caller, before, after, isDeepStrictEqual(secrets, stored) ? {} : { besides });
  }

  /** @throws BadRequestError for an address that must not be sent to */
  private async requireAllowed(organizationId: string, url: string | null, gone?: AbortSignal): Promise<void> {
    if (url === null) return;
    const lookup = { organizationId, ...(gone && { signal: gone }) };
    const message = await this.addresses.issueOfShown(url, this.allowed, lookup);
    requireNoIssues(message === undefined ? [] : [INSPECTOR_ADDRESS_NOT_ALLOWED.at('url', message)]);
  }

  /** @throws BadRequestError for settings that name no model that there is; what else is wrong with them is said elsewhere */
  private async requireModel(settings: object | undefined): Promise<void> {
    const model: unknown = (settings as { readonly model?: unknown } | undefined)?.model;
    if (typeof model !== 'string') return;
    const known = await this.catalog.canonicalSlugsOf([model]);
    requireNoIssues(known.has(model) ? [] : [UNKNOWN_MODEL.at('settings.model', model)]);
  }
}

function storedWindow(window: InspectionWindow): Pick<InspectorEntity, 'windowCharacters' | 'windowOverlap'> {
  return window === 'whole'
    ? { windowCharacters: null, windowOverlap: null }
    : { windowCharacters: window.characters, windowOverlap: window.overlap };
}

function shown(inspector: InspectorEntity): GetInspectorResponse {
  return withEntityTag({ data: toInspectorResponse(inspector) }, INSPECTORS.tagOf(inspector));
}
