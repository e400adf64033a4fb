import { WorldsError } from '@rdf-worlds/core';
import { z } from 'zod';
import type { AgentMemory } from './agent-memory.ts';
import { estimateTokens } from './estimate-tokens.ts';
import { type ReferenceGraph, ReferenceMemory } from './reference-memory.ts';
import { ADDS, DESTROYS, defineTool, READS, type Tool, type ToolResult } from './tool.ts';

const entity = z.object({
  name: z.string().describe('Name, which identifies the entity.'),
  entityType: z.string().describe('Such as person, organization or event.'),
  observations: z.array(z.string()).describe('Sentences about the entity, one fact each.'),
});
const relation = z.object({
  from: z.string().describe('Name of the entity at which the relation starts.'),
  to: z.string().describe('Name of the entity at which it ends.'),
  relationType: z.string().describe('In the active voice, such as works_at.'),
});
const graph = z.object({ entities: z.array(entity), relations: z.array(relation) });
const done = z.object({ success: z.boolean(), message: z.string() });

/** The memory of the only world of a server. */
function memoryOf(memory: AgentMemory, permission: 'read' | 'write'): ReferenceMemory {
  const { engine, scope } = memory;
  const world = permission === 'write' ? scope.changeable(undefined) : scope.target('read', undefined);
  return new ReferenceMemory(engine, world, { clock: () => memory.now().getTime() });
}

/**
 * The nine tools of the reference memory server, with the same names, arguments and results, on the
 * default world of a memory.
 */
export const REFERENCE_TOOLS: readonly Tool[] = [
  defineTool({
    name: 'create_entities',
    title: 'Create entities',
    description: 'Creates entities in the knowledge graph. Names that exist are left as they are.',
    annotations: ADDS,
    example: { entities: [{ name: 'Ada', entityType: 'person', observations: ['likes tea'] }] },
    input: z.object({ entities: z.array(entity) }),
    output: z.object({ entities: z.array(entity) }),
    async run({ entities }, { memory, signal }) {
      requireFew(entities.length + entities.flatMap(({ observations }) => observations).length);
      const created = await memoryOf(memory, 'write').createEntities(entities, { signal });
      return {
        text: json(created),
        data: { entities: created.map((one) => ({ ...one, observations: [...one.observations] })) },
      };
    },
  }),
  defineTool({
    name: 'create_relations',
    title: 'Create relations',
    description: 'Creates relations between entities, in the active voice. Relations that exist are skipped.',
    annotations: ADDS,
    example: { relations: [{ from: 'Ada', to: 'Acme', relationType: 'works at' }] },
    input: z.object({ relations: z.array(relation) }),
    output: z.object({ relations: z.array(relation) }),
    async run({ relations }, { memory, signal }) {
      requireFew(relations.length);
      const created = await memoryOf(memory, 'write').createRelations(relations, { signal });
      return { text: json(created), data: { relations: created } };
    },
  }),
  defineTool({
    name: 'add_observations',
    title: 'Add observations',
    description: 'Adds observations to entities that exist. Returns those that are new.',
    annotations: ADDS,
    example: { observations: [{ entityName: 'Ada', contents: ['likes tea'] }] },
    input: z.object({
      observations: z.array(
        z.object({
          entityName: z.string().describe('Name of the entity.'),
          contents: z.array(z.string()).describe('Sentences to add, one fact each.'),
        }),
      ),
    }),
    output: z.object({
      results: z.array(z.object({ entityName: z.string(), addedObservations: z.array(z.string()) })),
    }),
    async run({ observations }, { memory, signal }) {
      requireFew(observations.flatMap(({ contents }) => contents).length);
      const results = await memoryOf(memory, 'write').addObservations(observations, { signal });
      return { text: json(results), data: { results } };
    },
  }),
  defineTool({
    name: 'delete_entities',
    title: 'Delete entities',
    description: 'Deletes entities with their relations. Unknown names are skipped.',
    annotations: DESTROYS,
    example: { entityNames: ['Ada'] },
    input: z.object({ entityNames: z.array(z.string()).describe('Names of the entities.') }),
    output: done,
    async run({ entityNames }, { memory, signal }) {
      requireFew(entityNames.length);
      const deleted = new Set(await memoryOf(memory, 'write').deleteEntities(entityNames, { signal }));
      const missing = entityNames.filter((name) => !deleted.has(name));
      return success(
        'Entities',
        missing.length === 0 ? '' : ` Not found: ${missing.slice(0, 20).join(', ').slice(0, 500)}.`,
      );
    },
  }),
  defineTool({
    name: 'delete_observations',
    title: 'Delete observations',
    description: 'Deletes observations of entities. Those that do not exist are skipped.',
    annotations: DESTROYS,
    example: { deletions: [{ entityName: 'Ada', observations: ['likes tea'] }] },
    input: z.object({
      deletions: z.array(
        z.object({
          entityName: z.string().describe('Name of the entity.'),
          observations: z.array(z.string()).describe('The sentences, as they are stored.'),
        }),
      ),
    }),
    output: done,
    async run({ deletions }, { memory, signal }) {
      const wanted = deletions.flatMap(({ observations }) => observations).length;
      requireFew(wanted);
      return success(
        'Observations',
        countNote(await memoryOf(memory, 'write').deleteObservations(deletions, { signal }), wanted),
      );
    },
  }),
  defineTool({
    name: 'delete_relations',
    title: 'Delete relations',
    description: 'Deletes relations. Those that do not exist are skipped.',
    annotations: DESTROYS,
    example: { relations: [{ from: 'Ada', to: 'Acme', relationType: 'works at' }] },
    input: z.object({ relations: z.array(relation) }),
    output: done,
    async run({ relations }, { memory, signal }) {
      requireFew(relations.length);
      return success(
        'Relations',
        countNote(await memoryOf(memory, 'write').deleteRelations(relations, { signal }), relations.length),
      );
    },
  }),
  defineTool({
    name: 'read_graph',
    title: 'Read the graph',
    description: 'Returns all entities and relations.',
    annotations: READS,
    example: {},
    input: z.object({}),
    output: graph,
    run: async (_, { memory, signal }) => graphResult(await memoryOf(memory, 'read').readGraph({ signal }), memory),
  }),
  defineTool({
    name: 'search_nodes',
    title: 'Search nodes',
    description: 'Finds entities whose name, type or observations contain a text, with their relations.',
    annotations: READS,
    example: { query: 'tea' },
    input: z.object({ query: z.string().describe('Text to look for, whatever its letter case.') }),
    output: graph,
    run: async ({ query }, { memory, signal }) =>
      graphResult(await memoryOf(memory, 'read').searchNodes(query, { signal }), memory),
  }),
  defineTool({
    name: 'open_nodes',
    title: 'Open nodes',
    description: 'Returns entities by their names, with their relations. Unknown names are skipped.',
    annotations: READS,
    example: { names: ['Ada'] },
    input: z.object({ names: z.array(z.string()).describe('Names of the entities.') }),
    output: graph,
    async run({ names }, { memory, signal }) {
      requireFew(names.length);
      return graphResult(await memoryOf(memory, 'read').openNodes(names, { signal }), memory);
    },
  }),
];

/** Texts that one call may write or name. */
const MAX_ITEMS = 20_000;

function requireFew(count: number): void {
  if (count <= MAX_ITEMS) return;
  throw new WorldsError('LIMIT_EXCEEDED', `${count} items are more than ${MAX_ITEMS} for one call; split them.`);
}

/** As the reference server writes its results. */
function json(value: unknown): string {
  return JSON.stringify(value, null, 2);
}

function graphResult(
  { entities, relations }: ReferenceGraph,
  { limits }: AgentMemory,
): ToolResult<z.output<typeof graph>> {
  const data = {
    entities: entities.map((one) => ({ ...one, observations: [...one.observations] })),
    relations: [...relations],
  };
  const text = json(data);
  const tokens = estimateTokens(text);
  if (tokens > limits.maxResultTokens) {
    // A part of a graph would look like the whole of it.
    throw new WorldsError(
      'LIMIT_EXCEEDED',
      `The result has ${entities.length} entities and ${relations.length} relations, about ${tokens} tokens; at most ${limits.maxResultTokens} are returned. Call open_nodes with a few names, or search_nodes with a longer text.`,
    );
  }
  return { text, data };
}

function countNote(count: number, wanted: number): string {
  return count === wanted ? '' : ` There were ${count} of ${wanted}.`;
}

function success(what: string, note: string): ToolResult<z.output<typeof done>> {
  const message = note === '' ? `${what} deleted successfully` : `${what} deleted.${note}`;
  return { text: message, data: { success: true, message } };
}
