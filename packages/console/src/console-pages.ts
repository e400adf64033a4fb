import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { extname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import type { ServedFile, ServicePages } from '@rdf-worlds/http';

/** Options of {@link consolePages}. */
export interface ConsoleOptions {
  /** Where the console is, below the address of the service; `/console` by default. */
  readonly path?: string | undefined;
  /** The folder of the built app. By default, the one in this package. */
  readonly directory?: string | undefined;
}

const MEDIA_TYPES = new Map([
  ['.html', 'text/html; charset=utf-8'],
  ['.js', 'text/javascript; charset=utf-8'],
  ['.css', 'text/css; charset=utf-8'],
  ['.svg', 'image/svg+xml'],
  ['.woff2', 'font/woff2'],
  ['.txt', 'text/plain; charset=utf-8'],
]);

/** Already compressed. */
const PACKED = new Set(['.woff2']);

/**
 * Nothing inline, nothing of other origins, no `eval`, and no markup from strings: data of worlds
 * can become text on the page, never code.
 */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "font-src 'self'",
  "connect-src 'self'",
  "worker-src 'self'",
  "img-src 'self' data: blob:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
].join('; ');

const COMMON = {
  'content-security-policy': POLICY,
  'referrer-policy': 'no-referrer',
  'x-frame-options': 'DENY',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=()',
} as const;

/** The names of these files contain a hash of what they hold. */
const HASHED = '/assets/';

/**
 * Returns the console as pages for the option `pages` of `createWorldsHandler` and `worldsRouter`.
 * Reads the files of the app once, on this call. Only these files can be requested: paths are
 * looked up in a table and never reach the file system. Throws if the app is not built.
 */
export function consolePages({ path = '/console', directory = builtApp() }: ConsoleOptions = {}): ServicePages {
  const files = filesOf(directory);
  const start = files.get('/index.html');
  if (!start) throw new Error(`There is no console in ${directory}: build it with npm run build.`);
  files.set('/', start);
  return { path, find: (name) => files.get(name) };
}

function builtApp(): string {
  return fileURLToPath(new URL('./app', import.meta.url));
}

function filesOf(directory: string): Map<string, ServedFile> {
  const entries = readdirSync(directory, { withFileTypes: true, recursive: true });
  return new Map(
    entries
      .filter((entry) => entry.isFile())
      .map((entry) => {
        const file = join(entry.parentPath, entry.name);
        const name = `/${relative(directory, file).split(sep).join('/')}`;
        return [name, servedFile(name, readFileSync(file))];
      }),
  );
}

function servedFile(name: string, body: Uint8Array): ServedFile {
  const extension = extname(name);
  const gzip = PACKED.has(extension) ? undefined : gzipSync(body, { level: 9 });
  return {
    body,
    gzip: gzip && gzip.length < body.length ? gzip : undefined,
    etag: `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`,
    headers: {
      ...COMMON,
      'content-type': MEDIA_TYPES.get(extension) ?? 'application/octet-stream',
      'cache-control': name.startsWith(HASHED) ? 'public, max-age=31536000, immutable' : 'no-cache',
    },
  };
}
