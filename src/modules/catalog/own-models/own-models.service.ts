import { Injectable } from '@nestjs/common';
import { InvalidCatalog } from '../import/invalid-catalog.js';
import { CatalogImportRepository } from '../import/catalog-import.repository.js';
import { deleted } from '../../audit/audited-event.js';
import { DeploymentTrail } from '../../audit/deployment-trail.service.js';
import { CatalogImportService } from '../import/catalog-import.service.js';
import type { CatalogState } from '../import/catalog-state.js';
import { modelNamesOf } from '../import/model-aliases.js';
import { perToken } from './price-per-million.js';
import { pricesOfTokens, type TokenPrices } from './token-prices.js';
import { pricesOfUnits, type UnitPrices } from './charged-units.js';

/** A model of the operator's own at one provider. What is left out is as the catalog has it, or as docs/interface/catalog-import.md says. */
export interface OwnModel {
  /** `author/slug`. */
  readonly id: string;
  /** The slug of the provider, which is added if the catalog lacks it. */
  readonly provider: string;
  readonly name?: string;
  /** Tokens. */
  readonly contextLength?: number;
  /** The most tokens of an answer. */
  readonly longestAnswer?: number;
  /** US dollars for a million tokens, as a decimal. */
  readonly promptPrice?: string;
  /** US dollars for a million tokens, as a decimal. */
  readonly completionPrice?: string;
  /** US dollars for a unit, as decimals. Where there are any, tokens cost nothing unless they have a price, too. */
  readonly unitPrices?: UnitPrices;
  /** US dollars for a million tokens of other kinds, as decimals. */
  readonly tokenPrices?: TokenPrices;
  /** The provider's own name of the model. */
  readonly upstreamId?: string;
  readonly inputs?: readonly string[];
  readonly outputs?: readonly string[];
  readonly parameters?: readonly string[];
  readonly aliases: readonly string[];
  /** Whether the provider retains nothing of requests, does not train on them and publishes none. */
  readonly retainsNothing?: boolean;
}

/** What came of adding a model. */
export interface AddedModel {
  /** Whether the catalog did not have it. */
  readonly isNewModel: boolean;
  readonly isNewProvider: boolean;
}

/** What came of removing a model. */
export interface RemovedModel {
  readonly id: string;
  /** How many endpoints of the operator's own it had. */
  readonly removedEndpoints: number;
  /** How many endpoints it has now; undefined if it is retired. */
  readonly endpointsLeft: number | undefined;
}

/** A model cannot be added or removed as asked; the message says why. */
export class InvalidOwnModel extends Error {}

/** What an operator adds to the catalog and removes from it, one model at a time (docs/own-models.md). */
@Injectable()
export class OwnModelsService {
  constructor(
    private readonly repository: CatalogImportRepository,
    private readonly catalogImport: CatalogImportService,
    private readonly trail: DeploymentTrail,
  ) {}

  /**
   * Adds a model with its endpoint at a provider, or changes what is given of them. The next request on every replica sees it.
   *
   * @throws InvalidOwnModel
   */
  async add(model: OwnModel): Promise<AddedModel> {
    try {
      const event = { action: 'model.add', targetId: model.id };
      const report = await this.catalogImport.import([{ source: model.id, content: documentOf(model) }], { event });
      return {
        isNewModel: report.models!.added.length > 0,
        isNewProvider: (report.providers?.added ?? []).includes(model.provider),
      };
    } catch (error) {
      if (error instanceof InvalidCatalog) throw new InvalidOwnModel(error.issues.join('\n'));
      throw error;
    }
  }

  /**
   * Removes the operator's own endpoints of a model. A model that no other endpoint is left of is retired: it leaves the
   * lists, but guardrails can still name it.
   *
   * @param name any name of the model
   * @param provider only the endpoints at this provider
   * @throws InvalidOwnModel where there is nothing of the operator's own
   */
  async remove(name: string, provider?: string): Promise<RemovedModel> {
    return this.repository.transaction(async (tx) => {
      const before = await this.repository.load(tx);
      const model = before.models.get(idOf(before, name) ?? '');
      if (model === undefined || !(model.inModelList || model.inImageModelList)) {
        throw new InvalidOwnModel(`The catalog has no model ${name}.`);
      }
      const { id } = model;
      const endpoints = before.endpoints.get(id) ?? [];
      const isRemoved = ({ isOwn, providerSlug }: (typeof endpoints)[number]): boolean =>
        isOwn && (provider === undefined || providerSlug === provider);
      const left = endpoints.filter((endpoint) => !isRemoved(endpoint));
      const removedEndpoints = endpoints.length - left.length;
      if (!model.isOwn || (provider !== undefined && removedEndpoints === 0)) {
        const place = provider === undefined ? '' : ` at ${provider}`;
        throw new InvalidOwnModel(`${id} has nothing of your own${place}: what public lists say is not removed.`);
      }
      const isRetired = left.length === 0;
      const isOwn = !isRetired && left.some((endpoint) => endpoint.isOwn);
      const lists = isRetired ? { inModelList: false, inImageModelList: false } : {};
      const after: CatalogState = {
        ...before,
        models: new Map(before.models).set(id, { ...model, ...lists, isOwn }),
        endpoints: new Map(before.endpoints).set(
          id,
          left.map((endpoint, position) => ({ ...endpoint, position })),
        ),
      };
      await this.repository.save(tx, before, after);
      const changes = deleted({ provider, removed_endpoints: removedEndpoints, retired: isRetired });
      await this.trail.record(tx, { action: 'model.remove', targetId: id, changes });
      return { id, removedEndpoints, endpointsLeft: isRetired ? undefined : left.length };
    });
  }
}

function idOf({ models, aliases }: CatalogState, name: string): string | undefined {
  const names = modelNamesOf([...models.values()], [...aliases.values()]);
  return names.find((known) => known.name === name.toLowerCase())?.modelId;
}

/** The model in the form that is imported. */
function documentOf(model: OwnModel): object {
  const { id, provider, name, contextLength, longestAnswer, upstreamId, inputs, outputs, parameters } = model;
  const prices = pricesOf(model);
  const facts = {
    ...(contextLength !== undefined && { context_length: contextLength }),
    ...(prices && { pricing: prices }),
    ...(parameters && { supported_parameters: parameters }),
  };
  const architecture = { ...(inputs && { input_modalities: inputs }), ...(outputs && { output_modalities: outputs }) };
  const limits = {
    ...(contextLength !== undefined && { context_length: contextLength }),
    ...(longestAnswer !== undefined && { max_completion_tokens: longestAnswer }),
  };
  const policy = model.retainsNothing === true ? { zdr: true, training: false, publication: false } : {};
  return {
    models: [
      {
        id,
        ...(name !== undefined && { name }),
        ...facts,
        ...(Object.keys(architecture).length > 0 && { architecture }),
        ...(Object.keys(limits).length > 0 && { top_provider: limits }),
      },
    ],
    endpoints: [
      {
        id,
        endpoints: [
          {
            tag: provider,
            ...facts,
            ...(longestAnswer !== undefined && { max_completion_tokens: longestAnswer }),
            ...(upstreamId !== undefined && { upstream_id: upstreamId }),
            ...policy,
          },
        ],
      },
    ],
    aliases: model.aliases.map((alias) => ({ alias, model: id })),
  };
}

/** @throws InvalidOwnModel for prices of some tokens without that of others */
function pricesOf({
  promptPrice,
  completionPrice,
  outputs,
  unitPrices,
  tokenPrices = {},
}: OwnModel): object | undefined {
  const hasUnits = unitPrices !== undefined && Object.keys(unitPrices).length > 0;
  const prompt = promptPrice ?? (hasUnits ? '0' : undefined);
  if (prompt === undefined) {
    if (Object.keys(tokenPrices).length === 0) return undefined;
    throw new InvalidOwnModel('Prices are given together: those of other tokens need that of a token of the prompt.');
  }
  const completion = completionPrice ?? (hasUnits || !hasCompletions(outputs) ? '0' : undefined);
  return {
    prompt: perToken(prompt),
    ...(completion !== undefined && { completion: perToken(completion) }),
    ...pricesOfTokens(tokenPrices),
    ...pricesOfUnits(unitPrices ?? {}),
  };
}

/** Whether answers have tokens that may cost something: vectors and rankings have none. @param outputs undefined for text */
export function hasCompletions(outputs: readonly string[] | undefined): boolean {
  return outputs?.includes('embeddings') !== true && outputs?.includes('rerank') !== true;
}
