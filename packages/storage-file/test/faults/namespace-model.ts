import assert from 'node:assert/strict';
import { WorldsError } from '@rdf-worlds/core';
import { type Head, type NamespaceStorage, NO_HEAD } from '@rdf-worlds/core/plugin';
import { checkpointText, readTexts } from '../power-cut/driver-program.ts';

/** What one incarnation may be. */
export interface Content {
  /** The records, those that were forgotten among them. */
  readonly texts: readonly string[];
  /** The records up to this number may have been forgotten; those up to `forgotten` were. */
  readonly mayBeForgotten: number;
  readonly forgotten: number;
  /** Checkpoints of which one is the newest. */
  readonly checkpoints: readonly (string | undefined)[];
}

const NOTHING: Content = { texts: [], mayBeForgotten: 0, forgotten: 0, checkpoints: [undefined] };

/**
 * What a namespace may hold, from what was asked for and what was answered: an acknowledged call
 * leaves one possibility, a rejected one what there was, and one IN_DOUBT leaves both.
 */
export class NamespaceModel {
  #possible: readonly Content[];

  constructor(possible: readonly Content[] = [NOTHING]) {
    this.#possible = possible;
  }

  /** Of these one is there. */
  get possible(): readonly Content[] {
    return this.#possible;
  }

  /** The one that is there, as far as is known. */
  get present(): Content {
    return this.#possible[0];
  }

  appended(texts: readonly string[], outcome: unknown): void {
    const longer = this.#possible.map((each) => ({ ...each, texts: [...each.texts, ...texts] }));
    this.#apply(longer, outcome);
  }

  checkpointed(text: string, outcome: unknown): void {
    // One that failed may be in its place after the next opening: it is as good as the one before.
    this.#possible = this.#possible.map((each) => ({
      ...each,
      checkpoints: outcome === undefined ? [text] : [...each.checkpoints, text],
    }));
  }

  truncated(position: number, outcome: unknown): void {
    this.#possible = this.#possible.map((each) => ({
      ...each,
      mayBeForgotten: Math.max(each.mayBeForgotten, position),
      forgotten: outcome === undefined ? Math.max(each.forgotten, position) : each.forgotten,
    }));
  }

  dropped(outcome: unknown): void {
    this.#apply([NOTHING], outcome);
  }

  #apply(changed: readonly Content[], outcome: unknown): void {
    if (outcome === undefined) this.#possible = changed;
    else if (isInDoubt(outcome)) this.#possible = [...this.#possible, ...changed];
  }

  /** Finds out which possibility it is by the number of its records where that is enough. */
  async locate(namespace: NamespaceStorage): Promise<Head> {
    const head = await namespace.head();
    const found = this.#possible.filter(({ texts }) => texts.length === head.position);
    if (found.length !== 1) return this.settle(namespace);
    this.#possible = found;
    return head;
  }

  /** Finds out which possibility it is, and that it is all there. */
  async settle(namespace: NamespaceStorage): Promise<Head> {
    const head = await namespace.head();
    const found = this.#possible.filter(({ texts }) => texts.length === head.position);
    const lengths = this.#possible.map(({ texts }) => texts.length);
    assert.ok(found.length > 0, `${head.position} records are there, not ${lengths.join(' or ')}`);
    const reasons: string[] = [];
    for (const content of found) {
      const reason = await difference(namespace, head, content);
      if (reason === undefined) {
        this.#possible = [content];
        return head;
      }
      reasons.push(reason);
    }
    assert.fail(reasons.join(' / '));
  }
}

export const isInDoubt = (error: unknown): boolean => error instanceof WorldsError && error.code === 'IN_DOUBT';

async function difference(namespace: NamespaceStorage, head: Head, content: Content): Promise<string | undefined> {
  if (head.position === 0) {
    const texts = await readTexts(namespace, NO_HEAD);
    return texts.length === 0 && (await namespace.checkpoint()) === undefined ? undefined : 'something is left';
  }
  const checkpoint = await checkpointText(namespace);
  if (!content.checkpoints.includes(checkpoint))
    return `the checkpoint is ${checkpoint?.slice(0, 60)}, not ${content.checkpoints.map((each) => each?.slice(0, 60)).join(' or ')}`;
  for (const position of new Set([content.forgotten, content.mayBeForgotten])) {
    try {
      const texts = await readTexts(namespace, { ...head, position });
      const expected = content.texts.slice(position);
      return texts.length === expected.length && texts.every((text, at) => text === expected[at])
        ? undefined
        : `other records are there behind ${position}`;
    } catch (error) {
      if (!(error instanceof WorldsError && error.code === 'TRUNCATED')) throw error;
    }
  }
  return 'records were forgotten that nobody wanted forgotten';
}
