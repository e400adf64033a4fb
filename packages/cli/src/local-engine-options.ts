import type { WorldsEngineOptions } from '@rdf-worlds/core';

/** Engine options for an engine that lives for one command. */
export type LocalEngineOptions = Pick<WorldsEngineOptions, 'fields' | 'embedder' | 'documentLoader'>;
