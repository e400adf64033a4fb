import type { SalvageReport } from '@rdf-worlds/core';

/** The first line of a report, by state. */
const STATES: Readonly<Record<SalvageReport['state'], (revision: number | null) => string>> = {
  intact: (revision) => `nothing is damaged; revision ${revision}`,
  exact: (revision) => `files are damaged, and everything that was acknowledged is proven; revision ${revision}`,
  earlier: (revision) => `all of the state as of revision ${revision} is proven`,
  partial: (revision) => `a part of the state as of revision ${revision} is proven`,
  lost: () => 'nothing is proven',
};

/** Formats a report as lines of text. */
export function salvageText({
  namespace,
  state,
  revision,
  problems,
  missing,
  worlds,
  repaired,
  copy,
}: SalvageReport): string {
  const lines = [
    `${namespace}: ${STATES[state](revision)}.`,
    ...problems.map((problem) => `  damaged: ${problem}`),
    ...missing.map((what) => `  missing: ${what}`),
    ...worlds.map(
      ({ slug, quads, isComplete }) => `  world ${slug}: ${quads} quads${isComplete ? '' : ', incomplete'}`,
    ),
  ];
  if (repaired) lines.push(`  repaired; the previous files are in ${copy}`);
  return `${lines.join('\n')}\n`;
}
