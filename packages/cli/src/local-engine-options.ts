import type { WorldsEngineOptions } from '@rdf-worlds/core';

/** Options of an engine that lives for one command. */
export type LocalEngineOptions = Pick<WorldsEngineOptions, 'fields'>;
