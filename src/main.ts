import { Shutdown } from './bootstrap/shutdown.js';

// Before anything else is loaded, which takes more than a second on a small machine.
const shutdown = new Shutdown();
shutdown.onSignals();

const { start } = await import('./bootstrap/start.js');
await start(shutdown);
