import type { AsyncIterator } from 'asynciterator';
import { asyncIteratorClass } from './async-iterator.ts';
import type { Paced, Pacer } from './pacer.ts';

type RowIteratorClass = new <Row>(rows: Iterator<Row | undefined>, pacer: Pacer) => AsyncIterator<Row>;

let made: RowIteratorClass | undefined;

/** Made on first use, because its base class is. */
function rowIteratorClass(): RowIteratorClass {
  made ??= class RowIterator<Row> extends asyncIteratorClass()<Row> implements Paced {
    private readonly rows: Iterator<Row | undefined>;
    private readonly pacer: Pacer;

    constructor(rows: Iterator<Row | undefined>, pacer: Pacer) {
      super();
      this.rows = rows;
      this.pacer = pacer;
      this.readable = true;
      pacer.add(this);
    }

    override read(): Row | null {
      if (this.done) return null;
      for (;;) {
        const next = this.nextRow();
        if (!next) return null;
        if (next.done) {
          this.close();
          return null;
        }
        if (next.value !== undefined) return next.value;
        if (!this.pacer.step()) continue;
        this.readable = false;
        this.pacer.rest(this);
        return null;
      }
    }

    /**
     * Undefined when the rows fail. The iterator then waits for its end with the evaluation: an end
     * of its own would look like the last row.
     */
    private nextRow(): IteratorResult<Row | undefined> | undefined {
      try {
        return this.rows.next();
      } catch (cause) {
        this.readable = false;
        this.pacer.fail(cause instanceof Error ? cause : new Error(String(cause)));
        return undefined;
      }
    }

    resume(): void {
      this.readable = true;
    }

    protected override _end(destroy?: boolean): void {
      this.pacer.delete(this);
      this.rows.return?.();
      super._end(destroy);
    }
  };
  return made;
}

/** Reads a generator as a stream of Comunica's kind; undefined is a pause, not a row. */
export function rowIterator<Row>(rows: Iterator<Row | undefined>, pacer: Pacer): AsyncIterator<Row> {
  return new (rowIteratorClass())(rows, pacer);
}
