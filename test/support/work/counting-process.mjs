import { Session } from 'node:inspector';
import { sep } from 'node:path';
import { pathToFileURL } from 'node:url';

/** The process of counted-code.ts: it loads a module after V8 was asked to count, and runs its functions one by one. */

/** How much methods of lists and texts walk, by what they give: V8 does it itself, without a call that it counts. */
const WHOLE = (list) => list.length;
const GIVEN = (_list, given) => given.length;
const UNTIL = (list, place, [, from = 0]) => (place === -1 ? list.length : place + 1) - Math.max(from, 0);
const WALKED = {
  concat: GIVEN,
  flat: GIVEN,
  indexOf: UNTIL,
  join: WHOLE,
  lastIndexOf: (list, place) => list.length - place,
  slice: GIVEN,
  splice: WHOLE,
  split: WHOLE,
  unshift: WHOLE,
};
const WALKING = [
  [Array.prototype, ['concat', 'flat', 'includes', 'indexOf', 'join', 'lastIndexOf', 'slice', 'splice', 'unshift']],
  // A part of a text is not copied.
  [String.prototype, ['concat', 'includes', 'indexOf', 'lastIndexOf', 'split']],
];

/** Where the service's code is. */
const COUNTED = [`${sep}dist${sep}src${sep}`, `${sep}dist${sep}packages${sep}`];

const session = new Session();
session.connect();
session.post('Profiler.enable');
session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
const code = await import(pathToFileURL(process.argv[2]).href);

let walked = 0;
for (const [prototype, names] of WALKING) for (const name of names) watch(prototype, name);

process.on('message', ({ name, values }) => void outcomeOf(name, values).then((outcome) => process.send(outcome)));
// What loading does is not counted.
countSince();
process.send('ready');

async function outcomeOf(name, values) {
  const before = walked;
  let outcome;
  try {
    outcome = { result: await code[name](...values) };
  } catch (error) {
    outcome = { error: { name: error.name, message: error.message, reason: error.reason, kind: error.kind } };
  }
  const walkedNow = walked - before;
  return { ...outcome, work: countSince() + walkedNow };
}

/** The counts of all blocks since the last time. */
function countSince() {
  let count = 0;
  session.post('Profiler.takePreciseCoverage', (error, { result }) => {
    if (error !== null) throw error;
    for (const { url, functions } of result) {
      if (!COUNTED.some((part) => url.includes(part))) continue;
      for (const { ranges } of functions) for (const range of ranges) count += range.count;
    }
  });
  return count;
}

/** Lets a method tell how much it walks. */
function watch(prototype, name) {
  const method = prototype[name];
  const { indexOf } = prototype;
  const walkedIn =
    name === 'includes'
      ? (list, _given, values) => UNTIL(list, Reflect.apply(indexOf, list, values), values)
      : WALKED[name];
  Object.defineProperty(prototype, name, {
    ...Object.getOwnPropertyDescriptor(prototype, name),
    value(...values) {
      const given = Reflect.apply(method, this, values);
      walked += walkedIn(this, given, values);
      return given;
    },
  });
}
