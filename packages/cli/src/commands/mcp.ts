import { type FeedbackOptions, type FieldOptions, WorldsEngine, WorldsError } from '@rdf-worlds/core';
import { createMcpServer, refuseStdio, serveStdio } from '@rdf-worlds/mcp';
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
    const server = createMcpServer(engine, { namespace, worlds: only, defaultWorld, readOnly, logger });
    await serveStdio(server, { signal: stopping.signal });
  } finally {
    await engine.close();
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
