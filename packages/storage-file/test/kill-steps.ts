import type { StepMoment } from './stepped-file-system.ts';

const AROUND: readonly StepMoment[] = ['before', 'after'];
const THROUGH: readonly StepMoment[] = ['before', 'half', 'after'];

/** Everything that the storage does to files that others could miss or find in part. */
export const STEPS: readonly (readonly [name: string, moment: StepMoment])[] = [
  ...['write log', 'write segment', 'write manifest'].flatMap((name) =>
    THROUGH.map((moment) => [name, moment] as const),
  ),
  ...[
    'sync log',
    'sync segment',
    'sync manifest',
    'sync directory',
    'replace log',
    'replace manifest',
    'create segment',
    'rename log',
    'rename manifest',
    'rename directory',
    'make directory',
    'remove directory',
    'unlink log',
    'unlink segment',
    'unlink manifest',
    'truncate log',
  ].flatMap((name) => AROUND.map((moment) => [name, moment] as const)),
];
