import { copyRows } from './copy-rows.ts';
import { EMPTY_RUN, Run, type TripleColumns } from './run.ts';

/**
 * Returns the rows of some contexts as a run. Shares the run's memory if their rows are
 * consecutive. A kernel.
 *
 * @param contexts ascending
 */
export function* runOfContexts(run: Run, contexts: Uint32Array): Generator<void, Run, void> {
  const found = contexts.filter((context) => run.indexOfContext(context) >= 0);
  if (found.length === 0) return EMPTY_RUN;
  if (found.length === run.contexts.length) return run;
  if (found.length === 1) return run.sliceOf(found[0]);
  const entries = Array.from(found, (context) => run.indexOfContext(context));
  const starts = new Uint32Array(found.length + 1);
  entries.forEach((entry, i) => {
    starts[i + 1] = starts[i] + run.starts[entry + 1] - run.starts[entry];
  });
  const [first] = entries;
  if (entries[found.length - 1] === first + found.length - 1) {
    const [start, end] = [run.starts[first], run.starts[first + found.length]];
    return new Run(found, starts, run.rowsFrom(start, end));
  }
  const columns: TripleColumns[] = [];
  for (const [a, b, c] of run.columns) {
    const gathered: Uint32Array[] = [];
    for (const column of [a, b, c]) {
      const rows = new Uint32Array(starts[found.length]);
      for (const [i, entry] of entries.entries()) {
        copyRows(column, run.starts[entry], rows, starts[i], starts[i + 1] - starts[i]);
      }
      gathered.push(rows);
      yield;
    }
    columns.push(gathered as unknown as TripleColumns);
  }
  return new Run(found, starts, columns);
}
