import type { ModelCapabilities } from '../capabilities/model-capabilities.js';
import { Distributed } from '../../../persistence/distribution.js';
import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import type {
  DefaultParameters,
  ModelArchitecture,
  ModelBenchmarks,
  ModelPricing,
  ModelReasoning,
  ModelTraits,
  TopProvider,
} from '../model-facts.js';

/** A model, or a variant with its own entry (`author/slug:free`). */
@Entity({ name: 'models' })
@Distributed('local')
@Index('ix_models_canonical_slug', ['canonicalSlug'])
export class ModelEntity {
  /** `author/slug`, with the variant suffix where it is one. */
  @PrimaryColumn({ type: 'text' })
  id: string;

  /** Immutable; a model and its variants share it. */
  @Column({ type: 'text' })
  canonicalSlug: string;

  @Column({ type: 'text', nullable: true })
  huggingFaceId: string | null;

  @Column({ type: 'text' })
  name: string;

  @Column({ type: 'text' })
  description: string;

  /** Unix time in seconds. */
  @Column({ type: 'integer' })
  created: number;

  /** Tokens. */
  @Column({ type: 'integer', nullable: true })
  contextLength: number | null;

  @Column({ type: 'jsonb' })
  architecture: ModelArchitecture;

  @Column({ type: 'jsonb' })
  pricing: ModelPricing;

  @Column({ type: 'jsonb' })
  topProvider: TopProvider;

  @Column({ type: 'jsonb', nullable: true })
  perRequestLimits: { prompt_tokens: number; completion_tokens: number } | null;

  @Column({ type: 'text', array: true })
  supportedParameters: string[];

  @Column({ type: 'jsonb', nullable: true })
  defaultParameters: DefaultParameters | null;

  @Column({ type: 'text', array: true, nullable: true })
  supportedVoices: string[] | null;

  @Column({ type: 'jsonb', nullable: true })
  reasoning: ModelReasoning | null;

  /** ISO 8601 date. */
  @Column({ type: 'text', nullable: true })
  knowledgeCutoff: string | null;

  /** ISO 8601 date. */
  @Column({ type: 'text', nullable: true })
  expirationDate: string | null;

  @Column({ type: 'jsonb', nullable: true })
  benchmarks: ModelBenchmarks | null;

  /** Facts that filters use and responses do not show. */
  @Column({ type: 'jsonb', nullable: true })
  traits: ModelTraits | null;

  /** What an import says of it beyond the public lists; null for nothing. */
  @Column({ type: 'jsonb', nullable: true })
  capabilities: ModelCapabilities | null;

  /** Whether it is in the list of models: not if it is retired, or known from the list of image models alone. */
  @Column({ type: 'boolean' })
  inModelList: boolean;

  /** Whether it is in the list of image models. */
  @Column({ type: 'boolean' })
  inImageModelList: boolean;

  /** Whether the operator has stated it: public lists never retire it (docs/interface/catalog-import.md). */
  @Column({ type: 'boolean', default: false })
  isOwn: boolean;
}

/** The current edition of the catalog: one row that triggers update whenever a row of the catalog changes. */
@Entity({ name: 'catalog_edition' })
@Distributed('local')
@Check('ck_catalog_edition_single', 'is_current')
export class CatalogEditionEntity {
  @PrimaryColumn({ type: 'boolean' })
  isCurrent: true;

  @Column({ type: 'uuid' })
  edition: string;
}

/** A name of a model: its id, its canonical slug or an alias, in lower case. */
@Entity({ name: 'model_names' })
@Distributed('local')
@Index('ix_model_names_model', ['modelId'])
@Check('ck_model_names_kind', `kind IN ('id', 'canonical_slug', 'alias')`)
@ForeignKey('ModelEntity', ['modelId'], ['id'], { name: 'fk_model_names_model', onDelete: 'CASCADE' })
export class ModelNameEntity {
  @PrimaryColumn({ type: 'text' })
  name: string;

  @Column({ type: 'text' })
  modelId: string;

  @Column({ type: 'text' })
  kind: 'id' | 'canonical_slug' | 'alias';
}
