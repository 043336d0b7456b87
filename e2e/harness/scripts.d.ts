// The parts of scripts/ that browser tests use. Scripts are plain JavaScript: they run before anything is installed.

declare module '*/scripts/lib/serve.mjs' {
  interface ServedFolder {
    readonly port: number;
    readonly url: string;
    close(): Promise<void>;
  }
  export function serveFolder(
    folder: string,
    options?: { readonly port?: number; readonly onBusy?: (port: number) => void },
  ): Promise<ServedFolder>;
}

declare module '*/scripts/lib/browser.mjs' {
  export const BROWSER_ARGS: string[];
  export function findBrowser(): Promise<string | undefined>;
}

declare module '*/scripts/lib/build_page.mjs' {
  export const DIST_DIR: string;
  export function ensurePageBuilt(options?: { readonly force?: boolean }): Promise<boolean>;
}
