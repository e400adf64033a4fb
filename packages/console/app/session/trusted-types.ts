interface TrustedTypes {
  createPolicy(name: string, rules: { createScriptURL(url: string): string }): unknown;
}

/**
 * Allows workers from the files of this console. The Content-Security-Policy requires Trusted
 * Types, so the browser refuses every other string that would become a script or markup.
 */
export function allowOwnScripts(): void {
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes };
  trustedTypes?.createPolicy('default', {
    createScriptURL(url) {
      const { origin, pathname } = new URL(url, location.href);
      if (origin === location.origin && pathname.endsWith('.js')) return url;
      throw new TypeError('Scripts are loaded only from the files of the console.');
    },
  });
}
