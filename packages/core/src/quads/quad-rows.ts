import type { TermId } from '../contracts/term-source.ts';
import type { UnsortedQuads } from './run.ts';

const CHUNK_ROWS = 1 << 16;
const FIRST_ROWS = 16;

type Columns = readonly [Uint32Array, Uint32Array, Uint32Array, Uint32Array];

/**
 * A growing list of quads: four parallel columns in chunks. Only the first chunk, which starts
 * small, is ever copied.
 */
export class QuadRows {
  length = 0;
  private readonly chunks: Columns[] = [];
  private context = new Uint32Array(FIRST_ROWS);
  private subject = new Uint32Array(FIRST_ROWS);
  private predicate = new Uint32Array(FIRST_ROWS);
  private object = new Uint32Array(FIRST_ROWS);
  /** Number of rows in use in the current chunk. */
  private at = 0;

  push(context: number, subject: TermId, predicate: TermId, object: TermId): void {
    if (this.at === this.subject.length) this.grow();
    const row = this.at++;
    this.context[row] = context;
    this.subject[row] = subject;
    this.predicate[row] = predicate;
    this.object[row] = object;
    this.length++;
  }

  /** Returns all rows in columns of exactly their number. A kernel: yields after each chunk. */
  *columns(): Generator<void, UnsortedQuads, void> {
    const all = [...this.chunks, [this.context, this.subject, this.predicate, this.object] as const];
    const columns: Uint32Array[] = [];
    for (let position = 0; position < 4; position++) {
      const column = new Uint32Array(this.length);
      let start = 0;
      for (const chunk of all) {
        if (start > 0) yield;
        const part = chunk[position].subarray(0, this.length - start);
        column.set(part, start);
        start += part.length;
      }
      columns.push(column);
    }
    const [context, subject, predicate, object] = columns;
    return { length: this.length, context, subject, predicate, object };
  }

  private grow(): void {
    if (this.at < CHUNK_ROWS) {
      this.context = doubled(this.context);
      this.subject = doubled(this.subject);
      this.predicate = doubled(this.predicate);
      this.object = doubled(this.object);
      return;
    }
    this.chunks.push([this.context, this.subject, this.predicate, this.object]);
    this.context = new Uint32Array(CHUNK_ROWS);
    this.subject = new Uint32Array(CHUNK_ROWS);
    this.predicate = new Uint32Array(CHUNK_ROWS);
    this.object = new Uint32Array(CHUNK_ROWS);
    this.at = 0;
  }
}

function doubled(column: Uint32Array): Uint32Array<ArrayBuffer> {
  const grown = new Uint32Array(column.length * 2);
  grown.set(column);
  return grown;
}
