import {
  DEFAULT_REQUEST_LIMITS,
  MemoryPool,
  type RequestLimitName,
  type RequestLimits,
  type WorldsEngineOptions,
} from '@rdf-worlds/core';
import { limitedText } from '@rdf-worlds/core/internal';
import { Option } from 'commander';
import type { Arguments } from './arguments.ts';
import { flagOf } from './limit-options.ts';
import { integer } from './option-value.ts';

const NAMES = Object.keys(DEFAULT_REQUEST_LIMITS) as readonly RequestLimitName[];
const count = (least: number) => integer(least, Number.MAX_SAFE_INTEGER);

export const WORLDS_MEMORY_OPTION = new Option(
  '--worlds-memory-bytes <N>',
  'bytes of memory for worlds (default: half of the memory)',
).argParser(count(1));

/** Returns an option for each limit on a single query, update or document. */
export function requestLimitOptions(): readonly Option[] {
  return NAMES.map((name) =>
    new Option(
      `--${flagOf(name)} <N>`,
      `maximum number of ${limitedText(name)} (default: ${DEFAULT_REQUEST_LIMITS[name]})`,
    ).argParser(count(1)),
  );
}

/** Limits on the memory and storage of the engine, and on single queries, updates and documents. */
export const ENGINE_OPTIONS: readonly Option[] = [
  WORLDS_MEMORY_OPTION,
  new Option(
    '--requests-memory-bytes <N>',
    'bytes of memory for all running requests (default: a quarter of the memory)',
  ).argParser(count(1)),
  new Option('--checkpoint-log-bytes <N>', 'bytes of log at which a new checkpoint is written').argParser(count(1)),
  new Option('--history-ms <N>', 'milliseconds for which the past can be read with --at').argParser(count(0)),
  new Option(
    '--history-revisions <N>',
    'number of commits for which the past can be read; each of the two options alone keeps a history',
  ).argParser(count(0)),
  new Option('--retain-changes-ms <N>', 'milliseconds for which changes are kept for followers').argParser(count(0)),
  new Option('--retain-changes-bytes <N>', 'bytes of log kept for them').argParser(count(0)),
  new Option('--lease-ms <N>', 'milliseconds after which an unrenewed lock of the directory expires').argParser(
    integer(100, 3_600_000),
  ),
  new Option('--max-open-files <N>', 'maximum number of log files kept open').argParser(count(1)),
  ...requestLimitOptions(),
];

/**
 * Returns the limits on single queries, updates and documents given on the command line, of those
 * that the command has options for.
 */
export function givenRequestLimits(given: Arguments): Partial<RequestLimits> {
  return Object.fromEntries(
    NAMES.flatMap((name) => {
      const value = given.knows(flagOf(name)) ? given.integer(flagOf(name)) : undefined;
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

/** Returns the engine options given on the command line. */
export function givenEngineOptions(given: Arguments): WorldsEngineOptions {
  const pool = given.integer('requests-memory-bytes');
  const [keepMs, keepRevisions] = [given.integer('history-ms'), given.integer('history-revisions')];
  return {
    maxMemoryBytes: given.integer('worlds-memory-bytes'),
    memoryPool: pool === undefined ? undefined : new MemoryPool(pool),
    checkpointLogBytes: given.integer('checkpoint-log-bytes'),
    history: keepMs === undefined && keepRevisions === undefined ? undefined : { keepMs, keepRevisions },
    retainChangesMs: given.integer('retain-changes-ms'),
    retainChangesBytes: given.integer('retain-changes-bytes'),
    limits: givenRequestLimits(given),
  };
}
