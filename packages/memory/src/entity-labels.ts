import { dataFactory } from '@rdf-worlds/core';
import type { MemoryEngine } from './agent-memory.ts';
import type { Triple } from './fact.ts';
import { LABEL_PREDICATES } from './memory-vocabulary.ts';
import type { WorldName } from './world-name.ts';

/** Returns a label of an entity: of the preferred predicate, in English if there is a choice. */
export async function labelOf(
  engine: Pick<MemoryEngine, 'quads'>,
  world: WorldName,
  entity: Triple['subject'],
  signal?: AbortSignal,
): Promise<string | undefined> {
  for (const iri of LABEL_PREDICATES) {
    const labels: string[] = [];
    const pattern = { source: world, subject: entity, predicate: dataFactory.namedNode(iri), signal };
    for await (const { object } of engine.quads(pattern)) {
      if (object.termType !== 'Literal') continue;
      if (object.language === '' || /^en\b/i.test(object.language)) return object.value;
      labels.push(object.value);
    }
    // By code units, so that the same world always gives the same label.
    if (labels.length > 0) return labels.sort()[0];
  }
  return undefined;
}
