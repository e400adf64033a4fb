import { arch, availableParallelism, cpus, platform, totalmem } from 'node:os';
import { figure } from './figure.ts';

/** One line that says where the figures come from. */
export function machineLine(): string {
  const model = cpus()[0]?.model.trim() ?? 'unknown CPU';
  const memory = figure(totalmem() / 2 ** 30);
  return `Node ${process.versions.node}, V8 ${process.versions.v8}, ${platform()} ${arch()}, ${model}, ${availableParallelism()} cores, ${memory} GiB`;
}
