import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { npmOutput } from '../npm.mjs';

const LIMIT_MS = 300_000;
const INSTALL = ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error'];

/**
 * Thrown if the host cannot be installed or started on this machine, which is not the fault of the
 * library.
 */
export class NotChecked extends Error {}

/** The folder in which a host is checked, with its packages and processes. */
export class Workshop {
  constructor(folder) {
    this.folder = folder;
  }

  /** Creates the folder and installs packages, given as specifiers or tarball paths. */
  static create(folder, packages) {
    const workshop = new Workshop(folder);
    workshop.write({ 'package.json': '{ "private": true }\n' });
    workshop.install(packages);
    return workshop;
  }

  install(packages) {
    if (packages.length > 0) npmOutput([...INSTALL, ...packages], { cwd: this.folder });
  }

  /**
   * Installs a host's packages. Throws `NotChecked` with npm's reason if the registry lacks them.
   */
  installHost(packages) {
    try {
      this.install(packages);
    } catch (cause) {
      if (cause.output === undefined) throw cause;
      const reasons = [...cause.output.matchAll(/^npm error (.*)$/gm)].map((match) => match[1]);
      throw new NotChecked(`${packages.join(' ')} cannot be installed: ${reasons.slice(0, 2).join('; ')}`, { cause });
    }
  }

  /** Writes files, given as `{ path: text }`. */
  write(files) {
    for (const [path, text] of Object.entries(files)) {
      const file = join(this.folder, path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
    }
  }

  /** Returns the package.json of an installed package. */
  manifest(name) {
    return JSON.parse(readFileSync(join(this.folder, 'node_modules', name, 'package.json'), 'utf8'));
  }

  /** Returns the path of an installed package's executable. */
  bin(name, program = name) {
    const { bin } = this.manifest(name);
    return join(this.folder, 'node_modules', name, typeof bin === 'string' ? bin : bin[program]);
  }

  /** Runs Node and returns its output, as {@link exec} does. */
  node(args, options) {
    return this.exec(process.execPath, args, options);
  }

  /**
   * Runs a program and returns its stdout and stderr. Throws with them if it fails or takes longer
   * than five minutes.
   */
  async exec(program, args, { cwd = this.folder, env = {} } = {}) {
    const child = spawn(program, args, {
      cwd,
      env: { ...process.env, NODE_ENV: undefined, NODE_OPTIONS: undefined, CI: '1', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let printed = '';
    const take = (text) => {
      printed += text;
    };
    child.stdout.setEncoding('utf8').on('data', take);
    child.stderr.setEncoding('utf8').on('data', take);
    const late = setTimeout(() => child.kill('SIGKILL'), LIMIT_MS);
    try {
      const [code, signal] = await new Promise((resolve, reject) => {
        child.once('error', reject);
        child.once('close', (...ended) => resolve(ended));
      });
      if (code !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${signal ?? code}:\n${printed}`);
      return printed;
    } finally {
      clearTimeout(late);
    }
  }

  /** Runs a bundle in its own folder, where no node_modules can conceal a missing module. */
  async runAlone(files, entry) {
    const alone = mkdtempSync(join(tmpdir(), 'rdf-worlds-alone-'));
    try {
      new Workshop(alone).write(files);
      return await this.node([join(alone, entry)], { cwd: alone });
    } finally {
      rmSync(alone, { recursive: true, force: true });
    }
  }
}
