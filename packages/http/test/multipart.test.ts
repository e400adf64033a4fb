import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { formParts } from '../src/multipart.ts';

const TYPE = 'multipart/form-data; boundary=x';
const part = (headers: string, body: string, boundary = 'x') =>
  `--${boundary}\r\nContent-Disposition: form-data; ${headers}\r\n\r\n${body}\r\n`;
const parts = (text: string, type = TYPE, maxParts = 10) =>
  formParts(Buffer.from(text, 'latin1'), type, maxParts).map(({ body, ...rest }) => ({
    ...rest,
    body: Buffer.from(body).toString('latin1'),
  }));

describe('formParts', () => {
  it('reads files and fields, with whatever is before the first and after the last', () => {
    const text = `preamble\r\n${part('name="a"; filename="a.ttl"\r\ncontent-type:text/turtle', '<a>\r\n--y\r\n')}${part('name=b', '')}--x--\r\nepilogue --x`;
    expect(parts(text)).toEqual([
      { name: 'a', isFile: true, contentType: 'text/turtle', body: '<a>\r\n--y\r\n' },
      { name: 'b', isFile: false, contentType: null, body: '' },
    ]);
  });

  it('takes a name for a name, whatever is in it', () => {
    expect(parts(`${part('name="a; filename=b"', 'x')}--x--`)[0]).toMatchObject({ isFile: false, body: 'x' });
  });

  it('takes quoted boundaries and padding after them', () => {
    const text = part('name=a', 'v', 'a b').replace('\r\n', ' \t\r\n');
    expect(parts(`${text}--a b--`, 'multipart/form-data; charset=utf-8; boundary="a b"')).toHaveLength(1);
  });

  it.each([
    ['no boundary in the type', part('name=a', ''), 'multipart/form-data'],
    ['a boundary that is too long', part('name=a', ''), `multipart/form-data; boundary=${'x'.repeat(71)}`],
    ['no parts', 'oops', TYPE],
    ['an empty body', '', TYPE],
    ['no end', part('name=a', 'x'), TYPE],
    ['a part that is cut off', '--x\r\nContent-Disposition: form', TYPE],
    ['a part without a name', '--x\r\nContent-Type: text/turtle\r\n\r\nx\r\n--x--', TYPE],
    ['headers that do not end', `--x\r\n${'a: b\r\n'.repeat(10_000)}\r\n\r\n--x--`, TYPE],
    ['another encoding', `${part('name=a\r\nContent-Transfer-Encoding: base64', 'x')}--x--`, TYPE],
  ])('refuses %s', (_, text, type) => {
    expect(() => parts(text, type)).toThrow(/not valid multipart\/form-data: /);
  });

  it('refuses more parts than allowed', () => {
    const text = `${part('name=a', 'x').repeat(11)}--x--`;
    expect(() => parts(text)).toThrow(
      expect.objectContaining({ status: 413, message: expect.stringMatching(/^maxParts/) }),
    );
    expect(parts(text, TYPE, 11)).toHaveLength(11);
  });

  it('looks at each part once, and copies none', () => {
    const count = (n: number) => {
      const bytes = Buffer.from(`${part('name=a', 'x'.repeat(50)).repeat(n)}--x--`);
      let searched = 0;
      const original = Buffer.prototype.indexOf;
      const indexOf = vi.spyOn(Buffer.prototype, 'indexOf').mockImplementation(function (this: Buffer, sign, from) {
        const at = original.call(this, sign as Buffer, from as number);
        searched += (at < 0 ? this.length : at) - Number(from);
        return at;
      });
      const found = formParts(bytes, TYPE, n);
      indexOf.mockRestore();
      expect(found.every(({ body }) => body.buffer === bytes.buffer)).toBe(true);
      return searched / bytes.length;
    };
    // 10 times as many cost 10 times as much.
    expect(count(300)).toBeLessThan(count(30) * 1.2);
  });

  it('reads what Fetch writes', async () => {
    const file = fc.record({ name: fc.string({ minLength: 1 }), content: fc.uint8Array({ maxLength: 200 }) });
    await fc.assert(
      fc.asyncProperty(fc.array(file, { minLength: 1, maxLength: 5 }), async (files) => {
        const form = new FormData();
        for (const { name, content } of files)
          form.append(name, new Blob([content as Uint8Array<ArrayBuffer>], { type: 'text/turtle' }), 'f');
        const request = new Response(form);
        const bytes = new Uint8Array(await request.arrayBuffer());
        const found = formParts(bytes, request.headers.get('content-type')!, 10);
        expect(found.map(({ body, isFile, contentType }) => [[...body], isFile, contentType])).toEqual(
          files.map(({ content }) => [[...content], true, 'text/turtle']),
        );
      }),
      { numRuns: 100 },
    );
  });
});
