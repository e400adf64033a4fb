import { z } from 'zod';
import { DOCUMENT_TYPES, documentError, requireNoFacts } from '../document-triples.ts';
import { ADDS, defineTool } from '../tool.ts';
import { worldInput } from '../world-input.ts';

export const importDocument = defineTool({
  name: 'import_document',
  title: 'Import a document',
  description:
    'Adds an RDF document to a world as one commit, without provenance for each fact; for reference data and ontologies. For facts from a conversation, call remember.',
  annotations: ADDS,
  example: { document: '<urn:ada> <urn:knows> <urn:bob> .', content_type: 'text/turtle' },
  input: z.strictObject({
    document: z.string(),
    content_type: z.enum(DOCUMENT_TYPES).optional().describe('Default: text/turtle.'),
    graph: z.string().max(2_000).optional().describe('IRI of a named graph for all triples.'),
    world: worldInput,
  }),
  output: z.object({ inserted: z.int(), revision: z.int() }),
  async run({ document, content_type, graph, world: name }, { memory, signal, onProgress }) {
    const { engine, scope } = memory;
    const world = scope.target('write', name);
    const contentType = content_type ?? 'text/turtle';
    await requireNoFacts(document, { contentType, graph, signal }).catch((error: unknown) => {
      throw documentError(error, document, contentType);
    });
    const total = Buffer.byteLength(document);
    const { inserted, revision } = await engine
      .import({
        source: world,
        data: document,
        contentType,
        graph,
        signal,
        onProgress: onProgress && (({ quads }) => onProgress({ done: quads, message: `${quads} quads read` })),
      })
      .catch((error: unknown) => {
        throw documentError(error, document, contentType);
      });
    onProgress?.({ done: inserted, message: `${inserted} quads stored` });
    return {
      text: `Stored ${inserted} new quads of ${total} bytes in ${scope.nameOf(world)}.`,
      data: { inserted, revision },
    };
  },
});
