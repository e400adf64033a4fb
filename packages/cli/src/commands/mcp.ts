import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { type FeedbackOptions, type FieldOptions, WorldsEngine, WorldsError } from '@rdf-worlds/core';
import { createMcpServer, refuseStdio, serveStdio } from '@rdf-worlds/mcp';
import { ReferenceMemory, type WorldName } from '@rdf-worlds/memory';
import { Option } from 'commander';
import type { Arguments } from '../arguments.ts';
import type { Command } from '../command.ts';
import { asksReadOnly, directoryOf, openDirectory, READ_ONLY_OPTION, TAKE_OVER_OPTION } from '../durable-storage.ts';
import { ENGINE_OPTIONS, givenEngineOptions } from '../engine-options.ts';
import { SERVED_NAMESPACE } from '../engine-service.ts';
import { several } from '../option-value.ts';
import { SERVED_DATA_OPTION } from '../place.ts';
import { settingOption } from '../search-setting.ts';
import { stderrLogger } from '../stderr-logger.ts';
import { stopSignal } from '../stop-signal.ts';
import { UsageError } from '../usage-error.ts';

/** The world of calls that name none, unless `--world` says otherwise. */
const DEFAULT_WORLD = 'memory';

export const mcp: Command = {
  name: 'mcp',
  summary: 'Serve worlds to an agent: the Model Context Protocol over standard input and output.',
  options: [
    SERVED_DATA_OPTION,
    TAKE_OVER_OPTION,
    READ_ONLY_OPTION,
    new Option('--memory', 'keep worlds in memory only; they are lost when the process ends'),
    new Option('--namespace <NAME>', 'the namespace of the worlds').default(SERVED_NAMESPACE),
    new Option('--world <SLUG...>', 'the only world that the agent may use; repeatable').argParser(several),
    new Option(
      '--compat <SERVER>',
      'offer the tools of another server instead: memory, the reference memory server',
    ).choices(['memory']),
    new Option('--import <FILE>', 'with --compat memory: first import its memory.jsonl, as far as it is new'),
    settingOption('fields', 'index labels and local names, and match words in them'),
    settingOption('feedback', 'expand searches with words of the best hits'),
    new Option('--verbose', 'log more to standard error'),
    ...ENGINE_OPTIONS,
  ],
  notes: [
    'Clients start the command themselves: {"mcpServers": {"memory": {"command": "npx", "args": ["-y", "rdf-worlds", "mcp", "--data", "/path/to/a/folder"]}}}.',
    `Without --world, the agent may use and create all worlds of the namespace, and "${DEFAULT_WORLD}" is the one that it need not name.`,
    'One process at a time has a directory open. For several clients, run: rdf-worlds serve --data DIR --mcp.',
  ],
  run: runMcp,
};

async function runMcp(given: Arguments): Promise<void> {
  if (directoryOf(given) === undefined && !given.flag('memory'))
    throw new UsageError('mcp: say where the memory is kept: --data DIR; or --memory to keep nothing.');
  const compat = given.text('compat') as 'memory' | undefined;
  const file = given.text('import');
  if (file !== undefined && compat === undefined)
    throw new UsageError('mcp: --import reads the file of the reference memory server; pass --compat memory with it.');
  if (file !== undefined && asksReadOnly(given))
    throw new UsageError('mcp: --import writes, so it cannot be combined with --read-only.');
  if (compat !== undefined && given.texts('world').length > 1)
    throw new UsageError('mcp: the tools of --compat name no world; pass a single --world.');
  const logger = stderrLogger({ isVerbose: given.flag('verbose') });
  const namespace = given.text('namespace')!;
  const stopping = new AbortController();
  void stopSignal().then(() => stopping.abort());
  let engine: WorldsEngine;
  try {
    engine = await opened(given, {
      ...givenEngineOptions(given),
      defaultNamespace: namespace,
      logger,
      fields: given.setting('fields') as FieldOptions | undefined,
      feedback: given.setting('feedback') as boolean | FeedbackOptions | undefined,
    });
  } catch (error) {
    // The client learns it from the answer; its user, from the log.
    await refuseStdio((error as Error).message, { signal: stopping.signal });
    throw error;
  }
  try {
    const readOnly = asksReadOnly(given);
    const worlds = given.texts('world');
    const only = worlds.length > 0 ? worlds : undefined;
    if (!readOnly) {
      for (const slug of only ?? [DEFAULT_WORLD]) await engine.createWorld({ slug, namespace, ifExists: 'return' });
    }
    const defaultWorld = only ? undefined : DEFAULT_WORLD;
    if (file !== undefined) await importFile(engine, { namespace, slug: only?.[0] ?? DEFAULT_WORLD }, file);
    const server = createMcpServer(engine, { namespace, worlds: only, defaultWorld, readOnly, logger, compat });
    await serveStdio(server, { signal: stopping.signal });
  } finally {
    await engine.close();
  }
}

async function importFile(engine: WorldsEngine, world: WorldName, file: string): Promise<void> {
  const text = await readFile(file, 'utf8');
  try {
    const { entities, relations, observations } = await new ReferenceMemory(engine, world).importLines(text, {
      source: basename(file),
    });
    process.stderr.write(
      `rdf-worlds: ${file}: imported ${entities} entities, ${observations} observations and ${relations} relations.\n`,
    );
  } catch (cause) {
    if (!(cause instanceof WorldsError)) throw cause;
    throw new WorldsError(cause.code, `${file}: ${cause.message}`, { cause });
  }
}

async function opened(given: Arguments, options: Parameters<typeof WorldsEngine.open>[0]): Promise<WorldsEngine> {
  const directory = directoryOf(given);
  if (directory === undefined) return WorldsEngine.open(options);
  try {
    return await openDirectory(given, options);
  } catch (cause) {
    if (!(cause instanceof WorldsError) || cause.code !== 'CONFLICT') throw cause;
    throw new WorldsError(
      'CONFLICT',
      `${cause.message} To let several clients use one memory, run one server (rdf-worlds serve --data ${directory} --mcp --tokens FILE) and give every client its address, such as http://127.0.0.1:8080/mcp; or pass --read-only to only read.`,
      { cause },
    );
  }
}
