import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { CHROMIUM, INSTALL_CHROMIUM } from '../chromium.mjs';
import { roundModule } from './round.mjs';
import { NotChecked } from './workshop.mjs';

/** Serves a folder to Chromium, imports its entry there, and prints what the round returned. */
const VISIT = `import { createServer } from 'node:http';
import { readFile } from 'node:fs/promises';
import { chromium } from 'playwright-core';
const [executablePath, folder, entry] = process.argv.slice(2);
const server = createServer(async (request, answer) => {
  const file = /.m?js$/.test(request.url) && (await readFile(folder + request.url).catch(() => undefined));
  answer.writeHead(file === undefined ? 404 : 200, { 'content-type': file ? 'text/javascript' : 'text/html' });
  answer.end(file || '<!doctype html><title>The round</title>');
});
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-dev-shm-usage'] });
try {
  const page = await browser.newPage();
  await page.goto('http://127.0.0.1:' + server.address().port);
  const program = 'import("/' + entry + '").then(({ run }) => run()).catch((error) => String(error.stack))';
  console.log('The round is complete: ' + (await page.evaluate(program)) + ', in Chromium ' + browser.version());
} finally {
  await browser.close();
  server.close();
}
`;

const ESBUILD = `import { build } from 'esbuild';
const { warnings } = await build({
  entryPoints: ['browser-entry.mjs'],
  outdir: 'browser-esbuild',
  bundle: true,
  format: 'esm',
  splitting: true,
  minify: true,
  platform: 'browser',
  logLevel: 'warning',
});
if (warnings.length > 0) throw new Error('esbuild warns users of the packages; see above.');
`;

const VITE = `export default {
  build: {
    outDir: 'browser-vite',
    lib: { entry: 'browser-entry.mjs', formats: ['es'], fileName: 'browser-entry' },
  },
  logLevel: 'warn',
};
`;

const browser = (bundler, { ci = false, install, version, files, build, folder }) => ({
  name: `Chromium, bundled by ${bundler}`,
  ci,
  install: [...install, 'playwright-core@^1'],
  version,
  does: 'the round in memory, without the HTTP handler, on a page in a real browser',
  async run(workshop) {
    if (!CHROMIUM) throw new NotChecked(`there is no Chromium; \`${INSTALL_CHROMIUM}\` installs one`);
    workshop.write({ ...files, 'browser-entry.mjs': roundModule, 'visit.mjs': VISIT });
    const printed = await workshop.node(build(workshop));
    if (/externalized|node:/.test(printed)) throw new Error(`The bundle has modules of Node:\n${printed}`);
    const out = join(workshop.folder, folder);
    const modules = readdirSync(out, { recursive: true }).map((file) => file.split(sep).join('/'));
    const entry = modules.find(
      (file) => /\.m?js$/.test(file) && /export\s*\{[^}]*\brun\b/.test(readFileSync(join(out, file), 'utf8')),
    );
    return [await workshop.node(['visit.mjs', CHROMIUM, relative(workshop.folder, out), entry])];
  },
  done: /The round is complete: in memory, in Chromium/,
});

export const BROWSERS = [
  browser('esbuild', {
    ci: true,
    install: ['esbuild@^0.27'],
    version: 'esbuild',
    files: { 'browser-esbuild.mjs': ESBUILD },
    build: () => ['browser-esbuild.mjs'],
    folder: 'browser-esbuild',
  }),
  browser('Vite', {
    install: ['vite@^8'],
    version: 'vite',
    files: { 'vite.config.mjs': VITE },
    build: (workshop) => [workshop.bin('vite'), 'build'],
    folder: 'browser-vite',
  }),
];
