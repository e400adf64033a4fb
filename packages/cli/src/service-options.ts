import { Option } from 'commander';
import type { Arguments } from './arguments.ts';
import { CLIENT_CONFIG_OPTION } from './config-file.ts';
import { BASE_IRI_OPTION, CONTEXT_OPTIONS, contextLoader, refuseContextFiles } from './document-options.ts';
import { isDurable, TAKE_OVER_OPTION } from './durable-storage.ts';
import { WORLDS_MEMORY_OPTION } from './engine-options.ts';
import type { LocalEngineOptions } from './local-engine-options.ts';
import { LOCAL_LIMIT_OPTIONS, localLimits, refuseLocalLimits } from './local-limits.ts';
import { several } from './option-value.ts';
import { DATA_OPTION, placeOf, STORAGE_OPTION, URL_OPTION } from './place.ts';
import { rdfInputs } from './rdf-input.ts';
import { RemoteService } from './remote-service.ts';
import type { Service } from './service.ts';
import { UsageError } from './usage-error.ts';
import { collectionPath, namespaceName, type WorldName, worldName, worldPath } from './world-name.ts';

const TOKEN_VARIABLE = 'RDF_WORLDS_TOKEN';
/** The default name of the world of the loaded files. */
const LOADED_WORLD = 'data';

/** Options for the address of a server and its credentials. */
export const SERVER_ACCESS_OPTIONS: readonly Option[] = [
  URL_OPTION,
  new Option('--token <TOKEN>', 'the token for the server; prefer the variable, which other users cannot see').env(
    TOKEN_VARIABLE,
  ),
  CLIENT_CONFIG_OPTION,
];

/** Options of commands that need a server, a directory or a database. */
export const SERVER_OPTIONS: readonly Option[] = [
  ...SERVER_ACCESS_OPTIONS,
  new Option('--namespace <NAME>', 'the namespace of the worlds (default: your own)'),
  DATA_OPTION,
  TAKE_OVER_OPTION,
  STORAGE_OPTION,
  WORLDS_MEMORY_OPTION,
];

/** Options of commands that also work on files. */
export const SOURCE_OPTIONS: readonly Option[] = [
  ...SERVER_OPTIONS,
  ...LOCAL_LIMIT_OPTIONS,
  new Option('--load <FILE>', 'instead of a server, an RDF file, - for standard input (repeatable)').argParser(several),
  new Option('--load-format <FORMAT>', 'format of the files (default: by extension)'),
  BASE_IRI_OPTION,
  ...CONTEXT_OPTIONS,
];

export interface ServerOptions extends LocalEngineOptions {
  /** Whether a missing directory or schema is created; only for commands that create worlds. */
  readonly makesPlace?: boolean;
  /** Whether the command works in this process even with a server, so that limits apply to it. */
  readonly worksHere?: boolean;
}

/**
 * Opens the server, directory or database that the arguments name. Throws `UsageError` if they name
 * none.
 */
export async function openServer(
  given: Arguments,
  { makesPlace = false, worksHere = false, ...options }: ServerOptions = {},
): Promise<Service> {
  const { url } = placeOf(given);
  if (url !== undefined && !worksHere) refuseLocalLimits(given);
  if (url !== undefined) refuseContextFiles(given);
  if (isDurable(given)) {
    // Imported lazily: a command that uses a server needs no engine.
    const { EngineService } = await import('./engine-service.ts');
    return EngineService.ofPlace(
      given,
      { mustExist: !makesPlace },
      { ...options, documentLoader: contextLoader(given) },
    );
  }
  if (url === undefined) {
    throw new UsageError(
      'specify a server with --url URL, a directory with --data DIR, or a database with --storage URL. Without one of them, data would be lost when the command ends; query, update, search and export can read files with --load FILE.',
    );
  }
  return new RemoteService(url, given.text('token') || undefined);
}

/** Opens a server, a directory, a database, or an in-memory engine with the files of `--load`. */
export async function openSource(
  given: Arguments,
  { worksHere = false, ...options }: Omit<ServerOptions, 'makesPlace'> = {},
): Promise<Service> {
  const { url, files } = placeOf(given);
  if (url !== undefined || isDurable(given)) return openServer(given, { worksHere, ...options });
  if (files.length === 0)
    throw new UsageError(
      'there is no data: load files with --load FILE, or specify a directory with --data DIR, a database with --storage URL or a server with --url URL.',
    );
  const name = worldName(given.text('world') ?? LOADED_WORLD, given.text('namespace'));
  const limits = localLimits(given);
  const inputs = await rdfInputs(files, {
    format: given.text('load-format'),
    formatFlag: '--load-format',
    limits: limits.engine.limits,
  });
  const { EngineService } = await import('./engine-service.ts');
  return EngineService.ofFiles([{ name, inputs }], {
    ...options,
    documentLoader: contextLoader(given),
    baseIri: given.text('base-iri'),
    limits,
  });
}

/** Returns the selected world; undefined if none is. */
export function chosenWorld(given: Arguments, service: Service): WorldName | undefined {
  const name = given.text('world') ?? service.defaultWorld;
  return name === undefined ? undefined : worldName(name, given.text('namespace'));
}

/** Returns the selected world. Throws `UsageError` if none is. */
export function requiredWorld(given: Arguments, service: Service): WorldName {
  const world = chosenWorld(given, service);
  if (!world) throw new UsageError('specify the world with --world NAME.');
  return world;
}

/** Returns the selected namespace; undefined for the caller's own. */
export function chosenNamespace(given: Arguments): string | undefined {
  return namespaceName(given.text('namespace'));
}

/**
 * Returns the path that queries and searches go to: the selected world, or all of the namespace.
 */
export function chosenPath(given: Arguments, service: Service): string {
  const world = chosenWorld(given, service);
  return world ? worldPath(world) : collectionPath(chosenNamespace(given));
}
