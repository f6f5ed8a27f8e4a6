import { Injectable } from '@nestjs/common';
import { columnsOf } from '../../persistence/entity-columns.js';
import { Statements } from '../../persistence/statements.js';
import { ImageEndpointEntity, ModelEndpointEntity } from './entities/model-endpoint.entity.js';
import { ModelEntity } from './entities/model.entity.js';
import { ProviderEntity } from './entities/provider.entity.js';
import { statement } from '../../persistence/statement.js';

/** Which edition of the catalog is in force. The gateway reads it within a statement of its own. */
export const CATALOG_EDITION = statement<{ edition: string }>('catalog_edition', 'SELECT edition FROM catalog_edition');

/** An image model beside one of its endpoints. */
export type ImageModelRow = Pick<ModelEntity, 'id' | 'name' | 'description' | 'created' | 'architecture'> &
  Pick<
    ImageEndpointEntity,
    'providerSlug' | 'supportedParameters' | 'supportsStreaming' | 'allowedPassthroughParameters' | 'pricing'
  >;

/** An endpoint of an image model beside the name of its provider. */
export type ImageEndpointRow = ImageEndpointEntity & { readonly providerName: string };

/** A name that leads to a model: an id, a canonical slug or an alias. */
export interface ModelNameRow {
  readonly name: string;
  readonly modelId: string;
}

/** The rows of an edition of the catalog. */
export interface CatalogRows {
  readonly models: readonly ModelEntity[];
  readonly names: readonly ModelNameRow[];
  readonly endpoints: readonly ModelEndpointEntity[];
  readonly providers: readonly ProviderEntity[];
  /** Every current image model with each of its endpoints, oldest model first. */
  readonly imageModels: readonly ImageModelRow[];
}

export const READ_ONE_SNAPSHOT = statement(
  'one_snapshot',
  'SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY',
);

export const CURRENT_MODELS = statement<ModelEntity>(
  'models_current',
  `SELECT ${columnsOf(ModelEntity, 'm')} FROM models m
    WHERE m.in_model_list OR m.in_image_model_list ORDER BY m.created, m.id`,
);

export const CURRENT_ENDPOINTS = statement<ModelEndpointEntity>(
  'model_endpoints_current',
  `SELECT ${columnsOf(ModelEndpointEntity, 'e')} FROM model_endpoints e JOIN models m ON m.id = e.model_id
    WHERE m.in_model_list OR m.in_image_model_list ORDER BY e.model_id, e.position`,
);

/** Every name of a current model, in lower case. */
export const CURRENT_MODEL_NAMES = statement<ModelNameRow>(
  'model_names_current',
  `SELECT n.name, n.model_id AS "modelId" FROM model_names n JOIN models m ON m.id = n.model_id
    WHERE m.in_model_list OR m.in_image_model_list`,
);

export const PROVIDERS = statement<ProviderEntity>(
  'providers',
  `SELECT ${columnsOf(ProviderEntity, 'p')} FROM providers p ORDER BY lower(p.name), p.slug`,
);

// Retired models are found as well: a guardrail that names one keeps its meaning.
export const CANONICAL_SLUGS = statement<{ name: string; canonical_slug: string }, [names: readonly string[]]>(
  'models_canonical_slugs',
  `SELECT n.name, m.canonical_slug FROM model_names n JOIN models m ON m.id = n.model_id WHERE n.name = ANY ($1)`,
);

/** The providers of the catalog, and those that an organization has of its own, among some slugs. */
export const PROVIDER_SLUGS = statement<{ slug: string }, [slugs: readonly string[], organizationId: string | null]>(
  'providers_by_slug',
  `SELECT slug FROM providers WHERE slug = ANY ($1)
    UNION ALL SELECT slug FROM private_providers WHERE organization_id = $2 AND slug = ANY ($1)`,
);

/** Every current image model with each of its endpoints. */
export const IMAGE_MODELS = statement<ImageModelRow>(
  'image_models',
  `SELECT m.id, m.name, m.description, m.created, m.architecture,
      e.provider_slug AS "providerSlug", e.supported_parameters AS "supportedParameters",
      e.supports_streaming AS "supportsStreaming", e.pricing,
      e.allowed_passthrough_parameters AS "allowedPassthroughParameters"
    FROM models m JOIN image_endpoints e ON e.model_id = m.id
    WHERE m.in_image_model_list AND m.architecture -> 'output_modalities' ? 'image'
    ORDER BY m.created, m.id, e.position`,
);

/** The endpoints of an image model. A provider that the catalog has no name for goes by its slug. */
export const IMAGE_ENDPOINTS = statement<ImageEndpointRow, [modelId: string]>(
  'image_endpoints_of_model',
  `SELECT ${columnsOf(ImageEndpointEntity, 'e')}, coalesce(p.name, e.provider_slug) AS "providerName"
    FROM image_endpoints e LEFT JOIN providers p ON p.slug = e.provider_slug
    WHERE e.model_id = $1 ORDER BY e.position`,
);

// Some of each kind of name: what a newcomer may want to try out.
export const SAMPLE_OF_NAMES = statement<{ name: string }>(
  'model_names_sample',
  `SELECT name FROM (
      SELECT n.name, row_number() OVER (PARTITION BY n.kind, n.name LIKE '%:free' ORDER BY m.created DESC, n.name) AS rank
      FROM model_names n JOIN models m ON m.id = n.model_id
      WHERE n.kind IN ('id', 'alias') AND (m.in_model_list OR m.in_image_model_list)
    ) AS ranked
    WHERE rank <= 3 ORDER BY name`,
);

/** Reads the rows of the catalog. */
@Injectable()
export class CatalogRepository {
  constructor(private readonly statements: Statements) {}

  async edition(): Promise<string> {
    return (await this.statements.first(CATALOG_EDITION, []))!.edition;
  }

  /** Every current model, every endpoint of one, every provider and every image model, in one snapshot. */
  async everything(): Promise<CatalogRows> {
    return this.statements.transaction(async (tx) => {
      await tx.write(READ_ONE_SNAPSHOT, []);
      return {
        models: await tx.rows(CURRENT_MODELS, []),
        names: await tx.rows(CURRENT_MODEL_NAMES, []),
        endpoints: await tx.rows(CURRENT_ENDPOINTS, []),
        providers: await tx.rows(PROVIDERS, []),
        imageModels: await tx.rows(IMAGE_MODELS, []),
      };
    });
  }

  /** The canonical slug of each of the names that leads to a model. */
  async canonicalSlugs(names: readonly string[]): Promise<Map<string, string>> {
    const rows = await this.statements.rows(CANONICAL_SLUGS, [names]);
    return new Map(rows.map((row) => [row.name, row.canonical_slug]));
  }

  /** The slugs that belong to a provider. */
  async providerSlugs(slugs: readonly string[], organizationId?: string): Promise<Set<string>> {
    const rows = await this.statements.rows(PROVIDER_SLUGS, [slugs, organizationId ?? null]);
    return new Set(rows.map((row) => row.slug));
  }

  /** The endpoints of an image model, in the order of the import. */
  async imageEndpoints(modelId: string): Promise<ImageEndpointRow[]> {
    return this.statements.rows(IMAGE_ENDPOINTS, [modelId]);
  }

  /** Names of current models: ids, aliases and free variants, a few of each. */
  async sampleOfNames(): Promise<string[]> {
    const rows = await this.statements.rows(SAMPLE_OF_NAMES, []);
    return rows.map((row) => row.name);
  }
}
