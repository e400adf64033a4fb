import { MemoryContents, MemoryStorage, WorldsError } from '@rdf-worlds/core';
import { type Head, type NamespaceStorage, NO_HEAD, type Storage } from '@rdf-worlds/core/plugin';
import { describe, expect, it } from 'vitest';
import { inTurn } from '../../../test/turn.ts';
import { storageContract } from '../src/storage-contract.ts';
import { firstFailedCase } from './first-failed-case.ts';

const memoryPlace = () => {
  const contents = new MemoryContents();
  return { make: () => new MemoryStorage(contents) };
};

describe('storageContract accepts MemoryStorage', () => {
  for (const { name, run } of storageContract(memoryPlace)) it(name, run);
});

type Change = (namespace: NamespaceStorage, name: string, storage: Storage) => Partial<NamespaceStorage>;

/** Each row breaks one promise of a good storage; the contract must notice. */
const DEFECTS: readonly (readonly [defect: string, change: Change])[] = [
  ['forgets who comes second', ({ append, head }) => ({ append: async (_, records) => append(await head(), records) })],
  [
    'compares positions only',
    ({ append, head }) => ({
      append: async ({ position }, records) => append({ ...(await head()), position }, records),
    }),
  ],
  [
    'takes records one by one',
    ({ append }) => ({
      append: async (expected, records) => {
        let head = expected;
        for (const record of records) head = await append(head, [record]);
        return head;
      },
    }),
  ],
  [
    'answers with an older head',
    ({ append }) => ({
      append: async (expected, records) => {
        const head = await append(expected, records);
        return { ...head, position: head.position - records.length + 1 };
      },
    }),
  ],
  [
    'keeps the first chunk',
    ({ append }) => ({
      append: (expected, records) =>
        append(
          expected,
          records.map(({ id, chunks }) => ({ id, chunks: chunks.slice(0, 1) })),
        ),
    }),
  ],
  [
    'cuts records at 1 MiB',
    ({ read }) => ({
      async *read(after, signal) {
        for await (const record of read(after, signal)) yield { ...record, data: record.data.slice(0, 2 ** 20) };
      },
    }),
  ],
  [
    'reads backwards',
    ({ read }) => ({
      async *read(after, signal) {
        const records = [];
        for await (const record of read(after, signal)) records.unshift(record);
        yield* records;
      },
    }),
  ],
  ['reads from the start', ({ read }) => ({ read: (_, signal) => read(NO_HEAD, signal) })],
  [
    'reads nothing of what is gone',
    ({ read }) => ({
      async *read(after, signal) {
        try {
          yield* read(after, signal);
        } catch (error) {
          if (!(error instanceof WorldsError && error.code === 'TRUNCATED')) throw error;
        }
      },
    }),
  ],
  ['hears no signal', ({ read }) => ({ read: (after) => read(after) })],
  [
    'truncates what no checkpoint holds',
    ({ truncate }) => ({ truncate: (upTo) => truncate(upTo).catch(() => undefined) }),
  ],
  ['never truncates', () => ({ truncate: async () => undefined })],
  [
    'truncates one record less',
    ({ truncate }) => ({
      truncate: (upTo) => truncate({ ...upTo, position: Math.max(0, upTo.position - 1) }),
    }),
  ],
  [
    'writes every segment again',
    ({ writeCheckpoint }) => ({
      writeCheckpoint: async (at, segments, confirm) => {
        const written = [];
        for await (const segment of segments) {
          const chunks: Uint8Array[] = [];
          for await (const chunk of segment.write()) chunks.push(new Uint8Array(chunk));
          written.push({ name: segment.name, write: () => chunks });
        }
        return writeCheckpoint(at, written, confirm);
      },
    }),
  ],
  [
    'shows half a checkpoint',
    ({ writeCheckpoint }) => ({
      writeCheckpoint: async (at, segments) => {
        const seen = [];
        for await (const segment of segments) {
          seen.push(segment);
          await writeCheckpoint(at, seen);
        }
        return writeCheckpoint(at, seen);
      },
    }),
  ],
  [
    'swallows what fails in a checkpoint',
    ({ writeCheckpoint }) => ({
      writeCheckpoint: (at, segments) => writeCheckpoint(at, segments).catch(() => undefined),
    }),
  ],
  [
    'orders segments by name',
    ({ checkpoint }) => ({
      checkpoint: async () => {
        const found = await checkpoint();
        return found && { ...found, segments: [...found.segments].sort((a, b) => (a.name < b.name ? -1 : 1)) };
      },
    }),
  ],
  [
    'gives segments at odd offsets',
    ({ checkpoint }) => ({
      checkpoint: async () => {
        const found = await checkpoint();
        return (
          found && {
            ...found,
            segments: found.segments.map(({ name, byteLength, read }) => ({
              name,
              byteLength,
              read: async () => {
                const shifted = new Uint8Array(byteLength + 1).subarray(1);
                shifted.set(await read());
                return shifted;
              },
            })),
          }
        );
      },
    }),
  ],
  [
    'keeps one checkpoint only',
    ({ writeCheckpoint }) => ({
      writeCheckpoint: async (at, segments) => {
        const all = [];
        for await (const segment of segments) all.push(segment);
        await writeCheckpoint(at, all);
        await writeCheckpoint(at, all);
      },
    }),
  ],
  ['does not drop', () => ({ drop: async () => undefined })],
  ['drops whatever is there', ({ drop }) => ({ drop: () => drop() })],
  [
    'lets earlier generations append',
    ({ append, head }) => ({
      append: async (expected, records) => append({ ...expected, generation: (await head()).generation }, records),
    }),
  ],
  [
    'lets earlier generations write checkpoints',
    ({ writeCheckpoint, head }) => ({
      writeCheckpoint: async (at, segments, confirm) =>
        writeCheckpoint({ ...at, generation: (await head()).generation }, segments, confirm),
    }),
  ],
  [
    'raises the generation with every checkpoint',
    ({ writeCheckpoint, head }) => ({
      writeCheckpoint: (at, segments, confirm) => writeCheckpoint(at, segments, confirm ?? head),
    }),
  ],
  [
    'never raises the generation',
    ({ writeCheckpoint }) => ({ writeCheckpoint: (at, segments) => writeCheckpoint(at, segments) }),
  ],
  [
    'confirms first',
    ({ writeCheckpoint }) => ({
      writeCheckpoint: async (at, segments, confirm) => {
        let first = await confirm?.();
        const later = async () => {
          const head = first ?? (await confirm!());
          first = undefined;
          return head;
        };
        return writeCheckpoint(at, segments, confirm && later);
      },
    }),
  ],
  [
    'takes no for yes',
    ({ writeCheckpoint, head }) => ({
      writeCheckpoint: (at, segments, confirm) =>
        writeCheckpoint(at, segments, confirm && (() => confirm().catch(() => head()))),
    }),
  ],
  [
    'reuses the incarnation',
    ({ head, append }) => {
      const shown = ({ incarnation, ...rest }: Head) => ({ incarnation: incarnation && 'always', ...rest });
      return {
        head: async () => shown(await head()),
        append: async (expected, records) => {
          const { incarnation } = await head();
          return shown(await append({ ...expected, incarnation: expected.incarnation && incarnation }, records));
        },
      };
    },
  ],
  [
    'has nothing left but the newest checkpoint',
    ({ remains }) => ({
      remains: async () => {
        const left = await remains!();
        return left && { ...left, checkpoints: left.checkpoints.slice(0, 1) };
      },
    }),
  ],
  [
    'rebuilds beside what was there',
    ({ writeCheckpoint }) => ({ rebuild: (at, segments) => writeCheckpoint(at, segments).then(() => undefined) }),
  ],
  ['has no way back', () => ({ rebuild: undefined })],
  ['counts nothing', () => ({ stats: async () => ({ logBytes: 0, logRecords: 0, segmentBytes: 0, segments: 0 }) })],
];

/** MemoryStorage behind a wrapper that alters its namespaces, and may alter their names. */
function alteredPlace(change: Change, rename: (name: string) => string = (name) => name) {
  const contents = new MemoryContents();
  return {
    make: () => {
      const storage = new MemoryStorage(contents);
      const altered: Storage = {
        capabilities: storage.capabilities,
        open: () => storage.open(),
        close: () => storage.close(),
        namespaces: () => storage.namespaces(),
        namespace: (name) => {
          const inner = storage.namespace(rename(name));
          const bound: NamespaceStorage = {
            head: () => inner.head(),
            append: (expected, records) => inner.append(expected, records),
            read: (after, signal) => inner.read(after, signal),
            checkpoint: () => inner.checkpoint(),
            writeCheckpoint: (at, segments, confirm) => inner.writeCheckpoint(at, segments, confirm),
            truncate: (upTo) => inner.truncate(upTo),
            stats: () => inner.stats(),
            drop: (expected) => inner.drop(expected),
            remains: () => inner.remains!(),
            rebuild: (at, segments) => inner.rebuild!(at, segments),
          };
          return { ...bound, ...change(bound, name, storage) };
        },
      };
      return altered;
    },
  };
}

it('storageContract accepts a storage behind the wrapper that the defects are built with', async () => {
  expect(await firstFailedCase(storageContract(() => alteredPlace(() => ({}))))).toBeUndefined();
});

describe('storageContract notices a storage that', () => {
  for (const [defect, change] of inTurn(DEFECTS, 3))
    it(defect, async () => expect(await firstFailedCase(storageContract(() => alteredPlace(change)))).toBeDefined());

  const NAMES: readonly (readonly [defect: string, rename: (name: string) => string])[] = [
    ['folds the case of names', (name) => name.toLowerCase()],
    ['normalises names', (name) => name.normalize()],
    ['cuts names', (name) => name.slice(0, 127)],
    ['escapes names ambiguously', (name) => name.replaceAll('/', '%2F')],
    ['stores names as UTF-8', (name) => Buffer.from(name).toString()],
  ];
  for (const [defect, rename] of NAMES)
    it(defect, async () =>
      expect(await firstFailedCase(storageContract(() => alteredPlace(() => ({}), rename)))).toBeDefined(),
    );

  it('loses what it had when it is opened again', async () => {
    expect(await firstFailedCase(storageContract(() => ({ make: () => new MemoryStorage() })))).toBeDefined();
  });

  it('keeps working after it was closed', async () => {
    class Open extends MemoryStorage {
      override async close() {}
    }
    expect(await firstFailedCase(storageContract(() => ({ make: () => new Open() })))).toBeDefined();
  });
});
