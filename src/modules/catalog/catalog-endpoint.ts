import type { ImageModelRow } from './catalog.repository.js';
import type { ModelEndpointEntity } from './entities/model-endpoint.entity.js';
import type { ProviderEntity } from './entities/provider.entity.js';

/** What an endpoint of an image model takes, and what it charges (docs/interface/images.md). */
export type ImageOffer = Pick<
  ImageModelRow,
  'supportedParameters' | 'supportsStreaming' | 'allowedPassthroughParameters' | 'pricing'
>;

/** An endpoint beside its provider. */
export interface CatalogEndpoint {
  readonly row: ModelEndpointEntity;
  readonly provider: ProviderEntity;
  /** Whether nothing is charged for a prompt, a completion or a request. */
  readonly isFree: boolean;
  /** Whether nothing at all is charged for it, so that it answers when limits of spending are met. */
  readonly hasNoPrice: boolean;
  /** Whether requests can be charged by its price and by that of its model: no other endpoint is asked. */
  readonly isChargeable: boolean;
  /**
   * Where it is, for an endpoint that an organization has of its own: it is called with provider keys of the organization alone. Absent for
   * those of the catalog.
   */
  readonly privateAddress?: string;
  /** What the list of image models says of it; undefined for one that is not in it. */
  readonly image?: ImageOffer | undefined;
}

/** Where images are drawn. */
export interface ImageEndpoint extends CatalogEndpoint {
  /** Whether the list of endpoints has it too, with prices of its own. */
  readonly isListed: boolean;
}
