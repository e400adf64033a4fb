import { arch, availableParallelism, cpus, platform, totalmem } from 'node:os';
import { figure } from './figure.ts';

/** Returns one line that describes the machine. */
export function machineLine(): string {
  const model = cpus()[0]?.model.trim() ?? 'unknown CPU';
  const memory = figure(totalmem() / 2 ** 30);
  return `Node ${process.versions.node}, V8 ${process.versions.v8}, ${platform()} ${arch()}, ${model}, ${availableParallelism()} cores, ${memory} GiB`;
}
