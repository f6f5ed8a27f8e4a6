import { detectResources, envDetector, type Resource, resourceFromAttributes } from '@opentelemetry/resources';
import { ATTR_SERVICE_NAME } from '@opentelemetry/semantic-conventions';

/** Says whose spans they are; with OTEL_RESOURCE_ATTRIBUTES, which the library reads itself. @param name if configured */
export function serviceResource(name: string | undefined): Resource {
  return resourceFromAttributes({ [ATTR_SERVICE_NAME]: 'gatehouse' })
    .merge(detectResources({ detectors: [envDetector] }))
    .merge(resourceFromAttributes(name === undefined ? {} : { [ATTR_SERVICE_NAME]: name }));
}
