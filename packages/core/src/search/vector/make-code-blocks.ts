import type { CodeBlocks, CodeLayout } from './code-blocks.ts';
import { PlainCodeBlocks } from './plain-code-blocks.ts';
import { SIGN_SCAN_WASM } from './sign-scan.generated.ts';
import { type WasmModule, wasm } from './wasm.ts';
import { WasmCodeBlocks } from './wasm-code-blocks.ts';

let compiled: WasmModule | null | undefined;

/**
 * Returns the scan module, compiled on first use; null without WebAssembly or SIMD, or if
 * compilation is forbidden.
 */
function signScan(): WasmModule | null {
  if (compiled !== undefined) return compiled;
  compiled = null;
  if (!wasm) return compiled;
  const bytes = Uint8Array.from(atob(SIGN_SCAN_WASM), (character) => character.charCodeAt(0));
  try {
    compiled = new wasm.Module(bytes);
  } catch (error) {
    // No SIMD, or a content security policy. The plain scan returns the same results, only slower.
    if (!(error instanceof wasm.CompileError) && !(error instanceof EvalError)) throw error;
  }
  return compiled;
}

/** Creates the fastest code blocks that this process supports. */
export function makeCodeBlocks(layout: CodeLayout): CodeBlocks {
  const module = signScan();
  if (wasm && module) {
    try {
      return new WasmCodeBlocks(layout, wasm, module);
    } catch (error) {
      // Each memory reserves address space, which some thousand large indexes or a process limit
      // may exhaust.
      if (!(error instanceof RangeError)) throw error;
    }
  }
  return new PlainCodeBlocks(layout);
}
