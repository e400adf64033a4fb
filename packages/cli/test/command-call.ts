import { vi } from 'vitest';
import { run } from '../src/run.ts';
import type { Finished } from './command-process.ts';

/**
 * Runs one command line in this process: a start of Node less, for the many that only differ in
 * what they say.
 */
export async function callCommand(args: readonly string[]): Promise<Finished> {
  const out = capture(process.stdout);
  const err = capture(process.stderr);
  try {
    const code = await run(args);
    return { code, stdout: out.text(), stderr: err.text() };
  } finally {
    out.restore();
    err.restore();
  }
}

function capture(stream: NodeJS.WriteStream): { text(): string; restore(): void } {
  const chunks: Buffer[] = [];
  const write = vi.spyOn(stream, 'write').mockImplementation((chunk, written) => {
    chunks.push(Buffer.from(chunk as string));
    if (typeof written === 'function') (written as () => void)();
    return true;
  });
  return { text: () => Buffer.concat(chunks).toString(), restore: () => write.mockRestore() };
}
