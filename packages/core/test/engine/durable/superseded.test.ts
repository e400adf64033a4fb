import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileStorage } from '@rdf-worlds/storage-file';
import { expect, it, onTestFinished } from 'vitest';
import { WorldsEngine } from '../../../src/index.ts';

const NEXT_HOLDER = { pid: 17, host: 'elsewhere', boot: 'another', pidSpace: '', started: '', leaseMs: 10_000 };

it.each([
  ['and has not begun to read', false],
  ['and has renamed the root', true],
])(
  'an engine whose directory another process took over, %s, refuses writes and answers queries',
  async (_, isRenamed) => {
    const path = await mkdtemp(join(tmpdir(), 'rdf-worlds-superseded-'));
    onTestFinished(() => rm(path, { recursive: true }));
    const engine = await WorldsEngine.open({ storage: fileStorage({ path }) });
    await engine.createWorld({ slug: 'notes' });
    await engine.update({ sources: ['notes'], query: 'INSERT DATA { <urn:a> <urn:p> 1 }' });
    await writeFile(join(path, 'lock-2'), JSON.stringify(NEXT_HOLDER));
    await rm(join(path, 'lock-1'));
    if (isRenamed) await rename(join(path, 'namespaces'), join(path, 'namespaces-2'));

    const superseded = expect.objectContaining({
      code: 'CONFLICT',
      message: expect.stringMatching(/taken over by process 17 of machine or container elsewhere/),
    });
    for (let n = 2; n < 5; n++) {
      const update = engine.update({ sources: ['notes'], query: `INSERT DATA { <urn:a> <urn:p> ${n} }` });
      await expect(update).rejects.toEqual(superseded);
    }
    await expect(engine.createWorld({ slug: 'more' })).rejects.toEqual(superseded);
    const answer = await engine.query({ sources: ['notes'], query: 'ASK { <urn:a> <urn:p> 1 }' });
    expect(answer).toMatchObject({ type: 'boolean', value: true });
    await engine.close().catch((error: unknown) => expect(error).toEqual(superseded));
  },
);
