import { type CommitLoadWork, loadCommits, loadRaw, type RawLoadWork } from './commit-load.ts';
import { type FollowWork, followWrites, type PacedWork, writePaced } from './lag.ts';
import {
  type FillSharedWork,
  fillShared,
  loadReads,
  measureOpening,
  type OpeningWork,
  type PairedReadsWork,
  pairReads,
  type ReadLoadWork,
} from './read-load.ts';

/** The tasks of the child process, by their name in the work. */
export const SHARED_TASKS = {
  commits: loadCommits,
  raw: loadRaw,
  paced: writePaced,
  follow: followWrites,
  fill: fillShared,
  reads: loadReads,
  paired: pairReads,
  open: measureOpening,
} as const;

export type SharedWork =
  | CommitLoadWork
  | RawLoadWork
  | PacedWork
  | FollowWork
  | FillSharedWork
  | ReadLoadWork
  | PairedReadsWork
  | OpeningWork;
