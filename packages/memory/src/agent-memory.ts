import { type Worlds, WorldsError } from '@rdf-worlds/core';
import { requireEngine } from '@rdf-worlds/core/internal';
import { requireKnownFields, requireOptions } from '@rdf-worlds/core/plugin';
import { DEFAULT_MEMORY_LIMITS, type MemoryLimits } from './memory-limits.ts';
import { PrefixTable } from './prefix-table.ts';
import { WorldDocuments } from './world-documents.ts';
import { WorldFacts } from './world-facts.ts';
import type { WorldName } from './world-name.ts';
import { type Permits, WorldScope } from './world-scope.ts';

/**
 * What the tools need of an engine: a `WorldsEngine` in this process, or the client of a server.
 */
export type MemoryEngine = Pick<
  Worlds,
  | 'createWorld'
  | 'getWorld'
  | 'worlds'
  | 'quads'
  | 'select'
  | 'ask'
  | 'construct'
  | 'search'
  | 'write'
  | 'import'
  | 'diff'
>;

/** Options of `new AgentMemory`. Unknown ones throw `INVALID_ARGUMENT`. */
export interface AgentMemoryOptions {
  /** The namespace of the worlds. */
  readonly namespace: string;
  /**
   * Slugs of the only worlds that the tools may use. With exactly one, calls need not name it.
   * Default: all worlds of the namespace.
   */
  readonly worlds?: readonly string[] | undefined;
  /** Slug of the world of calls that name none. Default: the only one in `worlds`, else none. */
  readonly defaultWorld?: string | undefined;
  /** Leaves out the tools that write, and refuses them. Default: false. */
  readonly readOnly?: boolean | undefined;
  /** Restricts the worlds further, and may open other namespaces. Default: all of `namespace`. */
  readonly permits?: Permits | undefined;
  /** Default: {@link DEFAULT_MEMORY_LIMITS}. */
  readonly limits?: Partial<MemoryLimits> | undefined;
  /** Further prefixes for arguments and results: prefix name (without `:`) to namespace IRI. */
  readonly prefixes?: Readonly<Record<string, string>> | undefined;
  /** The current time in milliseconds. Default: `Date.now`. */
  readonly clock?: (() => number) | undefined;
}

const OPTION_FIELDS = Object.keys({
  namespace: true,
  worlds: true,
  defaultWorld: true,
  readOnly: true,
  permits: true,
  limits: true,
  prefixes: true,
  clock: true,
} satisfies Record<keyof AgentMemoryOptions, true>);

/** What the tools work on: an engine, the worlds of it that may be used, and limits. */
export class AgentMemory {
  readonly engine: MemoryEngine;
  readonly scope: WorldScope;
  readonly limits: MemoryLimits;
  readonly prefixes: PrefixTable;
  private readonly clock: () => number;

  /** Throws `INVALID_ARGUMENT` for invalid options. */
  constructor(engine: MemoryEngine, options: AgentMemoryOptions) {
    requireEngine(engine, 'AgentMemory', "new AgentMemory(await WorldsEngine.open(), { namespace: 'acme' })");
    requireOptions(options, 'AgentMemory: options', "new AgentMemory(engine, { namespace: 'acme' })");
    requireKnownFields(options, OPTION_FIELDS, 'options');
    const { namespace, worlds, defaultWorld, readOnly, permits, limits = {}, prefixes, clock = Date.now } = options;
    requireKnownFields(limits, Object.keys(DEFAULT_MEMORY_LIMITS), 'limits');
    for (const [name, value] of Object.entries(limits)) {
      if (value !== undefined && !(Number.isFinite(value) && value >= 1))
        throw new WorldsError('INVALID_ARGUMENT', `limits.${name}: expected a number of at least 1.`);
    }
    const given = Object.fromEntries(Object.entries(limits).filter(([, value]) => value !== undefined));
    this.engine = engine;
    this.scope = new WorldScope({ namespace, worlds, defaultWorld, readOnly, permits });
    this.limits = { ...DEFAULT_MEMORY_LIMITS, ...given };
    this.prefixes = new PrefixTable(prefixes);
    this.clock = clock;
  }

  /** The current time. */
  now(): Date {
    return new Date(this.clock());
  }

  /** The facts of one world, whose permission the caller has already checked. */
  facts(world: WorldName): WorldFacts {
    return new WorldFacts(this.engine, world, { clock: this.clock });
  }

  /** The documents of one world, whose permission the caller has already checked. */
  documents(world: WorldName): WorldDocuments {
    return new WorldDocuments(this.engine, world, {
      clock: this.clock,
      maxPassageLength: this.limits.maxPassageLength,
    });
  }
}
