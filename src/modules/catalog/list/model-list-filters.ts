import { Injectable } from '@nestjs/common';
import type { AnonymousPrincipal, ApiKeyPrincipal, ManagementPrincipal } from '../../../auth/principal.js';
import type { ModelOffer } from '../model-offer.js';

/** Whether a list of models has a model. */
export type ListsModel = (offer: ModelOffer) => boolean;

/** Who reads a list of models. */
export type ModelReader = ManagementPrincipal | ApiKeyPrincipal | AnonymousPrincipal;

/** Says which models the list of a caller has; undefined for all. */
export type ModelListFilter = (caller: Exclude<ModelReader, AnonymousPrincipal>) => Promise<ListsModel | undefined>;

/** Where the module that knows the policies of keys, which is above this one, says which models their lists have. */
@Injectable()
export class ModelListFilters {
  private filter: ModelListFilter | undefined;

  /** @throws Error if there is one already */
  register(filter: ModelListFilter): void {
    if (this.filter !== undefined) throw new Error('two modules filter the list of models');
    this.filter = filter;
  }

  /** Which models a caller sees. @returns undefined for all, as callers without a credential do */
  async of(caller: ModelReader): Promise<ListsModel | undefined> {
    return caller.kind === 'anonymous' ? undefined : this.filter?.(caller);
  }
}
