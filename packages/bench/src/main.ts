import { parseArguments, UsageError, usage } from './arguments.ts';
import { BENCHMARKS } from './benchmarks.ts';
import { machineLine } from './machine.ts';
import { formatReport } from './report.ts';

/** Runs the command line. Reports go to stdout, progress to stderr. */
async function main(argv: readonly string[]): Promise<number> {
  try {
    const { benchmark, values } = parseArguments(argv, BENCHMARKS);
    if (!benchmark) {
      console.log(usage(BENCHMARKS));
      return 0;
    }
    const report = await benchmark.run(values, (message) => console.error(`${benchmark.name}: ${message}`));
    console.log(formatReport(benchmark.name, machineLine(), report));
    return 0;
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    console.error(`${error.message}\n\n${usage(BENCHMARKS)}`);
    return 2;
  }
}

process.exitCode = await main(process.argv.slice(2));
