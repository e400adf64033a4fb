import { writeRdfPatch } from '../../formats/rdf-patch-writer.ts';
import type { WorldChange } from './change-feed.ts';

/**
 * A commit of the change feed as an RDF Patch (application/rdf-patch), in pieces of whole rows. The
 * header has `namespace`, `world`, `revision` and `kind`. Blank nodes have the labels that this
 * library gave out, by which {@link WorldsEngine.import} knows them again. A world that was deleted
 * took its quads along: its patch has no rows.
 */
export function rdfPatchOf({ revision, kind, world, inserted, deleted }: WorldChange): Generator<string, void, void> {
  const header = { namespace: world.namespace, world: world.slug, revision: String(revision), kind };
  return writeRdfPatch({ header, deleted, inserted });
}
