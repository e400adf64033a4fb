/** Servers whose tools `--compat` offers, as `@rdf-worlds/mcp` names them. */
export const COMPAT_CHOICES = ['memory'] as const;

/** One of the values of `--compat`. */
export type CompatServer = (typeof COMPAT_CHOICES)[number];

/** The world of calls that name none, unless `mcp --world` says otherwise. */
export const DEFAULT_WORLD = 'memory';
