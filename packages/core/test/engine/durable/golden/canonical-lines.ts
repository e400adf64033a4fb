const LABEL = /_:b[0-9a-z]+/g;

/**
 * Lines of N-Quads in code-unit order, blank nodes named by what is said of them: first-degree
 * hashing of RDF Dataset Canonicalization, without the hash. Throws for blank nodes that this
 * cannot tell apart.
 */
export function canonicalLines(lines: readonly string[]): string[] {
  const labels = new Set(lines.flatMap((line) => line.match(LABEL) ?? []));
  const signatures = Array.from(labels, (label): [signature: string, label: string] => [
    lines
      .filter((line) => line.includes(label))
      .map((line) => line.replace(LABEL, (found) => (found === label ? '_:self' : '_:other')))
      .sort()
      .join('\n'),
    label,
  ]).sort(([a], [b]) => (a < b ? -1 : 1));
  if (new Set(signatures.map(([signature]) => signature)).size < labels.size)
    throw new Error('Two blank nodes are described alike; say something of one of them.');
  const names = new Map(signatures.map(([, label], i) => [label, `_:c${i}`]));
  return lines.map((line) => line.replace(LABEL, (label) => names.get(label)!)).sort();
}
