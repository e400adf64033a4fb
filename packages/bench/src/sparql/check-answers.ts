import { type NamedQuery, textIn, wantsAnyRows } from './named-query.ts';
import type { Peer } from './peers.ts';

/** The sum of the rows of one answer. */
export interface CheckedAnswer {
  readonly query: string;
  readonly peer: string;
  readonly checksum: string;
}

/**
 * Runs every query once with every peer that can tell its rows, and compares them with those of the
 * first peer: as many rows, and the same values up to the spelling of numbers and times. Throws at
 * the end, to report all differences.
 */
export async function checkAnswers(
  queries: readonly NamedQuery[],
  peers: readonly Peer[],
  progress: (message: string) => void,
): Promise<readonly CheckedAnswer[]> {
  const answers: CheckedAnswer[] = [];
  const differences: string[] = [];
  for (const query of queries) {
    progress(`checking ${query.name}`);
    let reference: CheckedAnswer | undefined;
    for (const { name, store, language } of peers) {
      const text = textIn(query, language);
      if (text === undefined || !store.checksum) continue;
      let checksum: string;
      try {
        const sum = await store.checksum(text);
        checksum = wantsAnyRows(query) ? `${sum.rows} rows` : sum.toString();
      } catch (cause) {
        throw new Error(`${query.name}: ${name} failed.`, { cause });
      }
      const answer = { query: query.name, peer: name, checksum };
      answers.push(answer);
      reference ??= answer;
      if (checksum !== reference.checksum) {
        differences.push(`${query.name}: ${name} ${checksum}, ${reference.peer} ${reference.checksum}`);
      }
    }
  }
  if (differences.length > 0) throw new Error(`The answers differ.\n${differences.join('\n')}`);
  return answers;
}
