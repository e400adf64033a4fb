import { writeRdfPatch } from '../../formats/rdf-patch-writer.ts';
import type { WorldDiff } from '../diff-worlds.ts';
import type { WorldChange } from './change-feed.ts';

/** What the header of a patch contains. */
export interface PatchOptions {
  /**
   * Whether the header has revisions, which count the commits of the whole namespace. Default:
   * true.
   */
  readonly revisions?: boolean | undefined;
}

/**
 * Yields a commit of the change feed, or a difference, as an RDF Patch (application/rdf-patch), in
 * pieces of whole rows. The header contains `namespace`, `world` and `revision`, and of a commit
 * its `kind`; of a difference, those are of the first state, which the patch changes into the
 * second: `to-namespace`, `to-world`, `to-revision`. Blank nodes have the labels issued by this
 * library, which {@link WorldsEngine.import} recognizes. The patch of a deleted world has no rows
 * for its quads.
 */
export function rdfPatchOf(
  change: WorldChange | WorldDiff,
  { revisions = true }: PatchOptions = {},
): Generator<string, void, void> {
  const { inserted, deleted } = change;
  const header = 'kind' in change ? headerOfChange(change) : headerOfDiff(change);
  const shown = Object.entries(header).filter(([name]) => revisions || !name.endsWith('revision'));
  return writeRdfPatch({ header: Object.fromEntries(shown), deleted, inserted });
}

function headerOfChange({ world, revision, kind }: WorldChange): Readonly<Record<string, string>> {
  return { namespace: world.namespace, world: world.slug, revision: String(revision), kind };
}

function headerOfDiff({ from, to }: WorldDiff): Readonly<Record<string, string>> {
  return {
    ...{ namespace: from.namespace, world: from.slug, revision: String(from.revision) },
    ...{ 'to-namespace': to.namespace, 'to-world': to.slug, 'to-revision': String(to.revision) },
  };
}
