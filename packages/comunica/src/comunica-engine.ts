import {
  type PreparedQuery,
  type PreparedUpdate,
  type PrepareOptions,
  requireKnownFields,
  type SparqlEngine,
} from '@rdf-worlds/core/plugin';
import { type Bindings, ComunicaQuery, type Preparation } from './prepared-query.ts';
import { ComunicaUpdate } from './prepared-update.ts';
import type { ServiceOptions } from './service.ts';
import { Substitution } from './substitution.ts';
import { syntaxError } from './syntax.ts';
import { toolbox } from './toolbox.ts';
import { translate } from './translation.ts';

/** Options of {@link comunicaEngine}. */
export interface ComunicaEngineOptions {
  /** The IRIs of the SPARQL endpoints that SERVICE may query; others are refused. Default: none. */
  readonly allowedEndpoints?: readonly string[] | undefined;
  /** The function that queries endpoints. Default: the global `fetch`. */
  readonly fetch?: typeof fetch | undefined;
}

/**
 * A {@link SparqlEngine} on Comunica, which is loaded by the first `prepare`. Complete rather than
 * fast: for SERVICE, and as the reference that other engines are tested against.
 *
 * `prepare` throws INVALID_SPARQL with a location, INVALID_ARGUMENT for a binding of a variable
 * that the text itself assigns, LIMIT_EXCEEDED for nesting beyond the stack, UNSUPPORTED for LOAD
 * and for a SERVICE that is not allowed.
 */
export function comunicaEngine(options: ComunicaEngineOptions = {}): SparqlEngine {
  requireKnownFields(options, ['allowedEndpoints', 'fetch'], 'comunicaEngine');
  const services: ServiceOptions = {
    allowedEndpoints: new Set(options.allowedEndpoints),
    fetch: options.fetch ?? ((...request) => globalThis.fetch(...request)),
  };
  return {
    name: 'comunica',
    async prepare(text: string, { baseIri, bindings }: PrepareOptions): Promise<PreparedQuery | PreparedUpdate> {
      const tools = await toolbox();
      const { content, names } = translate(tools, text, baseIri);
      const bind = (terms: Bindings): ComunicaQuery | ComunicaUpdate => {
        try {
          const preparation: Preparation = {
            toolbox: tools,
            names,
            substitution: new Substitution(terms, names),
            services,
            bind,
          };
          return content.kind === 'update'
            ? new ComunicaUpdate(content, preparation)
            : new ComunicaQuery(content, preparation);
        } catch (error) {
          throw syntaxError(text, error);
        }
      };
      return bind(bindings ?? new Map());
    },
  };
}
