import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import type { ImagePrice } from '../model-facts.js';
import type { Capabilities } from '../capability-union.js';

/** One provider's offer of an image model. */
@Entity({ name: 'image_endpoints' })
@ForeignKey('ModelEntity', ['modelId'], ['id'], { name: 'fk_image_endpoints_model', onDelete: 'CASCADE' })
export class ImageEndpointEntity {
  @PrimaryColumn({ name: 'model_id', type: 'text', primaryKeyConstraintName: 'pk_image_endpoints' })
  modelId: string;

  /** From 0, in the order of the import. */
  @PrimaryColumn({ type: 'integer', primaryKeyConstraintName: 'pk_image_endpoints' })
  position: number;

  /** The provider's id; where the import did not name one, the author's. */
  @Column({ name: 'provider_slug', type: 'text' })
  providerSlug: string;

  @Column({ name: 'supported_parameters', type: 'jsonb' })
  supportedParameters: Capabilities;

  @Column({ name: 'supports_streaming', type: 'boolean' })
  supportsStreaming: boolean;

  @Column({ name: 'allowed_passthrough_parameters', type: 'text', array: true })
  allowedPassthroughParameters: string[];

  @Column({ type: 'jsonb' })
  pricing: ImagePrice[];
}
