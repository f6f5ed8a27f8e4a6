import { Session } from 'node:inspector';
import { sep } from 'node:path';
import { pathToFileURL } from 'node:url';

/** The process of counted-code.ts: it loads a module after V8 was asked to count, and runs its functions one by one. */

/** Methods of lists and texts that walk all of what they are called on, without a call that V8 counts. */
const WALKING = [
  [Array.prototype, ['concat', 'flat', 'includes', 'indexOf', 'join', 'lastIndexOf', 'slice', 'splice', 'unshift']],
  [String.prototype, ['concat', 'includes', 'indexOf', 'lastIndexOf', 'slice', 'split', 'trim']],
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

process.on('message', ({ name, values }) => process.send(outcomeOf(name, values)));
// What loading does is not counted.
countSince();
process.send('ready');

function outcomeOf(name, values) {
  const before = walked;
  let outcome;
  try {
    outcome = { result: code[name](...values) };
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

/** Lets a method tell how long what it is called on is. */
function watch(prototype, name) {
  const method = prototype[name];
  Object.defineProperty(prototype, name, {
    ...Object.getOwnPropertyDescriptor(prototype, name),
    value(...values) {
      walked += this.length;
      return Reflect.apply(method, this, values);
    },
  });
}
