import type { SimulationReport } from './simulate.ts';

/**
 * Returns a report as text: the checks that failed, the end of the trace, and the seed. Undefined
 * if the run is right.
 */
export function simulationFailure({ seed, violations, trace, faults }: SimulationReport): string | undefined {
  if (violations.length === 0) return undefined;
  return [
    `The simulation with seed ${seed} has failed:`,
    ...violations.map(({ check, message }) => `- ${check}: ${message}`),
    '',
    `Faults: ${JSON.stringify(faults)}`,
    'The end of the trace:',
    ...trace.map((line) => `  ${line}`),
    '',
    `Run it again: simulate({ seed: ${seed}, onTrace: console.log })`,
  ].join('\n');
}
