import type * as RDF from '@rdfjs/types';
import type { ChangedQuads, World, WorldsEngine } from '../../../../src/index.ts';
import { canonicalLines } from './canonical-lines.ts';

/** What a caller sees of an engine's data. */
export interface SeenContents {
  /** By namespace. */
  readonly worlds: Readonly<Record<string, readonly SeenWorld[]>>;
  /** By namespace; absent where the log is not asked for. */
  readonly changes?: Readonly<Record<string, SeenChanges>>;
}

export interface SeenWorld {
  readonly record: World;
  /** Canonical N-Quads. */
  readonly quads: readonly string[];
}

export interface SeenChanges {
  /** The revision behind which the log still has everything. */
  readonly after: number;
  readonly commits: readonly SeenCommit[];
  /**
   * Canonical N-Quads of all commits, each line with the commit's revision and `+` or `-` before
   * it.
   */
  readonly quads: readonly string[];
}

interface SeenCommit {
  readonly revision: number;
  readonly timeMs: number;
  readonly kind: string;
  readonly world: World;
}

/** @param revisions the present revision of each namespace whose changes are read */
export async function seenContents(
  engine: WorldsEngine,
  revisions?: Readonly<Record<string, number>>,
): Promise<SeenContents> {
  const worlds: Record<string, SeenWorld[]> = {};
  for (const namespace of await engine.listNamespaces()) {
    worlds[namespace] = [];
    for (const record of await engine.listWorlds({ namespace })) {
      const text = new TextDecoder().decode(await engine.export({ source: { namespace, slug: record.slug } }));
      worlds[namespace].push({ record, quads: canonicalLines(text.split('\n').filter((line) => line !== '')) });
    }
  }
  if (!revisions) return { worlds };
  const changes: Record<string, SeenChanges> = {};
  for (const [namespace, revision] of Object.entries(revisions)) {
    changes[namespace] = await changesOf(engine, namespace, revision);
  }
  return { worlds, changes };
}

async function changesOf(engine: WorldsEngine, namespace: string, revision: number): Promise<SeenChanges> {
  const after = await firstRevision(engine, namespace, revision);
  const commits: SeenCommit[] = [];
  const lines: string[] = [];
  if (after < revision) {
    for await (const change of engine.changes({ namespace, after })) {
      commits.push({ revision: change.revision, timeMs: change.timeMs, kind: change.kind, world: change.world });
      lines.push(...linesOf(change.inserted, `${change.revision} + `));
      lines.push(...linesOf(change.deleted, `${change.revision} - `));
      if (change.revision === revision) break;
    }
  }
  return { after, commits, quads: canonicalLines(lines) };
}

/** The lowest revision that the change feed can begin behind. */
async function firstRevision(engine: WorldsEngine, namespace: string, revision: number): Promise<number> {
  for (let after = 0; after < revision; after++) {
    const feed = engine.changes({ namespace, after });
    try {
      await feed.next();
      return after;
    } catch (cause) {
      if ((cause as { code?: string }).code !== 'TRUNCATED') throw cause;
    } finally {
      await feed.return(undefined);
    }
  }
  return revision;
}

function linesOf(quads: ChangedQuads, prefix: string): string[] {
  return Array.from(quads, (quad) => `${prefix}${lineOf(quad)}`);
}

function lineOf({ subject, predicate, object, graph }: RDF.BaseQuad): string {
  const named = graph.termType === 'DefaultGraph' ? '' : ` ${textOf(graph)}`;
  return `${textOf(subject)} ${textOf(predicate)} ${textOf(object)}${named} .`;
}

function textOf(term: RDF.Term): string {
  if (term.termType === 'NamedNode') return `<${term.value}>`;
  if (term.termType === 'BlankNode') return `_:${term.value}`;
  if (term.termType === 'Literal') {
    const tag = term.language === '' ? `^^<${term.datatype.value}>` : `@${term.language}`;
    return `${JSON.stringify(term.value)}${tag}`;
  }
  if (term.termType === 'Quad') return `<<( ${lineOf(term).slice(0, -2)} )>>`;
  throw new Error(`A quad has no ${term.termType}.`);
}
