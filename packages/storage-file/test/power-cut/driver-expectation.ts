import assert from 'node:assert/strict';
import { WorldsError } from '@rdf-worlds/core';
import { type Head, type NamespaceStorage, NO_HEAD, type Storage } from '@rdf-worlds/core/plugin';
import { type FileSystem, fileStorage } from '@rdf-worlds/storage-file';
import {
  checkpointText,
  type DriverMark,
  NAMESPACES,
  readTexts,
  recordOf,
  segmentText,
  stateOf,
} from './driver-program.ts';

/** What a namespace may be after a crash: from what it was asked for, and what it had promised. */
class Expectation {
  incarnation: string | undefined;
  /** The records that were asked for, and after how many of them an append ends. */
  texts: string[] = [];
  readonly ends = new Set<number>([0]);
  promised = 0;
  checkpoint: string | undefined;
  nextCheckpoint: string | undefined;
  logStart = 0;
  nextLogStart = 0;
  isBeingDropped = false;

  apply(mark: DriverMark): void {
    if ('asks' in mark) {
      if (mark.asks === 'append') {
        this.texts.push(...mark.texts);
        this.ends.add(this.texts.length);
      } else if (mark.asks === 'checkpoint') this.nextCheckpoint = `${mark.position}: ${mark.content}`;
      else if (mark.asks === 'truncate') this.nextLogStart = Math.max(this.logStart, mark.position);
      else this.isBeingDropped = true;
    } else if (mark.has === 'state') {
      this.incarnation = mark.head.position === 0 ? undefined : mark.head.incarnation;
      this.texts = [...mark.texts];
      this.promised = mark.head.position;
      this.ends.add(mark.head.position);
      this.checkpoint = this.nextCheckpoint = mark.checkpoint;
      this.logStart = this.nextLogStart = mark.logStart;
    } else if (mark.has === 'append') {
      this.incarnation = mark.head.incarnation;
      this.promised = Math.max(this.promised, mark.head.position);
    } else if (mark.has === 'checkpoint') this.checkpoint = this.nextCheckpoint;
    else if (mark.has === 'truncate') this.logStart = this.nextLogStart;
  }

  async check(namespace: NamespaceStorage, isListed: boolean): Promise<void> {
    const head = await namespace.head();
    assert.equal(isListed, head.position > 0, 'whether it is listed');
    if (head.position === 0) {
      assert.ok(
        this.promised === 0 || this.isBeingDropped,
        `${this.promised} records were acknowledged, none are there`,
      );
      assert.deepEqual(await readTexts(namespace, NO_HEAD), []);
      assert.equal(await namespace.checkpoint(), undefined);
      return;
    }
    if (this.incarnation !== undefined) assert.equal(head.incarnation, this.incarnation, 'the incarnation');
    assert.ok(head.position >= this.promised, `${this.promised} records were acknowledged, ${head.position} are there`);
    assert.ok(this.ends.has(head.position), `an append is there in part, up to ${head.position}`);
    await this.#checkLog(namespace, head);
    await this.#checkCheckpoint(namespace);
  }

  async #checkLog(namespace: NamespaceStorage, head: Head): Promise<void> {
    const starts = [...new Set([this.logStart, this.nextLogStart])];
    for (const [at, position] of starts.entries()) {
      try {
        const texts = await readTexts(namespace, { ...head, position });
        assert.ok(
          texts.length === head.position - position && texts.every((text, n) => text === this.texts[position + n]),
          `the records behind ${position} are others`,
        );
        return;
      } catch (error) {
        const mayBeTruncated = at < starts.length - 1;
        if (!(mayBeTruncated && error instanceof WorldsError && error.code === 'TRUNCATED')) throw error;
      }
    }
  }

  async #checkCheckpoint(namespace: NamespaceStorage): Promise<void> {
    const found = await checkpointText(namespace);
    assert.ok(
      found === this.checkpoint || (found !== undefined && found === this.nextCheckpoint),
      `the checkpoint is ${found?.slice(0, 40)}, not ${this.checkpoint?.slice(0, 40)} or ${this.nextCheckpoint?.slice(0, 40)}`,
    );
  }
}

function expectations(marks: readonly DriverMark[]): Map<string, Expectation> {
  const found = new Map<string, Expectation>(NAMESPACES.map((name) => [name, new Expectation()]));
  for (const mark of marks) {
    if ('has' in mark && (mark.has === 'drop' || mark.has === 'state')) found.set(mark.namespace, new Expectation());
    found.get(mark.namespace)!.apply(mark);
  }
  return found;
}

/**
 * Opens what a crash left: every acknowledged append is there, no other in part, and the storage
 * works on. Gives the state in which it is then.
 */
export async function checkAfterCrash(
  fileSystem: FileSystem,
  path: string,
  marks: readonly DriverMark[],
): Promise<DriverMark[]> {
  const expected = expectations(marks);
  const storage = fileStorage({ path, fileSystem });
  await storage.open();
  try {
    await checkAll(storage, expected);
    for (const name of NAMESPACES) {
      const namespace = storage.namespace(name);
      const head = await namespace.append(await namespace.head(), [recordOf('after the crash')]);
      await namespace.writeCheckpoint(head, [
        { name: 'after', write: () => [Buffer.from(segmentText('after', head))] },
      ]);
    }
  } finally {
    await storage.close();
  }
  const again = fileStorage({ path, fileSystem });
  await again.open();
  try {
    for (const name of NAMESPACES) {
      const namespace = again.namespace(name);
      const head = await namespace.head();
      assert.deepEqual(await readTexts(namespace, { ...head, position: head.position - 1 }), ['after the crash']);
      assert.equal(await checkpointText(namespace), `${head.position}: ${segmentText('after', head)}`);
    }
    return await Promise.all(NAMESPACES.map((name) => stateOf(again, name)));
  } finally {
    await again.close();
  }
}

async function checkAll(storage: Storage, expected: Map<string, Expectation>): Promise<void> {
  const listed: string[] = [];
  for await (const name of storage.namespaces()) listed.push(name);
  for (const [name, expectation] of expected) {
    try {
      await expectation.check(storage.namespace(name), listed.includes(name));
    } catch (error) {
      throw new Error(`namespace ${name}: ${(error as Error).message}`, { cause: error });
    }
  }
}
