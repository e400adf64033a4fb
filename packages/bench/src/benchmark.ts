import type { Options, OptionValues } from './option.ts';
import type { Report } from './report.ts';

/** One benchmark, run by `npm run bench -- <name>`. */
export interface Benchmark<Table extends Options = Options> {
  readonly name: string;
  /** One line, for the list of benchmarks. */
  readonly summary: string;
  /** By name, without dashes. */
  readonly options: Table;
  /**
   * Measures, and reports its steps to `progress`, because it may take minutes. Throws if results
   * that must agree differ.
   */
  run(values: OptionValues<Table>, progress: (message: string) => void): Promise<Report>;
}
