import { isObject, kindOf } from '../model/passed-value.ts';
import { WorldsError } from '../model/worlds-error.ts';
import type { WorldsEngineOptions } from './engine-options.ts';

/** What an option must have, and what to pass. */
interface PluginRule {
  /** Methods of the object; undefined for a function. */
  readonly methods?: readonly string[];
  readonly advice: string;
}

/** Options whose values the engine calls. Those of the search are checked with its settings. */
const RULES = {
  storage: {
    methods: ['open', 'close', 'namespaces', 'namespace'],
    advice: "pass a storage, such as fileStorage({ path: './data' }) of @rdf-worlds/storage-file",
  },
  sparql: { methods: ['prepare'], advice: 'pass an engine, such as nativeEngine(), or omit it' },
  memoryPool: { methods: ['draw', 'end'], advice: 'pass a MemoryPool, or omit it' },
  logger: { methods: ['debug', 'warn', 'error'], advice: 'pass a logger such as console, or omit it' },
  documentLoader: {
    advice:
      "pass remoteContexts({ allow: ['https://schema.org/'] }), or a function of a URL that returns { document, documentUrl? }",
  },
  clock: { advice: 'pass a function such as Date.now' },
  random: { advice: 'pass a function that returns random bytes of a length' },
  onBackgroundError: { advice: 'pass a function of a failure' },
} satisfies { [Option in keyof WorldsEngineOptions]?: PluginRule };

/** Throws INVALID_ARGUMENT for an option that the engine could not call. */
export function requirePlugins(options: WorldsEngineOptions): void {
  for (const [name, rule] of Object.entries<PluginRule>(RULES)) {
    const value: unknown = options[name as keyof typeof RULES];
    if (value === undefined || (name === 'storage' && value === null)) continue;
    if (rule.methods ? hasMethods(value, rule.methods) : typeof value === 'function') continue;
    throw new WorldsError('INVALID_ARGUMENT', `options: ${name}: found ${kindOf(value)}; ${rule.advice}.`);
  }
}

function hasMethods(value: unknown, methods: readonly string[]): boolean {
  return isObject(value) && methods.every((name) => typeof (value as Record<string, unknown>)[name] === 'function');
}
