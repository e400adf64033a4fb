import type { StepMoment } from '../../../../../storage-file/test/stepped-file-system.ts';
import type { ChangeKind } from '../../../../src/engine/durable/commit-record.ts';
import type { HistoryOptions } from '../../../../src/index.ts';
import type { Scale } from './crash-program.ts';

/** What a process is to do that will be killed. */
export interface CrashJob {
  /** The directory of the storage. */
  readonly path: string;
  readonly marksPath: string;
  readonly seed: number;
  readonly scale: Scale;
  /** For each worker the number of its next step, and whether its world is there. */
  readonly starts: readonly { readonly next: number; readonly isThere: boolean }[];
  /**
   * Maximum number of steps of each worker. With 0 the process opens the storage, recovers every
   * namespace, makes checkpoints and exits.
   */
  readonly steps: number;
  /**
   * The step of the storage at which it kills itself, when it comes to it for the `count`-th time;
   * without a name any step.
   */
  readonly killAt?: { readonly name?: string; readonly moment: StepMoment; readonly count: number };
  readonly storage: { readonly maxLogFileBytes: number; readonly maxOpenFiles?: number };
  readonly engine: {
    readonly checkpointLogBytes: number;
    readonly retainChangesBytes: number;
    readonly maxMemoryBytes?: number;
    /** Whether texts are indexed and searched. */
    readonly textIndex: boolean;
    readonly history?: HistoryOptions | undefined;
  };
}

/** What a process says of itself. */
export type CrashMark =
  | { readonly worker: number; readonly is: 'begun' }
  | { readonly worker: number; readonly is: 'done'; readonly revision: number }
  /** The world that all read is there. */
  | { readonly is: 'shared' }
  | ShownMark
  | { readonly is: 'backing up'; readonly number: number }
  | { readonly is: 'backed up'; readonly number: number; readonly token: string };

/** A change feed showed a commit. */
export interface ShownMark {
  readonly is: 'shown';
  readonly source: string;
  readonly revision: number;
  readonly kind: ChangeKind;
  /** Of the label and of the quads of the change. */
  readonly digest: string;
}

/** Where a process keeps a backup. */
export const backupPath = (marksPath: string, number: number): string => `${marksPath}-backup-${number}`;

/** What a process prints when that number of steps, of all its workers, was acknowledged. */
export const acknowledgedLine = (steps: number): string => `${steps} steps acknowledged`;
