// `node scripts/set-version.mjs 0.2.0`: sets the version of every published package, and of their
// dependencies on each other, in the package.json files and the lock file; starts a section in
// CHANGELOG.md. All packages share one version, because they are tested together.
import { readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { changelogVersions } from './release-problems.mjs';
import { ROOT, workspacePackages } from './workspace-packages.mjs';

const [version] = process.argv.slice(2);
if (!/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version ?? ''))
  throw new Error(`"${version ?? ''}" is no version such as 0.2.0.`);

const packages = workspacePackages();
const published = new Set(packages.filter(({ manifest }) => !manifest.private).map(({ name }) => name));
/** Sets the version in a package.json or its copy in the lock file. */
function setVersion(manifest, name) {
  if (published.has(name)) manifest.version = version;
  for (const kind of ['dependencies', 'peerDependencies', 'devDependencies'])
    for (const dependency of Object.keys(manifest[kind] ?? {}))
      if (published.has(dependency)) manifest[kind][dependency] = version;
}
const write = (file, value) => writeFileSync(file, `${JSON.stringify(value, null, 2)}\n`);

const lockFile = join(ROOT, 'package-lock.json');
const lock = JSON.parse(readFileSync(lockFile, 'utf8'));
for (const { name, directory, manifest } of packages) {
  setVersion(manifest, name);
  setVersion(lock.packages[relative(ROOT, directory).replaceAll('\\', '/')], name);
  write(join(directory, 'package.json'), manifest);
}
write(lockFile, lock);

const changelogFile = join(ROOT, 'CHANGELOG.md');
const changelog = readFileSync(changelogFile, 'utf8');
if (changelogVersions(changelog)[0].version !== version)
  writeFileSync(changelogFile, changelog.replace(/^## /m, `## ${version} (unreleased)\n\n## `));
