import fc from 'fast-check';
import { expect, it } from 'vitest';
import { importBody } from '../src/import-body.ts';

it('is JSON with the document in base64, however the document is cut', async () => {
  const chunk = fc.uint8Array({ maxLength: 20 });
  await fc.assert(
    fc.asyncProperty(fc.array(chunk, { maxLength: 8 }), async (chunks) => {
      const sent: number[] = [];
      const pieces: Uint8Array[] = [];
      const stream = (async function* () {
        yield* chunks;
      })();
      for await (const piece of importBody('text/turtle', stream, (bytes) => sent.push(bytes))) {
        expect(piece.length).toBeGreaterThan(0);
        pieces.push(piece);
      }
      const { contentType, data } = JSON.parse(Buffer.concat(pieces).toString());
      expect(contentType).toBe('text/turtle');
      expect(data).toBe(Buffer.concat(chunks).toString('base64'));
      expect(sent.at(-1) ?? 0).toBe(Buffer.concat(chunks).length);
    }),
  );
});
