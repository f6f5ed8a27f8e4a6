import type { otlpBodyOf } from './otlp-body.js';

/**
 * Writes generations as {@link otlpBodyOf} does, which is loaded with the first of them: the packages of OpenTelemetry would take a part of
 * the time of every start.
 */
export async function loadedOtlpBodyOf(...given: Parameters<typeof otlpBodyOf>): ReturnType<typeof otlpBodyOf> {
  const loaded = await import('./otlp-body.js');
  return loaded.otlpBodyOf(...given);
}
