/** The registry that supports provenance. */
const NPM = 'https://registry.npmjs.org';

const HEADING = /^## (\d+\.\d+\.\d+(?:-[\w.]+)?)(?: \((unreleased|\d{4}-\d\d-\d\d)\))?/gm;

/**
 * Returns the versions of a changelog in order: `{ version, date, entries }`; `date` is undefined
 * for an unreleased version.
 */
export function changelogVersions(text) {
  const headings = [...text.matchAll(HEADING)];
  return headings.map(({ 0: { length }, 1: version, 2: date, index }, i) => {
    const section = text.slice(index + length, headings[i + 1]?.index);
    return {
      version,
      date: date === 'unreleased' ? undefined : date,
      entries: section.split('\n').filter((line) => line.startsWith('- ')).length,
    };
  });
}

export const isNpm = (registry) => registry.replace(/\/+$/, '') === NPM;

/**
 * Returns true if npm can attest where a package was built: in a CI that issues identity tokens.
 */
const canProve = (env) => Boolean(env.ACTIONS_ID_TOKEN_REQUEST_URL || (env.GITLAB_CI && env.SIGSTORE_ID_TOKEN));

/**
 * Returns the obstacles to a release, each as a sentence that says what to do. `version` is that of
 * all packages, `changelog` the text of CHANGELOG.md, `changes` the output of
 * `git status --porcelain`, `tags` the tags of HEAD, `env` the environment.
 */
export function releaseProblems({ version, changelog, changes, tags, registry, env }) {
  const [newest] = changelogVersions(changelog);
  const problems = [];
  if (newest?.version !== version)
    problems.push(`CHANGELOG.md starts with ${newest?.version ?? 'no version'}; add a section "## ${version} (date)".`);
  else if (!newest.date)
    problems.push(
      `CHANGELOG.md calls ${version} unreleased; write the date of the release, "## ${version} (2026-01-31)".`,
    );
  if (newest?.version === version && newest.entries === 0)
    problems.push(`CHANGELOG.md has no entries for ${version}; say what users see of it.`);
  if (changes.trim() !== '') problems.push(`The checkout has changes that are not committed:\n${changes.trimEnd()}`);
  if (!tags.includes(`v${version}`)) problems.push(`HEAD is not tagged; run "git tag v${version}".`);
  if (isNpm(registry) && !canProve(env))
    problems.push(
      'npm can attest provenance only in a CI that issues identity tokens; run this in GitHub Actions with "id-token: write", or in GitLab CI with SIGSTORE_ID_TOKEN.',
    );
  return problems;
}
