import { BooleanField, ObjectListField, TextField, TextListField } from '../../../http/schema/fields.js';
import type { Capabilities } from '../capability-union.js';
import { CapabilitiesField } from './image-model.dto.js';
import { ImagePrice } from './image-price.dto.js';

/** One provider's offer of an image model. */
export class ImageEndpoint {
  @TextField({ description: 'The name of the provider.', example: 'OpenAI' })
  provider_name: string;

  @TextField({ description: 'The id of the provider.', example: 'openai' })
  provider_slug: string;

  @TextField({ description: 'What sets this offer apart from its others.', example: null, nullable: true })
  provider_tag: string | null;

  @CapabilitiesField('What the endpoint can do.')
  supported_parameters: Capabilities;

  @TextListField({ description: 'Parameters that are handed through as they are.', example: ['style'] })
  allowed_passthrough_parameters: readonly string[];

  @BooleanField({ description: 'Whether it streams.', example: false })
  supports_streaming: boolean;

  @ObjectListField(() => ImagePrice, { description: 'What it costs.' })
  pricing: readonly ImagePrice[];
}

/** The answer to listImageModelEndpoints. */
export class ImageModelEndpointsResponse {
  @TextField({ description: 'The id of the model.', example: 'google/gemini-2.5-flash-image' })
  id: string;

  @ObjectListField(() => ImageEndpoint, { description: 'Its endpoints.' })
  endpoints: ImageEndpoint[];
}
