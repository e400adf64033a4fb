import type { StoredTextIndexPart, TextIndexPart } from '../../../contracts/text-index.ts';
import { encodePart, listOf, PartReader, sizeOf } from '../../stored-part.ts';
import type { PostingsContents } from '../document-postings.ts';
import type { GroupCount } from '../group-counts.ts';
import { decodeSegment, encodeSegment } from './stored-segment.ts';

/** What an index depends on besides its documents. */
export interface StoredAnalysis {
  /** Analyser, settings and runtime. */
  readonly analyzer: string;
  /**
   * The languages of the words, by number, with the fingerprints of their data. Words that no
   * document has any more count, because the table of words also caches stems.
   */
  readonly languages: readonly (readonly [number: number, fingerprint: string])[];
}

interface WordsHead extends StoredAnalysis {
  readonly words: number;
  readonly groups: number;
  /** The segments, as in the parts that follow; `dead` is the length of its bitmap. */
  readonly segments: readonly { readonly name: string; readonly dead: number }[];
  readonly arena: number;
}

/**
 * Encodes an index as parts: first words, counts and the bitmaps of deleted documents, then a part
 * for each segment. Segments get a name when they are stored for the first time.
 */
export function encodePostings(
  { words, groups, segments }: Pick<PostingsContents, 'words' | 'groups' | 'segments'>,
  analysis: StoredAnalysis,
  newName: (kind: string) => string,
): TextIndexPart[] {
  for (const { segment } of segments) segment.storedName ??= newName('postings');
  const counts = Array.from(groups);
  const head: WordsHead = {
    ...analysis,
    words: words.stemOf.length,
    groups: counts.length,
    segments: segments.map(({ segment, dead }) => ({ name: segment.storedName!, dead: dead.length })),
    arena: words.arena.length,
  };
  const columns = [words.stemOf, words.uses, words.documents, words.textAt];
  const chunks = encodePart(head, [
    ...columns,
    Uint32Array.from(counts, ({ group }) => group),
    Uint32Array.from(counts, ({ language }) => language),
    Uint32Array.from(counts, ({ documents }) => documents),
    Uint32Array.from(counts, ({ length }) => length % 2 ** 32),
    Uint32Array.from(counts, ({ length }) => Math.floor(length / 2 ** 32)),
    ...segments.map(({ dead }) => dead),
    words.arena,
  ]);
  return [
    { name: newName('words'), chunks },
    ...segments.map(({ segment }) => ({ name: segment.storedName!, chunks: encodeSegment(segment) })),
  ];
}

/**
 * Decodes the parts of {@link encodePostings}. Returns undefined if `isSame` rejects the analysis;
 * the segments are then not read. Throws a RangeError for malformed parts.
 */
export async function decodePostings(
  [first, ...others]: readonly StoredTextIndexPart[],
  isSame: (analysis: StoredAnalysis) => Promise<boolean>,
): Promise<Omit<PostingsContents, 'languages'> | undefined> {
  if (!first) throw new RangeError('A stored text index has no parts.');
  const reader = new PartReader(await first.read());
  const head = reader.head<WordsHead>();
  const analysis = { analyzer: String(head.analyzer), languages: listOf(head.languages) };
  if (!(await isSame(analysis))) return undefined;
  const [stemOf, uses, documents, textAt] = [1, 2, 3, 4].map(() => reader.column(head.words));
  const [group, language, counts, low, high] = [1, 2, 3, 4, 5].map(() => reader.column(head.groups));
  const listed = listOf(head.segments).map(({ name, dead }) => ({ name, dead: reader.column(dead) }));
  const arena = reader.byteColumn(sizeOf(head.arena));
  reader.end();
  const groups: GroupCount[] = Array.from(group, (number, at) => ({
    ...{ group: number, language: language[at], documents: counts[at] },
    length: low[at] + high[at] * 2 ** 32,
  }));
  const isComplete = others.length === listed.length && others.every(({ name }, at) => name === listed[at].name);
  if (!isComplete) throw new RangeError('A stored text index lacks a segment.');
  const segments: PostingsContents['segments'][number][] = [];
  for (const [at, part] of others.entries()) {
    const segment = decodeSegment(await part.read(), stemOf.length);
    segment.storedName = part.name;
    segments.push({ segment, dead: listed[at].dead });
  }
  return { words: { stemOf, uses, documents, textAt, arena }, groups, segments };
}
