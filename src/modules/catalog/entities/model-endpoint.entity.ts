import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import type { EndpointMeasurements, ModelPricing, ToolChoiceSupport } from '../model-facts.js';

/** One provider's offer of a model. */
@Entity({ name: 'model_endpoints' })
@Index('ix_model_endpoints_provider', ['providerSlug'])
@ForeignKey('ModelEntity', ['modelId'], ['id'], { name: 'fk_model_endpoints_model', onDelete: 'CASCADE' })
@ForeignKey('ProviderEntity', ['providerSlug'], ['slug'], { name: 'fk_model_endpoints_provider' })
export class ModelEndpointEntity {
  @PrimaryColumn({ name: 'model_id', type: 'text', primaryKeyConstraintName: 'pk_model_endpoints' })
  modelId: string;

  /** From 0, in the order of the import. */
  @PrimaryColumn({ type: 'integer', primaryKeyConstraintName: 'pk_model_endpoints' })
  position: number;

  @Column({ name: 'provider_slug', type: 'text' })
  providerSlug: string;

  /** The provider's slug, with what sets this offer apart from its others: `deepinfra/fp8`. */
  @Column({ type: 'text' })
  tag: string;

  @Column({ type: 'text' })
  name: string;

  /** Tokens. */
  @Column({ name: 'context_length', type: 'integer' })
  contextLength: number;

  @Column({ name: 'max_completion_tokens', type: 'integer', nullable: true })
  maxCompletionTokens: number | null;

  @Column({ name: 'max_prompt_tokens', type: 'integer', nullable: true })
  maxPromptTokens: number | null;

  @Column({ type: 'jsonb' })
  pricing: ModelPricing;

  @Column({ type: 'text', nullable: true })
  quantization: string | null;

  @Column({ type: 'integer', nullable: true })
  status: number | null;

  @Column({ name: 'supported_parameters', type: 'text', array: true })
  supportedParameters: string[];

  @Column({ name: 'supports_implicit_caching', type: 'boolean' })
  supportsImplicitCaching: boolean;

  /** Null where the last import did not say. */
  @Column({ name: 'supports_tool_choice', type: 'jsonb', nullable: true })
  supportsToolChoice: ToolChoiceSupport | null;

  @Column({ name: 'supports_voice_cloning', type: 'boolean' })
  supportsVoiceCloning: boolean;

  /** What somebody has measured lately; the last import said so. */
  @Column({ type: 'jsonb' })
  measurements: EndpointMeasurements;

  /** Whether it is known to retain nothing of a request (zero data retention). */
  @Column({ name: 'is_zdr', type: 'boolean' })
  isZdr: boolean;

  /** Whether the provider may train on requests; null where nobody has said. */
  @Column({ name: 'trains_on_requests', type: 'boolean', nullable: true })
  trainsOnRequests: boolean | null;

  /** Whether the provider may publish prompts; null where nobody has said. */
  @Column({ name: 'publishes_prompts', type: 'boolean', nullable: true })
  publishesPrompts: boolean | null;
}
