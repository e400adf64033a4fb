import { dataFactory, WorldsError } from '@rdf-worlds/core';
import { z } from 'zod';
import { countOf } from '../count-of.ts';
import { entityIri } from '../minted-iri.ts';
import { readReference } from '../term-input.ts';
import { DESTROYS, defineTool } from '../tool.ts';
import { worldInput } from '../world-input.ts';

export const rememberDocument = defineTool({
  name: 'remember_document',
  title: 'Remember a long text',
  description:
    'Stores a long text in passages that search finds and cites with their place. The same document again replaces its text.',
  annotations: DESTROYS,
  example: { document: 'Minutes 12', text: 'The crane was inspected.' },
  input: z.strictObject({
    document: z.string().min(1).max(2_000).describe('Its IRI, or a name.'),
    text: z.string(),
    title: z.string().max(500).optional().describe('Default: the name.'),
    source: z.string().max(2_000).optional(),
    world: worldInput,
  }),
  output: z.object({
    document: z.string(),
    added: z.int(),
    kept: z.int(),
    removed: z.int(),
    length: z.int(),
    revision: z.int(),
  }),
  async run({ document: given, text, title, source, world: name }, { memory, signal }) {
    const { scope, prefixes } = memory;
    const world = scope.changeable(name);
    const reference = readReference(given, 'document', prefixes);
    if (reference.kind === 'term' && reference.term.termType === 'BlankNode')
      throw new WorldsError('INVALID_ARGUMENT', 'document: pass an IRI or a name, not a blank node.');
    // Not an entity of that name: a person may be called as a document is.
    const document = dataFactory.namedNode(
      reference.kind === 'term' ? reference.term.value : entityIri(reference.name),
    );
    const change = await memory.documents(world).store(
      {
        document,
        text,
        title: title ?? (reference.kind === 'name' ? reference.name.trim() : undefined),
        sources: source === undefined ? [] : [source],
      },
      { signal },
    );
    const { added, kept, removed, revision } = change;
    const shown = prefixes.shorten(document.value);
    const counts = [
      `${countOf(added, 'passage')} stored`,
      ...(kept > 0 ? [`${kept} kept`] : []),
      ...(removed > 0 ? [`${removed} removed`] : []),
    ];
    return {
      text: `${shown}: ${text.length} characters; ${counts.join(', ')}.`,
      data: { document: shown, added, kept, removed, length: text.length, revision },
    };
  },
});
