import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

/** `npx vite packages/console` serves the sources, with the operations of a service at http://localhost:3000. */
export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  // Relative, because a proxy may add a path prefix that nobody tells the service.
  base: './',
  build: {
    outDir: fileURLToPath(new URL('../../dist/console', import.meta.url)),
    emptyOutDir: true,
    target: 'es2023',
    // Files of their own, because the content security policy takes no data in place of scripts and styles.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: {
      // Packages mark their files for servers that render React, of which there is none.
      onLog: (level, log, report) => (log.code === 'MODULE_LEVEL_DIRECTIVE' ? undefined : report(level, log)),
    },
  },
  logLevel: 'warn',
  server: { proxy: { '^/console/api/': 'http://localhost:3000', '^/auth/': 'http://localhost:3000' } },
});
