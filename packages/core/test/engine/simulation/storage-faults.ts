import { WorldsError } from '../../../src/index.ts';
import { type Checkpoint, type Head, NO_HEAD, type StoredRecord, storageErrors } from '../../../src/plugin.ts';
import {
  CRASHED_TURNS,
  DOUBTS,
  NAMESPACES_AGAIN,
  PAUSED_TURNS,
  type PlantedFault,
  storageFault,
  TERMS_AGAIN,
} from './planted-fault.ts';

const isCode = (error: unknown, code: string) => error instanceof WorldsError && error.code === code;

/** A reservation that took longer has missed a turn, in milliseconds. */
const MISSED_MS = 10_000;

/** Faults of drivers. */
export const STORAGE_FAULTS: readonly PlantedFault[] = [
  storageFault('an append does not compare the head', ['commits', 'errors'], ({ append, head }) => ({
    append: async (_, records) => append(await head(), records),
  })),
  storageFault(
    'an append compares the position only',
    ['commits', 'errors', 'replicas'],
    ({ append, head }) => ({
      append: async ({ position }, records) => append({ ...(await head()), position }, records),
    }),
    NAMESPACES_AGAIN,
  ),
  storageFault('an append is repeated when its answer is lost', ['commits'], ({ append, head }) => ({
    append: (expected, records) =>
      append(expected, records).catch(async (error: unknown) => {
        if (!isCode(error, 'INTERNAL')) throw error;
        return append(await head(), records);
      }),
  })),
  storageFault('an append that was refused is reported as done', ['commits'], ({ append }) => ({
    append: (expected, records) =>
      append(expected, records).catch((error: unknown): Head => {
        if (!isCode(error, 'CONFLICT') || expected.position === 0) throw error;
        return { ...expected, position: expected.position + records.length };
      }),
  })),
  storageFault('an append is acknowledged before it is sent', ['commits'], ({ append }) => ({
    append: async (expected, records) => {
      if (expected.position % 7 !== 6) return append(expected, records);
      append(expected, records).catch(() => undefined);
      return { ...expected, position: expected.position + records.length };
    },
  })),
  storageFault(
    'an append of unknown outcome is reported as failed',
    ['commits'],
    ({ append }) => ({
      append: (expected, records) =>
        append(expected, records).catch((error: unknown) => {
          if (!isCode(error, 'IN_DOUBT')) throw error;
          throw new WorldsError('INTERNAL', (error as Error).message);
        }),
    }),
    DOUBTS,
  ),
  storageFault(
    'an append ignores the generation',
    ['errors', 'replicas', 'reads'],
    ({ append, head }) => ({
      append: async (expected, records) => append({ ...expected, generation: (await head()).generation }, records),
    }),
    TERMS_AGAIN,
  ),
  storageFault(
    'heads do not tell the generation',
    ['errors', 'replicas', 'reads', 'hang'],
    (inner) => {
      const hidden = (head: Head): Head => ({ ...head, generation: 0 });
      const shown = async (head: Head) => ({ ...head, generation: (await inner.head()).generation });
      return {
        head: async () => hidden(await inner.head()),
        append: async (expected, records) => hidden(await inner.append(await shown(expected), records)),
        async *read(after, signal) {
          for await (const record of inner.read(after, signal)) yield { ...record, head: hidden(record.head) };
        },
        checkpoint: async () => {
          const found = await inner.checkpoint();
          return found && { ...found, at: hidden(found.at) };
        },
        async *watch(signal) {
          for await (const head of inner.watch!(signal)) yield hidden(head);
        },
        writeCheckpoint: async (at, segments, confirm) =>
          inner.writeCheckpoint(await shown(at), segments, confirm && (async () => shown(await confirm()))),
      };
    },
    TERMS_AGAIN,
  ),
  storageFault(
    'a checkpoint that frees terms is confirmed once only',
    ['commits', 'errors', 'replicas'],
    (inner) => ({
      writeCheckpoint: async (at, segments, confirm) => {
        let isConfirmed = false;
        const once = async () => {
          if (!isConfirmed) await confirm!();
          isConfirmed = true;
          return inner.head();
        };
        return inner.writeCheckpoint(at, segments, confirm && once);
      },
    }),
    TERMS_AGAIN,
  ),
  storageFault('the head is remembered for a while', ['latest', 'errors', 'commits'], ({ head }, memory) => ({
    head: async () => {
      const uses = ((memory.get('uses') as number | undefined) ?? 0) + 1;
      memory.set('uses', uses);
      if (uses % 4 === 1) memory.set('head', await head());
      return memory.get('head') as Head;
    },
  })),
  storageFault('a read leaves out a record', ['errors'], ({ read }) => ({
    async *read(after, signal) {
      for await (const record of read(after, signal)) if (record.head.position % 9 !== 8) yield record;
    },
  })),
  storageFault('a read ends one record early', ['errors', 'latest', 'reads', 'hang'], ({ read }) => ({
    async *read(after, signal) {
      let held: StoredRecord | undefined;
      for await (const record of read(after, signal)) {
        if (held) yield held;
        held = record;
      }
      if (held && held.head.position % 5 !== 4) yield held;
    },
  })),
  storageFault('a truncated log is not noticed', ['errors', 'reads', 'latest', 'feeds', 'hang'], ({ read }) => ({
    async *read(after, signal) {
      try {
        yield* read(after, signal);
      } catch (error) {
        if (!isCode(error, 'TRUNCATED')) throw error;
      }
    },
  })),
  storageFault('a log says that it is truncated', ['feeds'], ({ read }) => ({
    async *read(after, signal) {
      if (after.position % 5 === 3) throw storageErrors.truncated('a', after, NO_HEAD, NO_HEAD);
      yield* read(after, signal);
    },
  })),
  storageFault('an old checkpoint is read', ['errors', 'hang', 'reads', 'replicas'], ({ checkpoint }, memory) => ({
    checkpoint: async () => {
      const first = (memory.get('first') as Checkpoint | undefined) ?? (await checkpoint());
      memory.set('first', first);
      return first;
    },
  })),
  storageFault('a segment is empty', ['errors'], ({ checkpoint }) => ({
    checkpoint: async () => {
      const found = await checkpoint();
      const emptied = found?.segments.map((segment, at) =>
        at === 1 ? { ...segment, read: async () => new Uint8Array(0) } : segment,
      );
      return found && { ...found, segments: emptied! };
    },
  })),
  storageFault(
    'a deletion does not compare the head',
    ['commits'],
    ({ drop }) => ({ drop: () => drop() }),
    NAMESPACES_AGAIN,
  ),
  storageFault('a watch yields once', ['replicas'], ({ watch }) => ({
    async *watch(signal) {
      for await (const head of watch!(signal)) {
        yield head;
        break;
      }
      await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
    },
  })),
  {
    name: 'notifications are lost, and nobody looks',
    checks: ['replicas'],
    options: { faults: { lostNotice: 0.7, pollMs: Number.POSITIVE_INFINITY } },
  },
  storageFault(
    'a reservation does not end when its holder has crashed',
    ['errors', 'hang'],
    ({ reserve }) => ({ reserve: () => reserve!(Number.POSITIVE_INFINITY) }),
    CRASHED_TURNS,
  ),
  storageFault(
    'who has reserved an append does not compare the head',
    ['commits', 'errors'],
    ({ append, head, reserve }, memory) => ({
      reserve: async (forMs) => {
        const end = await reserve!(forMs);
        memory.set('isReserved', true);
        return async () => {
          memory.set('isReserved', false);
          await end();
        };
      },
      append: async (expected, records) => append(memory.get('isReserved') ? await head() : expected, records),
    }),
    PAUSED_TURNS,
  ),
  storageFault(
    'an append that a turn has held up is made at the head of then',
    ['commits', 'errors'],
    ({ append, head }) => ({
      append: (expected, records) =>
        append(expected, records).catch(async (error: unknown) => {
          if (!(isCode(error, 'CONFLICT') && (error as Error).message.includes('has to wait'))) throw error;
          return append(await head(), records);
        }),
    }),
    PAUSED_TURNS,
  ),
  storageFault(
    'a reservation whose turn was missed is waited for',
    ['hang'],
    ({ reserve }) => ({
      reserve: async (forMs) => {
        const beganMs = performance.now();
        const end = await reserve!(forMs);
        if (performance.now() - beganMs > MISSED_MS) await new Promise(() => undefined);
        return end;
      },
    }),
    PAUSED_TURNS,
  ),
];
