import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { WorldsClient } from '@rdf-worlds/client';
import {
  type FeedbackOptions,
  type FieldOptions,
  type Worlds,
  WorldsEngine,
  type WorldsEngineOptions,
  WorldsError,
} from '@rdf-worlds/core';
import type { WorldName } from '@rdf-worlds/memory';
import { Option } from 'commander';
import type { Arguments } from '../arguments.ts';
import { CLIENT_SETTINGS } from '../client-settings.ts';
import type { Command } from '../command.ts';
import { databaseStorage } from '../database-storage.ts';
import { asksReadOnly, openDurable, refuseTakeOver, TAKE_OVER_OPTION } from '../durable-storage.ts';
import { EMBEDDER_OPTION, givenEmbedder } from '../embedder-option.ts';
import { ENGINE_OPTIONS, givenEngineOptions } from '../engine-options.ts';
import { SERVED_NAMESPACE } from '../engine-service.ts';
import { inWordsOf } from '../library-words.ts';
import { several } from '../option-value.ts';
import { placeOf, SERVED_DATA_OPTION, SERVED_STORAGE_OPTION } from '../place.ts';
import { COMPAT_CHOICES, type CompatServer, DEFAULT_WORLD } from '../reference-server.ts';
import { settingOption } from '../search-setting.ts';
import { SERVER_ACCESS_OPTIONS } from '../service-options.ts';
import { stderrLogger } from '../stderr-logger.ts';
import { stopSignal } from '../stop-signal.ts';
import { UsageError } from '../usage-error.ts';

export const mcp: Command = {
  name: 'mcp',
  summary: 'Serve worlds to an agent: the Model Context Protocol over standard input and output.',
  options: [
    SERVED_DATA_OPTION,
    TAKE_OVER_OPTION,
    SERVED_STORAGE_OPTION,
    new Option('--read-only', 'offer only tools that read; a directory is opened without writing anything to it'),
    ...SERVER_ACCESS_OPTIONS,
    new Option('--memory', 'keep worlds in memory only; they are lost when the process ends'),
    new Option('--namespace <NAME>', `the namespace of the worlds (default: ${SERVED_NAMESPACE}; required with --url)`),
    new Option('--world <SLUG...>', 'the only world that the agent may use; repeatable').argParser(several),
    new Option(
      '--compat <SERVER>',
      'offer the tools of another server instead: memory, the reference memory server',
    ).choices(COMPAT_CHOICES),
    new Option('--import <FILE>', 'with --compat memory: first import what is new in its memory.jsonl'),
    settingOption('fields', 'index labels and local names, and match words in them'),
    settingOption('feedback', 'expand searches with words of the best hits'),
    EMBEDDER_OPTION,
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
  const { url, directory, storage } = placeOf(given);
  if (url === undefined && directory === undefined && storage === undefined && !given.flag('memory')) {
    throw new UsageError(
      'mcp: specify where the memory is kept: --data DIR, --storage URL of a database, or --url URL of a server; or --memory to keep it only until the end of the process.',
    );
  }
  if (storage !== undefined) refuseTakeOver(given);
  const compat = given.text('compat') as CompatServer | undefined;
  const file = given.text('import');
  const readOnly = asksReadOnly(given);
  if (file !== undefined && compat === undefined)
    throw new UsageError('mcp: --import reads the file of the reference memory server; pass --compat memory with it.');
  if (file !== undefined && readOnly)
    throw new UsageError('mcp: --import writes, so it cannot be combined with --read-only.');
  if (compat !== undefined && given.texts('world').length > 1)
    throw new UsageError('mcp: the tools of --compat cannot name a world; pass a single --world.');
  if (url !== undefined) requireNoEngineOptions(given);
  if (url !== undefined && given.text('namespace') === undefined)
    throw new UsageError('mcp: name the namespace of the worlds on the server with --namespace NAME.');
  const namespace = given.text('namespace') ?? SERVED_NAMESPACE;
  const logger = stderrLogger({ isVerbose: given.flag('verbose') });
  const stopping = new AbortController();
  void stopSignal().then(() => stopping.abort());
  // Loaded here, so that other commands start without it.
  const { createMcpServer, refuseStdio, serveStdio } = await import('@rdf-worlds/mcp');
  const worlds = given.texts('world');
  const only = worlds.length > 0 ? worlds : undefined;
  let opened: Worlds | undefined;
  try {
    opened = await openWorlds(given, {
      ...givenEngineOptions(given),
      defaultNamespace: namespace,
      logger,
      fields: given.setting('fields') as FieldOptions | undefined,
      feedback: given.setting('feedback') as boolean | FeedbackOptions | undefined,
      embedder: await givenEmbedder(given),
    });
    if (!readOnly) {
      for (const slug of only ?? [DEFAULT_WORLD]) await opened.createWorld({ slug, namespace, ifExists: 'return' });
    }
    if (file !== undefined) await importFile(opened, { namespace, slug: only?.[0] ?? DEFAULT_WORLD }, file);
  } catch (error) {
    await opened?.close();
    // The client learns it from the answer; its user, from the log.
    await refuseStdio(inWordsOf(given)((error as Error).message), { signal: stopping.signal });
    throw error;
  }
  try {
    const defaultWorld = only ? undefined : DEFAULT_WORLD;
    const server = createMcpServer(opened, { namespace, worlds: only, defaultWorld, readOnly, logger, compat });
    await serveStdio(server, { signal: stopping.signal });
  } finally {
    await opened.close();
  }
}

async function importFile(engine: Worlds, world: WorldName, file: string): Promise<void> {
  const { ReferenceMemory } = await import('@rdf-worlds/memory');
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

/** Options that say how the engine of this process keeps and searches worlds. */
const OWN_ENGINE_OPTIONS: readonly string[] = [
  ...ENGINE_OPTIONS.map((option) => option.name()),
  ...['fields', 'feedback', 'memory', EMBEDDER_OPTION.name(), TAKE_OVER_OPTION.name()],
];

/** Throws `UsageError` for options of an engine: with `--url`, the engine is that of the server. */
function requireNoEngineOptions(given: Arguments): void {
  const ignored = OWN_ENGINE_OPTIONS.filter((name) => given.origin(name) !== undefined);
  if (ignored.length === 0) return;
  const flags = ignored.map((name) => `--${name}`).join(', ');
  throw new UsageError(
    `mcp: --url uses the engine of a server, so ${flags} would have no effect; leave ${ignored.length === 1 ? 'it' : 'them'} out, and pass options of the engine to rdf-worlds serve.`,
  );
}

/** Opens the place that the arguments name. */
async function openWorlds(given: Arguments, options: WorldsEngineOptions): Promise<Worlds> {
  const { url, directory, storage } = placeOf(given);
  if (url !== undefined) return new WorldsClient({ url, token: given.text('token') || undefined, ...CLIENT_SETTINGS });
  if (storage !== undefined) {
    return WorldsEngine.open({
      ...options,
      storage: await databaseStorage(storage, { mustExist: asksReadOnly(given) }),
    });
  }
  if (directory === undefined) return WorldsEngine.open(options);
  try {
    return await openDurable(given, { mustExist: false }, options);
  } catch (cause) {
    if (!(cause instanceof WorldsError) || cause.code !== 'CONFLICT') throw cause;
    throw new WorldsError(
      'CONFLICT',
      `${cause.message} To let several clients use one memory, run one server (rdf-worlds serve --data ${directory} --mcp --tokens FILE) and give every client its address, such as http://127.0.0.1:8080/mcp; or pass --read-only to only read.`,
      { cause },
    );
  }
}
