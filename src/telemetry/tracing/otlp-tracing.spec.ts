import { type Context, ROOT_CONTEXT, SpanKind, trace, TraceFlags } from '@opentelemetry/api';
import { SamplingDecision } from '@opentelemetry/sdk-trace';
import type { TracesSampler } from '../../config/telemetry-variables.js';
import { samplerOf } from './otlp-tracing.js';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';

describe('samplerOf', () => {
  const fromCaller = (traceFlags: TraceFlags): Context =>
    trace.setSpanContext(ROOT_CONTEXT, { traceId: TRACE, spanId: '00f067aa0ba902b7', traceFlags, isRemote: true });

  const takes = (name: TracesSampler, ratio: number, context: Context): boolean =>
    samplerOf(name, ratio).shouldSample(context, TRACE, 'GET', SpanKind.SERVER, {}, []).decision ===
    SamplingDecision.RECORD_AND_SAMPLED;

  it.each([
    // Where there is no caller that traces; where it takes this trace; where it does not.
    ['always_on', 0, true, true, true],
    ['always_off', 1, false, false, false],
    ['traceidratio', 0, false, false, false],
    ['traceidratio', 1, true, true, true],
    ['parentbased_always_on', 0, true, true, false],
    ['parentbased_always_off', 1, false, true, false],
    ['parentbased_traceidratio', 0, false, true, false],
    ['parentbased_traceidratio', 1, true, true, false],
  ] as const)(
    '%s with %s records without a caller, for a recorded and for an unrecorded trace: %s, %s, %s',
    (name, ratio, alone, taken, left) => {
      expect(takes(name, ratio, ROOT_CONTEXT)).toBe(alone);
      expect(takes(name, ratio, fromCaller(TraceFlags.SAMPLED))).toBe(taken);
      expect(takes(name, ratio, fromCaller(TraceFlags.NONE))).toBe(left);
    },
  );
});
