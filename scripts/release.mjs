// `npm run release`: builds, checks and packs every published package, and shows what would be
// published. `npm run release -- --publish` publishes, dependencies first; versions that the
// registry already has are skipped, so that an interrupted release can be resumed.
//
//   --registry URL  another registry than npm's; packages there have no provenance
//   --tag NAME      the dist-tag, `latest` by default
//   --built         uses the existing build, unchecked; not for npm's registry
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { npm, npmOutput } from './npm.mjs';
import { packPackage } from './pack-package.mjs';
import { isNpm, releaseProblems } from './release-problems.mjs';
import { ROOT, workspacePackages } from './workspace-packages.mjs';

function git(...args) {
  const { status, stdout, stderr, error } = spawnSync('git', args, { cwd: ROOT, encoding: 'utf8' });
  if (error || status !== 0) throw new Error(`git ${args.join(' ')} failed: ${error?.message ?? stderr}`);
  return stdout;
}

/** Returns true if the registry has this version of the package. Throws if it cannot tell. */
function isPublished(spec, registry) {
  try {
    // `npm run -s` would silence the error that says so.
    return (
      npmOutput(['view', spec, 'version', '--registry', registry, '--loglevel=error'], { cwd: ROOT }).trim() !== ''
    );
  } catch (error) {
    if (error.output?.includes('E404')) return false;
    throw error;
  }
}

const { values } = parseArgs({
  options: {
    publish: { type: 'boolean', default: false },
    registry: { type: 'string', default: 'https://registry.npmjs.org/' },
    tag: { type: 'string', default: 'latest' },
    built: { type: 'boolean', default: false },
  },
});
const { publish, registry, tag, built } = values;

const packages = workspacePackages().filter(({ manifest }) => !manifest.private);
const { version } = packages[0].manifest;
const problems = releaseProblems({
  version,
  changelog: readFileSync(join(ROOT, 'CHANGELOG.md'), 'utf8'),
  changes: git('status', '--porcelain'),
  tags: git('tag', '--points-at', 'HEAD').split('\n'),
  registry,
  env: process.env,
});
if (built) problems.push('--built skips the build and the checks; leave it out.');
// Other registries are for trials, in which only npm's own refusals matter.
const isFinal = publish && isNpm(registry);
for (const problem of problems) console.log(`${isFinal ? 'Not published' : 'Before publishing to npm'}: ${problem}`);
if (isFinal && problems.length > 0) process.exit(1);

if (!built) {
  // The build writes declarations without checking types.
  npm(['run', 'check:types'], { cwd: ROOT });
  npm(['run', 'build'], { cwd: ROOT });
  npm(['run', 'check:packages'], { cwd: ROOT });
}

const folder = mkdtempSync(join(tmpdir(), 'rdf-worlds-release-'));
try {
  // All are packed before the first is published, because a partial release cannot be undone.
  const packed = packages.map((entry) => ({ ...entry, ...packPackage(entry, folder) }));
  for (const { name, tarball, files } of packed) {
    const spec = `${name}@${version}`;
    if (publish && isPublished(spec, registry)) {
      console.log(`${spec} is published already.`);
      continue;
    }
    const flags = ['--access', 'public', '--tag', tag, '--registry', registry, `--provenance=${isFinal}`];
    npmOutput(['publish', tarball, ...flags, ...(publish ? [] : ['--dry-run'])], { cwd: folder });
    console.log(`${spec}, ${files.length} files: ${publish ? `published to ${registry}` : 'would be published'}.`);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
