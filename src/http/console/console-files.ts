import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import helmet from 'helmet';
import { Representation } from '../conditional-requests.js';
import { sendRequestId } from '../page-request-id.js';

/** Where `npm run build` puts the files; beside the sources of the service, and beside their compiled form. */
const FOLDERS = ['../../../console/', '../../../dist/console/'].map((folder) =>
  fileURLToPath(new URL(folder, import.meta.url)),
);

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** The codings that the build leaves beside each file, best first, and how their files end. */
const CODINGS = [
  ['br', '.br'],
  ['gzip', '.gz'],
] as const;

/** The names of scripts and styles have a hash of their content, so they never change. */
const LASTING = 'public, max-age=31536000, immutable';
const REVALIDATED = 'no-cache';

/** What paths below the console are not pages of it: its operations, and its files. */
const NOT_PAGES = ['/api/', '/assets/'];

/** A file of the console, plain and in the codings in which it is sent. */
interface ConsoleFile {
  readonly plain: Representation;
  readonly coded: ReadonlyMap<string, Representation>;
  readonly caching: string;
}

/**
 * The headers of the console: scripts, styles and requests of its own origin alone, no frame around it, and no text that becomes markup
 * (Trusted Types). Inline styles are refused too.
 */
export function consoleHeaders(): RequestHandler[] {
  const protect = helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        scriptSrc: ["'self'"],
        styleSrc: ["'self'"],
        imgSrc: ["'self'"],
        connectSrc: ["'self'"],
        baseUri: ["'none'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
        objectSrc: ["'none'"],
        requireTrustedTypesFor: ["'script'"],
        trustedTypes: ["'none'"],
      },
    },
  });
  return [protect, sendRequestId];
}

/**
 * Serves the console below the path at which it is mounted (docs/console.md): its files from memory, compressed as the build left them, and
 * its page for every other path, because the page itself knows what to show there. Paths of operations, and of files that are not there, go
 * to the next handler, and so do other methods than GET and HEAD.
 *
 * @throws Error when the console has not been built
 */
export function serveConsole(): RequestHandler {
  const folder = FOLDERS.find((candidate) => existsSync(path.join(candidate, 'index.html')));
  if (folder === undefined) throw new Error('The console is not built: run npm run build, or set CONSOLE=false.');
  const page = readFileSync(path.join(folder, 'index.html'), 'utf8');
  const files = filesOf(folder);
  return (request: Request, response: Response, next: NextFunction) => {
    if (!['GET', 'HEAD'].includes(request.method)) {
      next();
      return;
    }
    const file = files.get(request.path);
    if (file !== undefined) {
      sendFile(file, request, response);
      return;
    }
    if (NOT_PAGES.some((prefix) => request.path.startsWith(prefix))) {
      next();
      return;
    }
    const shown = page.replaceAll('"./', `"${rootFrom(request)}`);
    Representation.of(shown, 'text/html; charset=utf-8').sendWith(response, ['Cache-Control', REVALIDATED]);
  };
}

/** The files by their paths below the console. */
function filesOf(folder: string): ReadonlyMap<string, ConsoleFile> {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (name) => path.extname(name) in TYPES,
  );
  return new Map(names.map((name) => [`/${name.replaceAll(path.sep, '/')}`, readConsoleFile(folder, name)]));
}

function readConsoleFile(folder: string, name: string): ConsoleFile {
  const type = TYPES[path.extname(name)]!;
  const read = (ending: string): Representation =>
    Representation.ofBytes(readFileSync(path.join(folder, name + ending)), type);
  const caching = name.startsWith('assets') ? LASTING : REVALIDATED;
  return { plain: read(''), coded: new Map(CODINGS.map(([coding, ending]) => [coding, read(ending)])), caching };
}

function sendFile({ plain, coded, caching }: ConsoleFile, request: Request, response: Response): void {
  // The smallest that the browser takes at all: browsers give their codings no order that means anything.
  const coding = CODINGS.map(([name]) => name).find((name) => request.acceptsEncodings(name) === name);
  const sent = coding === undefined ? undefined : coded.get(coding);
  const head = ['Cache-Control', caching, 'Vary', 'Accept-Encoding'];
  if (sent === undefined) plain.sendWith(response, ['ETag', plain.entityTag, ...head]);
  else sent.sendWith(response, ['ETag', sent.entityTag, ...head, 'Content-Encoding', coding!]);
}

/** The way from the path of a request to the console, relative, so that it works behind a proxy that adds a path prefix. */
function rootFrom({ path: below, originalUrl }: Request): string {
  const depth = below.split('/').length - 2;
  if (depth > 0) return '../'.repeat(depth);
  // Without a slash at its end the path is that of a file beside the folder of the console.
  return /^[^?]*\/console(\?|$)/.test(originalUrl) ? 'console/' : './';
}
