import { type ClientRequest, WorldsClient } from '@rdf-worlds/client';
import { type World, WorldsEngine } from '@rdf-worlds/core';
import { createWorldsHandler, type Limits, type Principal } from '@rdf-worlds/http';
import type { Arguments } from './arguments.ts';
import { CLIENT_SETTINGS } from './client-settings.ts';
import { type OpenedPlace, openDurable } from './durable-storage.ts';
import { elsewhereText } from './elsewhere-text.ts';
import type { LocalEngineOptions } from './local-engine-options.ts';
import { type LocalLimits, localLimits } from './local-limits.ts';
import { ProgressBar } from './progress-bar.ts';
import type { RdfInput } from './rdf-input.ts';
import type { Service } from './service.ts';
import { StatusLine } from './status-line.ts';
import { DEFAULT_NAMESPACE_MARK, namespaceName, type WorldName, worldName } from './world-name.ts';

const OWNER: Principal = { id: 'owner', grants: [], admin: true };
const NAMESPACE = 'default';
/** The namespace in which `serve` keeps the worlds of callers without a namespace of their own. */
export const SERVED_NAMESPACE = 'platform';
/** The maximum delay of a timer, in milliseconds. */
const MAX_DELAY_MS = 2 ** 31 - 1;
/**
 * A local command needs no limits by default: its user can wait or stop it. The memory of a query
 * is bounded by the engine's pool.
 */
const NO_LIMITS = {
  maxBodyBytes: Number.POSITIVE_INFINITY,
  maxImportBytes: Number.POSITIVE_INFINITY,
  maxHeldImportBytes: Number.POSITIVE_INFINITY,
  maxJsonValues: Number.POSITIVE_INFINITY,
  maxJsonMembers: Number.POSITIVE_INFINITY,
  maxJsonDepth: Number.POSITIVE_INFINITY,
  maxSources: Number.POSITIVE_INFINITY,
  maxHeldBodyBytes: Number.POSITIVE_INFINITY,
  bodyMs: Number.POSITIVE_INFINITY,
  timeoutMs: MAX_DELAY_MS,
  maxRows: Number.MAX_SAFE_INTEGER,
  maxMemoryBytes: Number.MAX_SAFE_INTEGER,
} satisfies Partial<Limits>;

/** A world that {@link EngineService.ofFiles} makes of files. */
export interface LoadedWorld {
  readonly name: WorldName;
  readonly inputs: readonly RdfInput[];
}

/** How {@link EngineService.ofFiles} reads and keeps files. */
export interface FilesOptions extends LocalEngineOptions {
  readonly limits: LocalLimits;
  /** Where relative IRIs in the files resolve; undefined if they are an error. */
  readonly baseIri: string | undefined;
}

/** How {@link EngineService} serves an engine. */
interface Served {
  readonly platformNamespace: string;
  readonly defaultWorld?: string;
  readonly limits: LocalLimits;
}

/**
 * A service backed by an engine in this process, for the duration of one command. It has the same
 * interface as a remote server.
 */
export class EngineService implements Service {
  readonly defaultWorld: string | undefined;
  private readonly engine: WorldsEngine;
  private readonly client: WorldsClient;

  private constructor(engine: WorldsEngine, { platformNamespace, defaultWorld, limits }: Served) {
    this.engine = engine;
    this.defaultWorld = defaultWorld;
    const handler = createWorldsHandler(engine, {
      authenticate: () => OWNER,
      anonymous: OWNER,
      platformNamespace,
      limits: { ...NO_LIMITS, ...limits.work },
    });
    this.client = new WorldsClient({
      url: 'http://localhost',
      fetch: (url, init) => handler(new Request(url, init)),
      ...CLIENT_SETTINGS,
    });
  }

  /** Opens the worlds of the directory of `--data` or the database of `--storage`. */
  static async ofPlace(given: Arguments, place: OpenedPlace, options: LocalEngineOptions): Promise<EngineService> {
    const limits = localLimits(given);
    const opened = { ...limits.engine, ...options, defaultNamespace: SERVED_NAMESPACE };
    const engine = await openDurable(given, place, opened);
    try {
      if (namesNoNamespace(given)) await tellWhereWorldsAre(engine, SERVED_NAMESPACE, ', the default,');
      else if (place.mustExist) await tellWhereWorldsAre(engine, namespaceOf(given));
      if (options.embedder) await embedAll(engine, namespaceOf(given));
      return new EngineService(engine, { platformNamespace: SERVED_NAMESPACE, limits });
    } catch (error) {
      await engine.close();
      throw error;
    }
  }

  /**
   * Loads files into worlds in memory, of which the first is the default. Throws the errors of the
   * imports, prefixed with the file name.
   */
  static async ofFiles(
    worlds: readonly LoadedWorld[],
    { limits, baseIri, ...options }: FilesOptions,
  ): Promise<EngineService> {
    const engine = await WorldsEngine.open({ ...limits.engine, ...options, defaultNamespace: NAMESPACE });
    try {
      const names: string[] = [];
      for (const { name, inputs } of worlds) {
        const source = await engine.createWorld({ slug: name.slug, namespace: name.namespace ?? NAMESPACE });
        for (const input of inputs) await load(engine, source, input, baseIri);
        if (options.embedder) await embedAll(engine, source.namespace);
        names.push(`${source.namespace}/${source.slug}`);
      }
      return new EngineService(engine, { platformNamespace: NAMESPACE, defaultWorld: names[0], limits });
    } catch (error) {
      await engine.close();
      throw error;
    }
  }

  send(path: string, request?: ClientRequest): Promise<Response> {
    return this.client.request(path, request);
  }

  async close(): Promise<void> {
    await this.client.close();
    await this.engine.close();
  }
}

async function load(engine: WorldsEngine, source: World, input: RdfInput, baseIri: string | undefined): Promise<void> {
  const { name, contentType, size } = input;
  const progress = new ProgressBar(name, size);
  const data = input.bytes((bytes) => progress.show(bytes));
  await engine
    .import({ source, contentType, baseIri, data, decompress: false })
    .catch((cause) => {
      throw new Error(`${name}: ${cause.message}`, { cause });
    })
    .finally(() => progress.end());
}

/** Makes the vectors of a namespace: a search by words would not wait for them. */
async function embedAll(engine: WorldsEngine, namespace: string): Promise<void> {
  const status = new StatusLine('learning from the texts');
  await engine.flush({ namespace }).finally(() => status.end());
}

function namespaceOf(given: Arguments): string {
  const world = given.knows('world') ? given.text('world') : undefined;
  const namespace = given.text('namespace');
  const named = world === undefined ? namespaceName(namespace) : worldName(world, namespace).namespace;
  return named === undefined || named === DEFAULT_NAMESPACE_MARK ? SERVED_NAMESPACE : named;
}

function namesNoNamespace(given: Arguments): boolean {
  const world = given.knows('world') ? given.text('world') : undefined;
  return given.text('namespace') === undefined && !world?.includes('/');
}

/**
 * Warns if the place has no worlds in a namespace, but in others. The library's default namespace
 * differs, so a directory written by an application would otherwise look empty without explanation;
 * and a query of a namespace that does not exist gives nothing.
 */
async function tellWhereWorldsAre(engine: WorldsEngine, namespace: string, addition = ''): Promise<void> {
  const names = await engine.listNamespaces();
  if (names.length === 0 || names.includes(namespace)) return;
  process.stderr.write(elsewhereText(`the namespace ${namespace}${addition}`, names));
}
