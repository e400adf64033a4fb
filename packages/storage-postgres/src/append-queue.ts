import { type Head, type LogRecord, sameHead } from '@rdf-worlds/core/plugin';
import { batchBytes } from './record-batch.ts';

/** Appends that gather behind one under way are joined up to this size. */
export const MAX_BATCH_BYTES = 2 ** 20;

/** Appends that are written by one statement. */
export interface AppendBatch {
  readonly expected: Head;
  readonly records: LogRecord[];
  byteLength: number;
}

interface QueuedBatch extends AppendBatch {
  /** Resolves to the head before the batch. */
  readonly done: Promise<Head>;
  readonly start: () => void;
}

/**
 * The appends of one handle of a namespace that are under way. One statement runs at a time, so
 * that none becomes durable before its predecessor; appends that arrive meanwhile, each after the
 * head that its predecessor will return, are joined to one statement.
 */
export class AppendQueue {
  readonly #write: (batch: AppendBatch) => Promise<Head>;
  /** Batches that are not started yet, oldest first. */
  readonly #waiting: QueuedBatch[] = [];
  #isRunning = false;

  /** `write` appends a batch and returns the head after it. */
  constructor(write: (batch: AppendBatch) => Promise<Head>) {
    this.#write = write;
  }

  async append(expected: Head, records: readonly LogRecord[]): Promise<Head> {
    const byteLength = batchBytes(records);
    const batch = this.#waiting.find((waiting) => follows(expected, waiting, byteLength)) ?? this.#newBatch(expected);
    const before = batch.records.length;
    batch.records.push(...records);
    batch.byteLength += byteLength;
    if (!this.#isRunning) void this.#run();
    const end = await batch.done;
    const after = batch.records.length - before - records.length;
    return { ...end, position: end.position - after };
  }

  #newBatch(expected: Head): QueuedBatch {
    let start!: () => void;
    const started = new Promise<void>((resolve) => {
      start = resolve;
    });
    const batch: QueuedBatch = {
      expected,
      records: [],
      byteLength: 0,
      start,
      done: started.then(() => this.#write(batch)),
    };
    this.#waiting.push(batch);
    return batch;
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    for (let batch = this.#waiting.shift(); batch; batch = this.#waiting.shift()) {
      batch.start();
      await batch.done.catch(() => undefined); // Its callers get the error.
    }
    this.#isRunning = false;
  }
}

/** Whether an append continues a batch that is not started yet. */
function follows(expected: Head, batch: AppendBatch, byteLength: number): boolean {
  const end = batch.expected.position + batch.records.length;
  return (
    expected.incarnation !== '' &&
    sameHead(expected, { ...batch.expected, position: end }) &&
    batch.byteLength + byteLength <= MAX_BATCH_BYTES
  );
}
