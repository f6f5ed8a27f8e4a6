import http from 'node:http';
import { monitorEventLoopDelay } from 'node:perf_hooks';

// Loaded into the service ahead of it (`node --import`): tells at LOOP_WATCH_PORT how long its loop was held at the longest since
// the last time it was asked, in milliseconds.

const RESOLUTION_MS = 1;

const delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
delays.enable();

http
  .createServer((_request, response) => {
    const longest = delays.max / 1e6 - RESOLUTION_MS;
    delays.reset();
    response.end(String(Math.max(0, longest)));
  })
  .listen(Number(process.env['LOOP_WATCH_PORT']), '127.0.0.1')
  .unref();
