import type { Options, OptionValues } from './option.ts';
import type { Report } from './report.ts';

/** One benchmark: what `npm run bench -- <name>` runs. */
export interface Benchmark<Table extends Options = Options> {
  readonly name: string;
  /** One line, for the list of benchmarks. */
  readonly summary: string;
  /** By name without the dashes. */
  readonly options: Table;
  /**
   * Measures; `progress` is told what goes on, since it may take minutes. Throws when results that
   * must agree do not.
   */
  run(values: OptionValues<Table>, progress: (message: string) => void): Promise<Report>;
}
