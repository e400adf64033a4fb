import type { AsyncIterator } from 'asynciterator';
import { asyncIteratorClass } from './async-iterator.ts';
import type { Paced, Pacer } from './pacer.ts';

type RowIteratorClass = new <Row>(rows: Iterator<Row | undefined>, pacer: Pacer) => AsyncIterator<Row>;

let made: RowIteratorClass | undefined;

/** Created on first use, because its base class is loaded on first use. */
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
     * Returns undefined if the rows fail. The iterator then waits to be destroyed with the
     * evaluation, since ending by itself would look like the end of the rows.
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

/** Adapts a generator to a stream of Comunica; undefined is a pause, not a row. */
export function rowIterator<Row>(rows: Iterator<Row | undefined>, pacer: Pacer): AsyncIterator<Row> {
  return new (rowIteratorClass())(rows, pacer);
}
