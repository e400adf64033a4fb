/**
 * Loads packages that the command does not install. If one is missing, throws an error that says
 * what to install.
 */
export async function optionalPackages<Loaded>(
  what: string,
  names: readonly string[],
  load: () => Promise<Loaded>,
): Promise<Loaded> {
  try {
    return await load();
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw cause;
    const list = names.join(' ');
    throw new Error(
      `${what} needs packages that are not installed together with rdf-worlds. Run npm install rdf-worlds ${list} (with --global, if rdf-worlds is), or npx ${['rdf-worlds', ...names].map((name) => `-p ${name}`).join(' ')} rdf-worlds ...`,
      { cause },
    );
  }
}
