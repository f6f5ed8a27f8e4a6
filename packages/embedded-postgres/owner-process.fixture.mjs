// A process of its own for the specs: node owner-process.fixture.mjs <module> <start|connect> <then> <options as JSON>
// It writes a JSON object a line: { log }, { url } or { error, message }, and { note } for what it does later.
// <then> is what it does once it has a server: stay | stop | exit | stop-on-signal.
import { once } from 'node:events';
import process from 'node:process';
import { clearInterval, setInterval } from 'node:timers';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';

const [, , modulePath, action, then, options] = process.argv;
const { startEmbeddedPostgres, connectEmbeddedPostgres } = await import(modulePath);
const tell = (message) => process.stdout.write(`${JSON.stringify(message)}\n`);

try {
  const open = action === 'connect' ? connectEmbeddedPostgres : startEmbeddedPostgres;
  const server = await open({ log: (log) => tell({ log }), ...JSON.parse(options) });
  const interrupted = then === 'stop-on-signal' ? once(process, 'SIGINT') : undefined;
  tell({ url: server.url });
  if (then === 'exit') process.exit(0);
  const staying = setInterval(() => undefined, 60_000);
  if (then === 'stay') await server.exited;
  if (then === 'stop-on-signal') {
    await interrupted;
    // Long enough for the signal to have ended the server, had it reached it.
    await sleep(500);
    const client = new pg.Client({ connectionString: server.url });
    await client.connect();
    await client.query('SELECT 1');
    await client.end();
    tell({ note: 'the server outlived the signal' });
  }
  clearInterval(staying);
  await server.stop();
} catch (error) {
  tell({ error: error.name, message: error.message });
}
