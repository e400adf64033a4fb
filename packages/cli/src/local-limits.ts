import { MemoryPool, type WorldsEngineOptions } from '@rdf-worlds/core';
import { processMemoryPool } from '@rdf-worlds/core/internal';
import type { LimitName, Limits } from '@rdf-worlds/http';
import type { Option } from 'commander';
import type { Arguments } from './arguments.ts';
import { givenRequestLimits, requestLimitOptions, WORLDS_MEMORY_OPTION } from './engine-options.ts';
import { givenLimits, limitOption } from './limit-options.ts';
import { UsageError } from './usage-error.ts';

/** The limits of the service that also apply to work without a server. */
const WORK_LIMITS = ['timeoutMs', 'maxRows', 'maxMemoryBytes'] as const satisfies readonly LimitName[];

/** For commands that read documents in this process. */
export const DOCUMENT_LIMIT_OPTIONS: readonly Option[] = headed([WORLDS_MEMORY_OPTION, ...requestLimitOptions()]);

/** For commands that also evaluate requests in this process. */
export const LOCAL_LIMIT_OPTIONS: readonly Option[] = headed([
  limitOption('timeoutMs', 'none'),
  limitOption('maxRows', 'none'),
  limitOption('maxMemoryBytes', 'a quarter of the memory'),
  ...requestLimitOptions(),
]);

/** The names of the options that bound single requests, without the leading dashes. */
export const LOCAL_LIMIT_NAMES: readonly string[] = LOCAL_LIMIT_OPTIONS.map((option) => option.name());

function headed(options: readonly Option[]): readonly Option[] {
  return options.map((option) => option.helpGroup('Limits, without a server:'));
}

/** Limits of work in this process. */
export interface LocalLimits {
  readonly engine: Pick<WorldsEngineOptions, 'maxMemoryBytes' | 'memoryPool' | 'limits'>;
  /** The limits of one request that are given. */
  readonly work: Partial<Pick<Limits, (typeof WORK_LIMITS)[number]>>;
}

/** Returns the limits given on the command line, of those that the command has options for. */
export function localLimits(given: Arguments): LocalLimits {
  const work = givenLimits(given, WORK_LIMITS);
  const { maxMemoryBytes = 0 } = work;
  return {
    engine: {
      maxMemoryBytes: given.integer(WORLDS_MEMORY_OPTION.name()),
      // A request takes at most the pool, which no other request uses here.
      memoryPool: maxMemoryBytes > processMemoryPool().maxBytes ? new MemoryPool(maxMemoryBytes) : undefined,
      limits: givenRequestLimits(given),
    },
    work,
  };
}

/** Throws `UsageError` if limits are given to a command that uses a server, which has its own. */
export function refuseLocalLimits(given: Arguments): void {
  const ignored = [WORLDS_MEMORY_OPTION.name(), ...LOCAL_LIMIT_NAMES].filter(
    (name) => given.knows(name) && given.origin(name) === 'cli',
  );
  if (ignored.length === 0) return;
  const flags = ignored.map((name) => `--${name}`).join(', ');
  throw new UsageError(
    `a server has limits of its own, so ${flags} would have no effect; omit ${ignored.length === 1 ? 'it' : 'them'} here, and pass limits to rdf-worlds serve.`,
  );
}
