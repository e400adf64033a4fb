import type { QueryEngine } from '@comunica/query-sparql-rdfjs';
import { engineWiring } from './engine-wiring.ts';
import { guardExpressions } from './guarded-expressions.ts';
import { guardOperations } from './guarded-iterator.ts';

/**
 * Modules loaded on first use: Comunica and its parser take most of a second to load, so importing
 * this package must not load them.
 */
export interface Toolbox {
  readonly engine: QueryEngine;
  readonly parser: typeof import('@traqula/parser-sparql-1-2');
  readonly rules: typeof import('@traqula/rules-sparql-1-2');
  readonly algebra: typeof import('@traqula/algebra-sparql-1-2');
  readonly transformations: typeof import('@traqula/algebra-transformations-1-2');
  readonly core: typeof import('@traqula/core');
  readonly generator: typeof import('@traqula/generator-sparql-1-2');
}

let loading: Promise<Toolbox> | undefined;

async function load(): Promise<Toolbox> {
  const [{ QueryEngine }, expressions, parser, rules, algebra, transformations, core, generator] = await Promise.all([
    import('@comunica/query-sparql-rdfjs'),
    import('@comunica/utils-expression-evaluator'),
    import('@traqula/parser-sparql-1-2'),
    import('@traqula/rules-sparql-1-2'),
    import('@traqula/algebra-sparql-1-2'),
    import('@traqula/algebra-transformations-1-2'),
    import('@traqula/core'),
    import('@traqula/generator-sparql-1-2'),
  ]);
  const engine = new QueryEngine();
  const wiring = engineWiring(engine);
  guardOperations(wiring);
  guardExpressions(wiring, expressions);
  return { engine, parser, rules, algebra, transformations, core, generator };
}

/** Loads Comunica once; after a failure the next call tries again. */
export function toolbox(): Promise<Toolbox> {
  loading ??= load().catch((error: unknown) => {
    loading = undefined;
    throw error;
  });
  return loading;
}
