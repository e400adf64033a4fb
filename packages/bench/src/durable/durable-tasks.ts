import { type CommitRateWork, measureCommits } from './commit-rate.ts';
import { type CrowdWork, type FillWork, fillNamespaces, measureCrowd } from './crowded-memory.ts';
import {
  type ImportWork,
  measureImport,
  measureOxigraph,
  measureReopening,
  type OxigraphWork,
  type ReopenWork,
} from './import-and-reopen.ts';

/** The tasks of the child process, by their name in the work. */
export const DURABLE_TASKS = {
  import: measureImport,
  reopen: measureReopening,
  oxigraph: measureOxigraph,
  commits: measureCommits,
  fill: fillNamespaces,
  crowd: measureCrowd,
} as const;

export type DurableWork = ImportWork | ReopenWork | OxigraphWork | CommitRateWork | FillWork | CrowdWork;
