import { withCallIds } from '../../../dist/src/modules/codecs/capabilities/call-ids.js';

/** The calls of a message with the ids that a provider takes which wants them to be unique. */
export function uniqueIds(calls) {
  const called = Array.from({ length: calls }, (_, at) => ({
    id: `call_${at}`,
    function: { name: 'f', arguments: '' },
  }));
  return withCallIds([{ role: 'assistant', content: null, tool_calls: called }], { unique_call_ids: true }).length;
}

/** A search in a list, which V8 does itself. */
export function search(length) {
  return Array.from({ length }, (_, at) => at).includes(-1);
}

export function fail() {
  throw new TypeError('it fails');
}
