import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from './pages.ts';

/** The version that is documented: that of all packages. */
export const VERSION: string = JSON.parse(readFileSync(join(ROOT, 'packages/core/package.json'), 'utf8')).version;

/** What `npm run site` is asked for. */
export interface SiteOptions {
  /** Path of the site on its server, with slashes around it. */
  readonly base: string;
  /** Tags whose sites are built too, into folders of their versions: `v0.1.0` into `/0.1.0/`. */
  readonly earlier: readonly string[];
}

/** Reads `--base /path/` and any number of `--earlier v0.1.0`. Throws for anything else. */
export function siteOptions(args: readonly string[]): SiteOptions {
  const earlier: string[] = [];
  let base = '/';
  for (let i = 0; i < args.length; i += 2) {
    const [name, value] = [args[i], args[i + 1]];
    if (name === '--base' && /^\/(?:[\w.-]+\/)*$/.test(value ?? '')) base = value;
    else if (name === '--earlier' && /^v\d+\.\d+\.\d+[\w.-]*$/.test(value ?? '')) earlier.push(value);
    else throw new Error(`${name} ${value ?? ''}: the options are --base /path/ and --earlier v0.1.0.`);
  }
  return { base, earlier };
}

interface MenuItem {
  readonly text: string;
  readonly link: string;
  readonly target?: string;
}

/** The menu of the version: its changes, and the sites of earlier tags. */
export function versionMenu(earlier: readonly string[]): { readonly text: string; readonly items: MenuItem[] } {
  return {
    text: VERSION,
    items: [
      { text: 'Changes', link: '/changelog' },
      // Pages of other sites, which this one must not open by itself.
      ...earlier.map((tag) => ({ text: tag.slice(1), link: `/${tag.slice(1)}/`, target: '_self' })),
    ],
  };
}

/** Builds the site of a tag, with the code and the packages of then, into a folder of `dist`. */
export function buildEarlier(tag: string, base: string, dist: string): void {
  const folder = mkdtempSync(join(tmpdir(), 'rdf-worlds-site-'));
  const run = (directory: string, program: string, ...args: string[]) =>
    execFileSync(program, args, { cwd: directory, stdio: 'inherit' });
  try {
    run(ROOT, 'git', 'worktree', 'add', '--detach', folder, tag);
    run(folder, 'npm', 'run', 'site', '--', '--base', `${base}${tag.slice(1)}/`);
    cpSync(join(folder, 'packages/site/dist'), join(dist, tag.slice(1)), { recursive: true });
  } finally {
    rmSync(folder, { recursive: true, force: true });
    run(ROOT, 'git', 'worktree', 'prune');
  }
}
