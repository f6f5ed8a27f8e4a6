import type { ModelCapabilities } from '../capabilities/model-capabilities.js';
import { Distributed } from '../../../persistence/distribution.js';
import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import type { EndpointMeasurements, ModelPricing, ToolChoiceSupport, ImagePrice } from '../model-facts.js';
import type { Capabilities } from '../capability-union.js';

/** An endpoint of a model at one provider. */
@Entity({ name: 'model_endpoints' })
@Distributed('local')
@Index('ix_model_endpoints_provider', ['providerSlug'])
@ForeignKey('ModelEntity', ['modelId'], ['id'], { name: 'fk_model_endpoints_model', onDelete: 'CASCADE' })
@ForeignKey('ProviderEntity', ['providerSlug'], ['slug'], { name: 'fk_model_endpoints_provider' })
export class ModelEndpointEntity {
  @PrimaryColumn({ type: 'text' })
  modelId: string;

  /** From 0, in the order of the import. */
  @PrimaryColumn({ type: 'integer' })
  position: number;

  @Column({ type: 'text' })
  providerSlug: string;

  /** The provider's slug, with the variant of the endpoint: `deepinfra/fp8`. */
  @Column({ type: 'text' })
  tag: string;

  @Column({ type: 'text' })
  name: string;

  /** Tokens. */
  @Column({ type: 'integer' })
  contextLength: number;

  @Column({ type: 'integer', nullable: true })
  maxCompletionTokens: number | null;

  @Column({ type: 'integer', nullable: true })
  maxPromptTokens: number | null;

  @Column({ type: 'jsonb' })
  pricing: ModelPricing;

  @Column({ type: 'text', nullable: true })
  quantization: string | null;

  @Column({ type: 'integer', nullable: true })
  status: number | null;

  @Column({ type: 'text', array: true })
  supportedParameters: string[];

  @Column({ type: 'boolean' })
  supportsImplicitCaching: boolean;

  /** Null if the last import did not have it. */
  @Column({ type: 'jsonb', nullable: true })
  supportsToolChoice: ToolChoiceSupport | null;

  @Column({ type: 'boolean' })
  supportsVoiceCloning: boolean;

  /** Recent measurements, from the last import. */
  @Column({ type: 'jsonb' })
  measurements: EndpointMeasurements;

  /** Whether it is known to retain nothing of a request (zero data retention). */
  @Column({ type: 'boolean' })
  isZdr: boolean;

  /** Whether the provider may train on requests; null for unknown. */
  @Column({ type: 'boolean', nullable: true })
  trainsOnRequests: boolean | null;

  /** Whether the provider may publish prompts; null for unknown. */
  @Column({ type: 'boolean', nullable: true })
  publishesPrompts: boolean | null;

  /** What an import says of it beyond the public lists; null for nothing. */
  @Column({ type: 'jsonb', nullable: true })
  capabilities: ModelCapabilities | null;

  /** The provider's own name of the model; null for none. A name in the connection goes before it. */
  @Column({ type: 'text', nullable: true })
  upstreamId: string | null;

  /** Whether the operator has stated it: public lists neither change nor retire it (docs/interface/catalog-import.md). */
  @Column({ type: 'boolean', default: false })
  isOwn: boolean;
}

/** An endpoint of an image model at one provider. */
@Entity({ name: 'image_endpoints' })
@Distributed('local')
@ForeignKey('ModelEntity', ['modelId'], ['id'], { name: 'fk_image_endpoints_model', onDelete: 'CASCADE' })
export class ImageEndpointEntity {
  @PrimaryColumn({ type: 'text' })
  modelId: string;

  /** From 0, in the order of the import. */
  @PrimaryColumn({ type: 'integer' })
  position: number;

  /** The id of the provider, or of the author if the import has none. */
  @Column({ type: 'text' })
  providerSlug: string;

  @Column({ type: 'jsonb' })
  supportedParameters: Capabilities;

  @Column({ type: 'boolean' })
  supportsStreaming: boolean;

  @Column({ type: 'text', array: true })
  allowedPassthroughParameters: string[];

  @Column({ type: 'jsonb' })
  pricing: ImagePrice[];
}
