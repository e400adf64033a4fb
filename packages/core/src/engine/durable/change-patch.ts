import { writeRdfPatch } from '../../formats/rdf-patch-writer.ts';
import type { WorldChange } from './change-feed.ts';

/**
 * Yields a commit of the change feed as an RDF Patch (application/rdf-patch), in pieces of whole
 * rows. The header contains `namespace`, `world`, `revision` and `kind`. Blank nodes have the
 * labels issued by this library, which {@link WorldsEngine.import} recognizes. The patch of a
 * deleted world has no rows for its quads.
 */
export function rdfPatchOf({ revision, kind, world, inserted, deleted }: WorldChange): Generator<string, void, void> {
  const header = { namespace: world.namespace, world: world.slug, revision: String(revision), kind };
  return writeRdfPatch({ header, deleted, inserted });
}
