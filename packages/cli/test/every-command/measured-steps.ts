import { readFileSync, writeFileSync } from 'node:fs';
import { callCommand } from '../command-call.ts';
import { CommandProcess, type Finished } from '../command-process.ts';
import type { TemporaryFolder } from '../temporary-folder.ts';

const KIB = 1024;
/** A server runs while other command lines are measured. */
const MAX_MS = 7_200_000;

interface Measurement {
  readonly step: string;
  readonly wallS: number;
  readonly cpuS: number;
  readonly peakMib: number;
}

/** A command line in a process. */
interface RunningStep {
  readonly command: CommandProcess;
  /** Does what makes it end, and waits for that. */
  end(how: (command: CommandProcess) => void): Promise<Finished>;
}

/** Runs command lines one after the other, and measures those that have a process of their own. */
export class MeasuredSteps {
  private readonly folder: TemporaryFolder;
  private readonly hasProcesses: boolean;
  private readonly rows: Measurement[] = [];
  private started = 0;

  /** @param hasProcesses whether each command line gets a process, as users give it */
  constructor(folder: TemporaryFolder, { hasProcesses }: { readonly hasProcesses: boolean }) {
    this.folder = folder;
    this.hasProcesses = hasProcesses;
  }

  /** Runs a command line to its end. */
  async run(step: string, args: readonly string[], input?: string): Promise<Finished> {
    if (!this.hasProcesses && input === undefined) return callCommand(args);
    return this.start(step, args).end((command) => command.child.stdin!.end(input ?? ''));
  }

  /** Starts a command line. */
  start(step: string, args: readonly string[]): RunningStep {
    const file = this.folder.at(`usage-${this.started++}.json`);
    const module = new URL('resource-usage.mjs', import.meta.url).href;
    const started = performance.now();
    const command = new CommandProcess(args, { NODE_OPTIONS: `--import=${module}`, RESOURCE_USAGE_FILE: file }, MAX_MS);
    return {
      command,
      end: async (how: (command: CommandProcess) => void): Promise<Finished> => {
        how(command);
        const finished = await command.finish();
        const usage = JSON.parse(readFileSync(file, 'utf8')) as NodeJS.ResourceUsage;
        this.rows.push({
          step,
          wallS: (performance.now() - started) / 1000,
          cpuS: (usage.userCPUTime + usage.systemCPUTime) / 1e6,
          peakMib: usage.maxRSS / KIB,
        });
        return finished;
      },
    };
  }

  /** Returns the measurements as a table in Markdown, and writes it to a file if one is given. */
  table(file: string | undefined): string {
    const text = [
      '| command | wall s | CPU s | peak RSS, MiB |',
      '|---|---|---|---|',
      ...this.rows.map(
        ({ step, wallS, cpuS, peakMib }) =>
          `| ${step} | ${wallS.toFixed(1)} | ${cpuS.toFixed(1)} | ${peakMib.toFixed(0)} |`,
      ),
    ].join('\n');
    if (file !== undefined) writeFileSync(file, `${text}\n`);
    return text;
  }
}
