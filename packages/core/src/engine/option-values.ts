import { kindOf } from '../model/passed-value.ts';
import { WorldsError } from '../model/worlds-error.ts';
import type { WorldsEngineOptions } from './engine-options.ts';

/** Options that are amounts, and their units. */
const AMOUNTS = {
  checkpointLogBytes: 'bytes',
  retainChangesMs: 'milliseconds',
  retainChangesBytes: 'bytes',
} satisfies { [Option in keyof WorldsEngineOptions]?: string };

const COMPACTIONS: readonly unknown[] = ['automatic', 'manual'] satisfies WorldsEngineOptions['compaction'][];

/** Throws INVALID_ARGUMENT for an amount that is not a number of 0 or more, or an unknown word. */
export function requireOptionValues(options: WorldsEngineOptions): void {
  for (const [name, unit] of Object.entries(AMOUNTS)) {
    const value: unknown = options[name as keyof typeof AMOUNTS];
    if (value === undefined || (typeof value === 'number' && value >= 0)) continue;
    const found = typeof value === 'number' ? String(value) : kindOf(value);
    throw invalid(`options: ${name}: found ${found}; pass a number of ${unit} of 0 or more.`);
  }
  const { compaction } = options;
  if (compaction === undefined || COMPACTIONS.includes(compaction)) return;
  const found = typeof compaction === 'string' ? JSON.stringify(compaction) : kindOf(compaction);
  throw invalid(
    `options: compaction: found ${found}; pass 'automatic', or 'manual' to compact only when compact is called.`,
  );
}

function invalid(message: string): WorldsError {
  return new WorldsError('INVALID_ARGUMENT', message);
}
